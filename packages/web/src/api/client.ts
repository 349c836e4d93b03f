import { ApiError, toApiError } from "@millrace/client/api-error.ts";
import type { paths } from "@millrace/client/schema.generated.ts";
import { QueryClient } from "@tanstack/react-query";
import createClient from "openapi-fetch";
import { t } from "../texts/frame.ts";
import { language } from "../texts/language.ts";
import { isSignedOut, recheckConnection, recheckSession } from "./connection.ts";

/**
 * For responses that grow with their content, such as a run with thousands of tasks: after a slow response, the next request is delayed, so
 * that polling is busy at most a fourth of the time. Small responses aren't delayed.
 */

const longestPauseMs = 5_000;
/** The pause, as a multiple of the duration of the last request. */
const restFactor = 3;

interface LastAnswer {
  endedAt: number;
  tookMs: number;
}

const last = new Map<string, LastAnswer>();

/** @param key identifies what is polled */
export async function paced<Answer>(key: string, ask: () => Promise<Answer>): Promise<Answer> {
  const before = last.get(key);
  const pause = before === undefined ? 0 : pauseBefore(before, Date.now());
  if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
  const startedAt = Date.now();
  const answer = await ask();
  last.set(key, { endedAt: Date.now(), tookMs: Date.now() - startedAt });
  return answer;
}

/** The remaining pause in milliseconds. A request that took less than a tenth of a second needs none. */
function pauseBefore({ endedAt, tookMs }: LastAnswer, nowMs: number): number {
  if (tookMs < 100) return 0;
  return Math.max(0, endedAt + Math.min(longestPauseMs, tookMs * restFactor) - nowMs);
}

/** A request that the server rejected would be rejected again; one that failed otherwise is retried three times. */
function isWorthRepeating(failures: number, error: unknown): boolean {
  return failures < 3 && !(error instanceof ApiError && error.status < 500 && error.status !== 429);
}

/**
 * The pages' cache of all server state. The stream of changes (`useChanges`) reports what changed; anything else is considered fresh for
 * half a minute.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 30_000, retry: isWorthRepeating, refetchOnWindowFocus: true },
    // Without a connection, an action fails at once instead of being performed at some later time.
    mutations: { networkMode: "always" },
  },
});

/**
 * The only way to the server: every call goes through this client, with the types of openapi.json. Requests go to the origin of the page,
 * and the browser adds the session cookie by itself.
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

/** The body of a successful response. @throws {ApiError} for everything else, including a missing response */
export async function call<Data>(request: Promise<Answer<Data>>): Promise<Data> {
  const { data, error, response } = await request.catch((cause: unknown) => {
    if (!(cause instanceof DOMException && cause.name === "AbortError")) recheckConnection();
    throw new ApiError(0, "NO_ANSWER", t("client.cantReachServerCheck"), String(cause));
  });
  if (isSignedOut(response.status)) recheckSession();
  if (!response.ok) throw await inOwnLanguage(toApiError(response, error, t("client.serverReturned", { status: String(response.status) })));
  return data as Data;
}

/** If the German texts can't be loaded, English is better than no message. */
async function inOwnLanguage(error: ApiError): Promise<ApiError> {
  const texts = language === "de" && (await import("./german-errors.ts").catch(() => undefined));
  return texts ? texts.errorInGerman(error) : error;
}

/** What a check of a workflow found, in the language of the page as far as it is known there. */
export async function problemsInOwnLanguage<Problem extends { message: string }>(problems: Problem[]): Promise<Problem[]> {
  const texts = language === "de" && (await import("./german-problems.ts").catch(() => undefined));
  return texts ? problems.map((problem) => ({ ...problem, message: texts.problemInGerman(problem.message) })) : problems;
}

/** Includes the ETag for a later `If-Match`. */
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
 * Resolves when the log has a line of that number, or when it is certain that it never will. The service holds the response until then, so
 * there is no need to poll. A proxy that buffers responses does no harm, since this one ends with the line.
 * @throws if the connection breaks or the signal aborts
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
