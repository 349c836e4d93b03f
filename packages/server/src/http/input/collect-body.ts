// The bytes of a body on its way in, collected within limits.
import type { Readable } from "node:stream";
import type { FastifyRequest } from "fastify";
import { AppError } from "../../base/error/app-error.ts";
import { countedAs } from "../admit/rate-limits.ts";

const minBytes = 1_024;
const mebibyte = 1_048_576;

export interface BodyLimits {
  /** Total bytes of all bodies that are being received at a time. */
  totalBytes: number;
  /** The same for one caller, who could otherwise send slowly and leave no memory for others. */
  callerBytes: number;
}

const shippedLimits: BodyLimits = { totalBytes: 256 * mebibyte, callerBytes: 64 * mebibyte };

type Collect = (request: FastifyRequest, payload: Readable, done: (error: Error | null, body?: Buffer) => void) => void;

/**
 * Reads a body into one buffer, up to the limit of its endpoint. The client decides how small the chunks of a body are, and each chunk
 * costs some 200 bytes, however small it is. Fastify's own reader keeps all chunks until the end, so a body of single bytes would take 200
 * times its size for as long as the client delays the end.
 */
export function createBodyCollector(limits: BodyLimits = shippedLimits): Collect {
  const room = new BodyRoom(limits);
  return (request, payload, done) => collectBody(room, request, payload, done);
}

/**
 * The bytes of all bodies that are still being received, in total and by caller. What a caller holds never exceeds what remains free for
 * others: however many callers take all they can, some of the total is left for the next one.
 */
class BodyRoom {
  readonly #limits: BodyLimits;
  readonly #byCaller = new Map<string, number>();
  #total = 0;

  constructor(limits: BodyLimits) {
    this.#limits = limits;
  }

  /** @param alone what a single body may always have, regardless of the limits */
  take(caller: string, bytes: number, alone: number): boolean {
    const held = this.#byCaller.get(caller) ?? 0;
    const { totalBytes, callerBytes } = this.#limits;
    const free = Math.max(totalBytes, 2 * alone) - this.#total - bytes;
    if (held + bytes > Math.min(Math.max(callerBytes, alone), free)) return false;
    this.#byCaller.set(caller, held + bytes);
    this.#total += bytes;
    return true;
  }

  release(caller: string, bytes: number): void {
    const left = (this.#byCaller.get(caller) ?? 0) - bytes;
    if (left > 0) this.#byCaller.set(caller, left);
    else this.#byCaller.delete(caller);
    this.#total -= bytes;
  }
}

function collectBody(room: BodyRoom, request: FastifyRequest, payload: Readable, done: (error: Error | null, body?: Buffer) => void): void {
  const limitBytes = request.routeOptions.bodyLimit ?? 0;
  const announced = Number(request.headers["content-length"]);
  if (announced > limitBytes) return done(new AppError("BODY_TOO_LARGE", [limitBytes]));
  const caller = countedAs(request);
  let body = Buffer.alloc(0);
  let bytes = 0;

  function onData(piece: Buffer): void {
    const size = bytes + piece.length;
    if (size > limitBytes) return finish(new AppError("BODY_TOO_LARGE", [limitBytes]));
    if (size > body.length) {
      const wanted = Math.min(roomFor(size, body.length), limitBytes);
      if (!room.take(caller, wanted - body.length, limitBytes)) return finish(tooManyBodies());
      body = copyInto(Buffer.allocUnsafe(wanted), body.subarray(0, bytes));
    }
    piece.copy(body, bytes);
    bytes = size;
  }
  function onEnd(): void {
    const isWhole = Number.isNaN(announced) || announced === bytes;
    finish(isWhole ? null : new AppError("BAD_REQUEST", ["the length of the body differs from the header content-length"]));
  }
  function onError(cause: Error): void {
    finish(new AppError("BAD_REQUEST", ["the connection was closed before the whole request was read"], { cause }));
  }
  // The rest of the body is not read: the connection is closed after the response.
  function finish(refusal: AppError | null): void {
    payload.off("data", onData).off("end", onEnd).off("error", onError).off("close", onClose);
    room.release(caller, body.length);
    if (refusal) done(refusal);
    else done(null, body.subarray(0, bytes));
  }
  function onClose(): void {
    onError(new Error("closed"));
  }
  payload.on("data", onData).on("end", onEnd).on("error", onError).on("close", onClose);
}

function tooManyBodies(): AppError {
  return new AppError("NOT_READY", ["too many large requests are being received; send fewer at once"], { retryAfterSeconds: 1 });
}

/** Most bodies arrive in one chunk, and get a buffer of that size. For others it doubles each time. */
function roomFor(bytes: number, roomBytes: number): number {
  return roomBytes === 0 ? bytes : Math.max(bytes, roomBytes * 2, minBytes);
}

function copyInto(room: Buffer<ArrayBuffer>, content: Buffer): Buffer<ArrayBuffer> {
  content.copy(room);
  return room;
}
