import { EventSourceParserStream } from "eventsource-parser/stream";
import { ApiError } from "./api-error.ts";

/**
 * Answers that go on: the log of a task run, and what changes in a team. A connection that breaks off is opened again, for a log at the
 * line where it was. After a few attempts in a row that brought nothing, the reader gives up with the error of the last one.
 */

export interface LogOptions {
  /** Go on until the task run ends (default), or end with the lines that there are. */
  follow?: boolean;
  /** Begin each line with its time. */
  timestamps?: boolean;
  /** Begin with the last lines. */
  tail?: number;
  signal?: AbortSignal;
}

/** What changed: read again what you show of it. `reset`: changes may have been missed, so everything. */
export interface Change {
  /** `workflowrun`, `workflow`, `schedule`, `task`, `action`, `team`, `subscription`, `delivery` or `reset`. */
  kind: string;
  id?: string;
  /** Of a run. */
  status?: string;
  phase?: string;
}

/** Sends the request; a refusal is an ApiError. */
type Open<Query> = (query: Query, signal: AbortSignal | undefined) => Promise<Response>;
export type LogQuery = Pick<LogOptions, "follow" | "timestamps" | "tail"> & { fromLine?: number };

const mostAttempts = 5;
/** Not before the first: a proxy may only have cut what took too long. */
const pauseMs = 500;

/** The lines without their ends. */
export async function* readLog(open: Open<LogQuery>, { signal, tail, ...options }: LogOptions = {}): AsyncGenerator<string, void> {
  let place: LogQuery = tail === undefined ? { fromLine: 1 } : { tail };
  for (const attempts = new Attempts(signal); ; ) {
    try {
      const response = await open({ ...options, ...place }, signal);
      let next = Number(response.headers.get("x-first-line") ?? place.fromLine ?? 1);
      for await (const line of linesOf(response, signal)) {
        attempts.succeed();
        yield line;
        place = { fromLine: ++next };
      }
      return;
    } catch (error) {
      await attempts.fail(error);
    }
  }
}

/** Only whole lines: what broke off inside of one comes again. */
async function* linesOf(response: Response, signal: AbortSignal | undefined): AsyncGenerator<string, void> {
  let rest = "";
  for await (const text of readAll(textOf(response), signal)) {
    const lines = (rest + text).split("\n");
    rest = lines.pop()!;
    yield* lines;
  }
  if (rest !== "") yield rest;
}

/** Ends when the signal aborts. The service ends a stream for good with an error when it is opened again. */
export async function* readChanges(open: Open<undefined>, signal?: AbortSignal): AsyncGenerator<Change, void> {
  for (const attempts = new Attempts(signal); ; ) {
    try {
      const response = await open(undefined, signal);
      // What happens from here on is in the stream.
      yield { kind: "reset" };
      for await (const { event, data } of readAll(textOf(response).pipeThrough(new EventSourceParserStream()), signal)) {
        attempts.succeed();
        if (event === "reset") yield { kind: "reset" };
        if (event === "change") yield JSON.parse(data) as Change;
      }
      throw new ApiError(0, "NO_ANSWER", "The stream of changes ended");
    } catch (error) {
      if (signal?.aborted) return;
      await attempts.fail(error);
    }
  }
}

function textOf({ body }: Response): ReadableStream<string> {
  return body!.pipeThrough(new TextDecoderStream());
}

/**
 * Not every browser can iterate over a stream. Node forgets the signal of a request once the request was collected as garbage, so a stream in
 * which nothing happens would never end: the signal ends the reading itself.
 */
async function* readAll<Chunk>(stream: ReadableStream<Chunk>, signal: AbortSignal | undefined): AsyncGenerator<Chunk, void> {
  const reader = stream.getReader();
  // When the caller stops early, so does the request. What a broken one says to it is known already.
  const stop = () => reader.cancel().catch(() => {});
  signal?.addEventListener("abort", stop);
  if (signal?.aborted) await stop();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
    signal?.throwIfAborted();
  } finally {
    signal?.removeEventListener("abort", stop);
    await stop();
  }
}

class Attempts {
  readonly #signal: AbortSignal | undefined;
  #failed = 0;

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
  }

  succeed(): void {
    this.#failed = 0;
  }

  /** Waits before the next one. @throws {unknown} the error, if there is to be none */
  async fail(error: unknown): Promise<void> {
    const isFinal = error instanceof ApiError && error.status !== 0 && error.status !== 429 && error.status < 500;
    if (isFinal || this.#signal?.aborted || ++this.#failed >= mostAttempts) throw error;
    await new Promise((resolve) => setTimeout(resolve, pauseMs * (this.#failed - 1)));
  }
}
