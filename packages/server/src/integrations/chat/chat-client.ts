import { setTimeout as pause } from "node:timers/promises";
import type { Logger, LogLevel, WebClient } from "@slack/web-api";
import type { PlatformFetch } from "../../base/network/platform-fetch.ts";
import { membersOf } from "../../base/text/json-text.ts";
import { RefusedAddress } from "../outbound/outbound-http.ts";
import { ChatError, refusedByChat } from "./chat-error.ts";

/**
 * Calls of the chat platform, by its own client library. The library is only loaded by the first call, so that an instance without chat
 * pays neither its memory nor its start-up time. It decides how arguments are encoded and when a broken connection is retried; the total
 * time limit is set here.
 */
export interface ChatAccess {
  /** URL of the platform's API, without a trailing slash. */
  apiUrl: string;
  /** Undefined if the call is authenticated in another way. */
  token?: string;
  fetch: PlatformFetch;
}

export interface ChatCallLimits {
  /** For one try, including the whole response. */
  timeoutMs?: number;
  /** Number of retries when the platform is unreachable. 0 for what must not happen twice. */
  retries?: number;
  /** How long to wait if the platform reports too many calls; a longer wait is left to the caller. */
  patienceMs?: number;
  signal?: AbortSignal | undefined;
}

const maxAnswerLength = 1_000_000;

/**
 * @param method the platform's name for it, such as `views.open`
 * @throws ChatError
 */
export async function callChat(
  access: ChatAccess,
  method: string,
  args: Readonly<Record<string, unknown>>,
  limits: ChatCallLimits = {},
): Promise<Readonly<Record<string, unknown>>> {
  const { patienceMs = 0, signal } = limits;
  try {
    return await callOnce(access, method, args, limits);
  } catch (error) {
    if (!(error instanceof ChatError) || error.kind !== "rate-limited" || (error.retryAfterMs ?? 1000) > patienceMs) throw error;
    await pause(error.retryAfterMs ?? 1000, undefined, { signal });
    return callOnce(access, method, args, limits);
  }
}

async function callOnce(
  access: ChatAccess,
  method: string,
  args: Readonly<Record<string, unknown>>,
  limits: ChatCallLimits,
): Promise<Readonly<Record<string, unknown>>> {
  const client = await createClient(access, limits);
  const answer = await client.apiCall(method, { ...args }).catch((error: unknown) => {
    throw toChatError(error);
  });
  return membersOf(answer);
}

async function createClient(
  { apiUrl, token, fetch }: ChatAccess,
  { timeoutMs = 5000, retries = 0, signal }: ChatCallLimits,
): Promise<WebClient> {
  const { WebClient } = await import("@slack/web-api");
  return new WebClient(token, {
    slackApiUrl: `${apiUrl}/`,
    allowAbsoluteUrls: false,
    logger: silence,
    retryConfig: { retries, minTimeout: 200, maxTimeout: 1000, randomize: true },
    rejectRateLimitedCalls: true,
    timeout: timeoutMs,
    fetch: (url, init) => fetchAnswer(fetch, String(url), init as RequestInit, signal),
  });
}

/** The library parses a response of any length as JSON, and reports an invalid one as a refusal of the platform. */
async function fetchAnswer(fetch: PlatformFetch, url: string, init: RequestInit, signal: AbortSignal | undefined): Promise<Response> {
  const signals = [init.signal, signal].filter((one) => one != null);
  const answer = await fetch(url, { ...init, redirect: "error", ...(signals.length > 0 && { signal: AbortSignal.any(signals) }) });
  const text = await readText(answer);
  if (answer.status === 200 && !isObjectText(text)) throw new Error("its answer is not a JSON object");
  return new Response(text, { status: answer.status, headers: answer.headers });
}

async function readText(answer: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of answer.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    if (text.length > maxAnswerLength) throw new Error(`its answer has more than ${maxAnswerLength} characters`);
  }
  return text + decoder.decode();
}

function isObjectText(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** The library's errors contain requests and responses; only their explanation is passed on. */
function toChatError(error: unknown): ChatError {
  const { code, data, retryAfter, statusCode } = (error ?? {}) as Record<string, unknown>;
  if (code === "slack_webapi_platform_error") return refusedByChat(membersOf(data));
  if (code === "slack_webapi_rate_limited_error") {
    const seconds = Math.max(0, Number(retryAfter) || 0);
    return new ChatError("rate-limited", `too many calls; try again in ${seconds} seconds`, { retryAfterMs: seconds * 1000 });
  }
  if (code === "slack_webapi_http_error") return new ChatError("unreachable", `it answered with status ${String(statusCode)}`);
  return new ChatError("unreachable", whyUnreachable((error as { original?: unknown })?.original ?? error));
}

function whyUnreachable(error: unknown): string {
  const { name, message, cause } = (error ?? {}) as { name?: string; message?: string; cause?: { code?: unknown } };
  if (name === "TimeoutError" || name === "AbortError") return "it did not respond in time";
  if (message?.startsWith("its answer")) return message;
  if (cause instanceof RefusedAddress) return `calling it is not allowed: ${cause.message}`;
  const code = typeof cause?.code === "string" ? ` (${cause.code})` : "";
  return `it can't be reached${code}`;
}

/** The library would log to standard error by itself; its callers log what is needed. */
const silence: Logger = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  setLevel() {},
  getLevel: () => "error" as LogLevel,
  setName() {},
};
