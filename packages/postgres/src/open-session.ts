import type { Socket } from "node:net";
import { Authentication } from "./authenticate.ts";
import { driverError, readDatabaseError } from "./database-error.ts";
import { MessageReader } from "./message-reader.ts";
import { MessageWriter } from "./message-writer.ts";
import { closedError, describePlace, openSocket, type Place } from "./open-socket.ts";
import type { ConnectionOptions, TargetSession } from "./options.ts";

/** A session that is ready for its first statement. */
export interface OpenedSession {
  socket: Socket;
  place: Place;
  processId: number;
}

/**
 * Opens a session on the first server that responds and is of the wanted kind.
 * @param controller aborts the attempt, with its reason as the error
 * @throws the failure of the last server tried: Error of Node, DatabaseError, or one with the code CONNECTION_CLOSED, CONNECT_TIMEOUT,
 *   CONNECT_WRONG_TARGET, TLS_REFUSED or SASL_…
 */
export async function openSession(options: ConnectionOptions, controller: AbortController): Promise<OpenedSession> {
  const targets: TargetSession[] = options.target === "prefer-standby" ? ["standby", "any"] : [options.target];
  let failure: unknown;
  for (const target of targets) {
    for (const place of options.places) {
      try {
        return await openInTime(options, place, target, controller);
      } catch (error) {
        failure = error;
        if (controller.signal.aborted) throw error;
      }
    }
  }
  throw failure;
}

async function openInTime(options: ConnectionOptions, place: Place, target: TargetSession, outer: AbortController): Promise<OpenedSession> {
  const inner = new AbortController();
  const breakOff = () => inner.abort(outer.signal.reason);
  outer.signal.addEventListener("abort", breakOff);
  const timer = setTimeout(() => inner.abort(timeoutError(place)), options.connectTimeoutMs);
  try {
    const socket = await openSocket(place, options.tls, inner.signal);
    return await new SessionStart(socket, place, target, options).run(inner.signal);
  } catch (error) {
    throw inner.signal.aborted ? inner.signal.reason : error;
  } finally {
    clearTimeout(timer);
    outer.signal.removeEventListener("abort", breakOff);
  }
}

/** The code of the error if the server did not answer in time. */
export const connectTimeout = "CONNECT_TIMEOUT";

function timeoutError(place: Place): Error {
  return driverError(connectTimeout, `The database at ${describePlace(place)} did not answer in time`);
}

/** Types of messages from the server, by their letters. */
const messages = { error: 69, row: 68, authentication: 82, processKey: 75, ready: 90 };

/** Whether the server is a standby, and whether it refuses changes. */
const kindQuery = "select pg_is_in_recovery(), current_setting('transaction_read_only')::boolean";

/** From the first message until the server reports that it is ready. */
class SessionStart {
  readonly #socket: Socket;
  readonly #place: Place;
  readonly #target: TargetSession;
  readonly #options: ConnectionOptions;
  readonly #authentication: Authentication;
  readonly #writer = new MessageWriter();
  #processId = 0;
  /** Result of `kindQuery`. */
  #kind: { isStandby: boolean; isReadOnly: boolean } | undefined;
  #resolve!: (session: OpenedSession) => void;
  #reject!: (error: unknown) => void;

  constructor(socket: Socket, place: Place, target: TargetSession, options: ConnectionOptions) {
    this.#socket = socket;
    this.#place = place;
    this.#target = target;
    this.#options = options;
    this.#authentication = new Authentication(options.user, options.password);
  }

  async run(signal: AbortSignal): Promise<OpenedSession> {
    const socket = this.#socket;
    const reader = new MessageReader((type, bytes, start, end) => this.#onMessage(type, bytes, start, end));
    const onData = (piece: Buffer) => this.#try(() => reader.read(piece));
    const onClose = () => this.#reject(closedError(this.#place));
    const onError = (error: Error) => this.#reject(error);
    const onAbort = () => socket.destroy();
    const opened = new Promise<OpenedSession>((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    socket.on("data", onData).on("close", onClose).on("error", onError);
    signal.addEventListener("abort", onAbort);
    try {
      socket.setKeepAlive(true, 60_000);
      const { user, database, settings } = this.#options;
      this.#writer.startup({ user, database, client_encoding: "UTF8", ...settings });
      this.#send();
      return await opened;
    } catch (error) {
      socket.destroy();
      throw error;
    } finally {
      signal.removeEventListener("abort", onAbort);
      socket.off("data", onData).off("close", onClose);
      if (!socket.destroyed) socket.off("error", onError);
    }
  }

  #onMessage(type: number, bytes: Buffer, start: number, end: number): void {
    if (type === messages.error) this.#reject(readDatabaseError(bytes, start, end));
    else if (type === messages.authentication) this.#authenticate(bytes.subarray(start, end));
    else if (type === messages.processKey) this.#processId = bytes.readUInt32BE(start);
    else if (type === messages.row) this.#kind = { isStandby: bytes[start + 6] === letterT, isReadOnly: bytes[start + 11] === letterT };
    else if (type === messages.ready) this.#onReady();
  }

  #authenticate(asked: Buffer): void {
    const answer = this.#authentication.answer(asked);
    if (answer === undefined) return;
    this.#writer.password(answer);
    this.#send();
  }

  #onReady(): void {
    if (this.#target !== "any" && this.#kind === undefined) {
      this.#writer.query(kindQuery);
      this.#send();
    } else if (this.#kind === undefined || fits(this.#target, this.#kind)) {
      this.#resolve({ socket: this.#socket, place: this.#place, processId: this.#processId });
    } else {
      this.#reject(driverError("CONNECT_WRONG_TARGET", `The database at ${describePlace(this.#place)} is not ${this.#target}`));
    }
  }

  #send(): void {
    this.#socket.write(this.#writer.take());
  }

  #try(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#reject(error);
    }
  }
}

const letterT = 116;

function fits(target: TargetSession, { isStandby, isReadOnly }: { isStandby: boolean; isReadOnly: boolean }): boolean {
  if (target === "primary") return !isStandby;
  if (target === "standby") return isStandby;
  if (target === "read-write") return !isReadOnly;
  return target === "any" || isReadOnly;
}
