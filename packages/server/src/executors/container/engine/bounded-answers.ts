import type { IncomingMessage } from "node:http";
import { addAbortSignal, type Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import type Docker from "dockerode";
import { EngineRefusal } from "./engine-error.ts";

/**
 * An engine passes on what images and registries send, however long. The library would keep all of it in memory, and a text longer than the
 * maximum length of a string would crash the service.
 */

const mebibyte = 1_048_576;
/** Thousands of containers in one list. */
const maxAnswerBytes = 64 * mebibyte;
/** The configuration of an image: a hundred times that of large images. */
const maxImageBytes = mebibyte;
const maxErrorBytes = mebibyte;
/** For a progress report, in which each line is one JSON object. */
const maxLineLength = mebibyte;

type Dial = Docker["modem"]["dial"];
type Request = Parameters<Dial>[0] & { isStream?: boolean; statusCodes: Record<number, unknown>; abortSignal?: AbortSignal };

/** Makes the library pass on every response unread. */
const everyStatus = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [100 + index, true]));

/** Reads every response here instead of in the library, up to its limit. */
export function boundAnswers({ modem }: Docker): void {
  const dial = modem.dial.bind(modem) as Dial;
  modem.dial = (options, callback) => {
    const request = options as Request;
    dial({ ...request, isStream: true, statusCodes: everyStatus } as never, (error, answer) => {
      if (error) return callback?.(error, null);
      read(request, answer as IncomingMessage).then(
        (given) => callback?.(null, given as object),
        (problem) => callback?.(problem, null),
      );
    });
  };
}

async function read(request: Request, answer: IncomingMessage): Promise<unknown> {
  const { statusCode = 0 } = answer;
  const isWanted = request.statusCodes[statusCode] === true;
  if (isWanted && request.isStream === true) return answer;
  if (request.abortSignal) addAbortSignal(request.abortSignal, answer);
  const json = parse(await readBody(answer, isWanted ? limitOf(String(request.path)) : maxErrorBytes));
  if (isWanted) return json;
  throw Object.assign(
    new Error(`(HTTP code ${statusCode}) ${String(request.statusCodes[statusCode] ?? "unexpected")} - ${wordsOf(json)} `),
    {
      statusCode,
      json: request.isStream === true ? null : json,
    },
  );
}

function limitOf(path: string): number {
  return /\/images\/[^?]*\/json/.test(path) ? maxImageBytes : maxAnswerBytes;
}

async function readBody(answer: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    // Leaving the loop closes the response.
    if (bytes > maxBytes) throw new EngineRefusal(answer.statusCode ?? 0, tooLong(maxBytes));
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function tooLong(maxBytes: number): string {
  return `what the container engine says of it has more than ${maxBytes / mebibyte} MiB`;
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString()) || body;
  } catch {
    return body;
  }
}

function wordsOf(json: unknown): string {
  const { message, error } = json as { message?: unknown; error?: unknown };
  return String(message ?? error ?? json);
}

/** @throws EngineRefusal if a line is too long */
export async function* linesOf(source: Readable): AsyncGenerator<string> {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  for await (const chunk of source) {
    const lines = (rest + decoder.write(chunk as Buffer)).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
    if (rest.length > maxLineLength) throw new EngineRefusal(0, tooLong(maxLineLength));
  }
  if (rest !== "") yield rest;
}
