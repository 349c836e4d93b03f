import { ApiError, toApiError } from "@millrace/client/api-error.ts";
import type { paths } from "@millrace/client/schema.generated.ts";
import { QueryClient } from "@tanstack/react-query";
import createClient from "openapi-fetch";
import { t } from "../texts/frame.ts";
import { doubtConnection } from "./connection.ts";

/**
 * For answers that grow with what they show, such as a run of thousands of tasks: after one that took long to come, the next is
 * asked for later, so that watching takes a fourth of the time at most. What is small is not slowed down.
 */

const longestPauseMs = 5_000;
/** As many times as the answer took. */
const restFactor = 3;

interface LastAnswer {
  endedAt: number;
  tookMs: number;
}

const last = new Map<string, LastAnswer>();

/** @param key of the thing that is asked for again and again */
export async function paced<Answer>(key: string, ask: () => Promise<Answer>): Promise<Answer> {
  const before = last.get(key);
  const pause = before === undefined ? 0 : pauseBefore(before, Date.now());
  if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
  const startedAt = Date.now();
  const answer = await ask();
  last.set(key, { endedAt: Date.now(), tookMs: Date.now() - startedAt });
  return answer;
}

/** Milliseconds that are left of the rest. What took less than a tenth of a second needs none. */
function pauseBefore({ endedAt, tookMs }: LastAnswer, nowMs: number): number {
  if (tookMs < 100) return 0;
  return Math.max(0, endedAt + Math.min(longestPauseMs, tookMs * restFactor) - nowMs);
}

/** What the server refused will be refused again; what did not arrive is tried three times. */
function isWorthRepeating(failures: number, error: unknown): boolean {
  return failures < 3 && !(error instanceof ApiError && error.status < 500 && error.status !== 429);
}

/**
 * All state of the server that the pages hold. What changes is told by the stream of changes (`useChanges`); the rest is good
 * for half a minute.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 30_000, retry: isWorthRepeating, refetchOnWindowFocus: true },
    // What somebody presses is refused at once while there is no connection, instead of being done at some time later.
    mutations: { networkMode: "always" },
  },
});

/**
 * The whole way to the server: every call goes through here, with the types of openapi.json. Requests go to the origin that served
 * the page; the browser adds the session's cookie by itself.
 */
export const api = createClient<paths>({
  baseUrl: "/",
  credentials: "same-origin",
  querySerializer: { array: { style: "form", explode: false } },
});

interface Answer<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

/** The body of a success. @throws {ApiError} for everything else, without an answer too */
export async function call<Data>(request: Promise<Answer<Data>>): Promise<Data> {
  const { data, error, response } = await request.catch((cause: unknown) => {
    if (!(cause instanceof DOMException && cause.name === "AbortError")) doubtConnection();
    throw new ApiError(0, "NO_ANSWER", t("client.cantReachServerCheck"), String(cause));
  });
  if (response.status === 401) doubtConnection();
  if (!response.ok) throw toApiError(response, error, t("client.serverReturned", { status: String(response.status) }));
  return data as Data;
}

/** With the ETag for a later `If-Match`. */
export async function callWithTag<Data>(request: Promise<Answer<Data>>): Promise<{ data: Data; etag: string | undefined }> {
  let etag: string | undefined;
  const data = await call(
    request.then((answer) => {
      etag = answer.response.headers.get("etag") ?? undefined;
      return answer;
    }),
  );
  return { data, etag };
}

/**
 * Resolves when the log has a line of that number, or will have none any more: the service holds the answer until then, so nobody
 * asks again and again. A proxy that gathers answers does no harm, since this one ends with the line. @throws when it is cut off,
 * or given up by the signal
 */
export async function waitForLine(taskRun: string, line: number, signal: AbortSignal): Promise<void> {
  const params = { path: { taskRunId: taskRun }, query: { fromLine: line, limit: 1 } };
  await call(api.GET("/api/v2/taskrun/{taskRunId}/log", { params, headers: { accept: "text/plain" }, parseAs: "text", signal }));
}

/**
 * Reads a log on from that line as it grows, in one request, until the task run is over. A line that was cut off is not given: ask
 * again from its number. @throws when the connection is cut off, or given up by the signal
 */
export async function streamLines<Line>(taskRun: string, line: number, signal: AbortSignal, take: (lines: Line[]) => void): Promise<void> {
  const params = { path: { taskRunId: taskRun }, query: { fromLine: line } };
  const headers = { accept: "application/x-ndjson" };
  const body = await call(api.GET("/api/v2/taskrun/{taskRunId}/log", { params, headers, parseAs: "stream", signal }));
  const reader = (body as ReadableStream<Uint8Array>)
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader();
  for (let rest = ""; ; ) {
    const { done, value } = await reader.read();
    if (done) return;
    const texts = (rest + value).split("\n");
    rest = texts.pop() ?? "";
    if (texts.length > 0) take(texts.map((text): Line => JSON.parse(text)));
  }
}

/**
 * What is shown of a list while another page or search of it is loaded: what was there before, but never that of another team.
 * For `placeholderData`. @param place of the list: the team, or what stands for it in the query's key
 */
export const keptPageOf =
  (place: string) =>
  <Data>(previous: Data | undefined, query: { queryKey: readonly unknown[] } | undefined): Data | undefined =>
    query?.queryKey[1] === place ? previous : undefined;
