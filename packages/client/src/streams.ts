import { EventSourceParserStream } from "eventsource-parser/stream";
import { ApiError } from "./api-error.ts";

/**
 * Streamed responses: the log of a task run, and the changes in a team. A broken connection is reopened; a log continues at the same line.
 * After several consecutive attempts without data, the last error is thrown.
 */

export interface LogOptions {
  /** Whether to continue until the task run ends (default), or to stop after the existing lines. */
  follow?: boolean;
  /** Whether to start each line with its time. */
  timestamps?: boolean;
  /** Starts with the last lines, of this number. */
  tail?: number;
  signal?: AbortSignal;
}

/** What changed: reload what you show of it. `reset` means that changes may have been missed, so reload everything. */
export interface Change {
  /** `workflowrun`, `workflow`, `schedule`, `task`, `action`, `team`, `subscription`, `delivery` or `reset`. */
  kind: string;
  id?: string;
  /** The status, for a run. */
  status?: string;
  phase?: string;
}

/** Sends the request; an error response is thrown as ApiError. */
type Open<Query> = (query: Query, signal: AbortSignal | undefined) => Promise<Response>;
export type LogQuery = Pick<LogOptions, "follow" | "timestamps" | "tail"> & { fromLine?: number };

const mostAttempts = 5;
/** The pause between attempts. There is none before the first: a proxy may just have closed a connection that was open for too long. */
const pauseMs = 500;

/** The lines without their line ends. */
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

/** Yields only complete lines: a line that was cut off is sent again. */
async function* linesOf(response: Response, signal: AbortSignal | undefined): AsyncGenerator<string, void> {
  let rest = "";
  for await (const text of readAll(textOf(response), signal)) {
    const lines = (rest + text).split("\n");
    rest = lines.pop()!;
    yield* lines;
  }
  if (rest !== "") yield rest;
}

/** Ends when the signal aborts. If the service ends the stream for good, reopening it fails with an error. */
export async function* readChanges(open: Open<undefined>, signal?: AbortSignal): AsyncGenerator<Change, void> {
  for (const attempts = new Attempts(signal); ; ) {
    try {
      const response = await open(undefined, signal);
      // Everything that happens from here on is in the stream.
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
 * Not every browser can iterate over a stream. And Node ignores the signal of a request once the request was garbage-collected, so a stream
 * without data would never end: therefore the signal ends the reading itself.
 */
async function* readAll<Chunk>(stream: ReadableStream<Chunk>, signal: AbortSignal | undefined): AsyncGenerator<Chunk, void> {
  const reader = stream.getReader();
  // If the caller stops early, the request is cancelled too. Errors of a connection that is already broken are ignored.
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

  /** Waits before the next attempt. @throws {unknown} the error, if there are no further attempts */
  async fail(error: unknown): Promise<void> {
    const isFinal = error instanceof ApiError && error.status !== 0 && error.status !== 429 && error.status < 500;
    if (isFinal || this.#signal?.aborted || ++this.#failed >= mostAttempts) throw error;
    await new Promise((resolve) => setTimeout(resolve, pauseMs * (this.#failed - 1)));
  }
}
