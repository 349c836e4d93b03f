import { membersOf } from "../../base/text/json-text.ts";
import { shorten } from "../../base/text/shorten.ts";
import { RefusedAddress } from "../outbound/outbound-http.ts";
import { type CodehostCall, CodehostError } from "./codehost-error.ts";

/** The inspected part of the library's error: it contains the request with its credentials, so it is not passed on from here. */
interface Failure {
  status: number;
  message: string;
  response: { headers: Readonly<Record<string, unknown>>; url: string } | undefined;
  cause: unknown;
}

/** What a failed call means, and who can fix it. The library's error is not kept as the cause: it contains the request's credential. */
export function toCodehostError(error: unknown, call: Pick<CodehostCall, "notFound" | "parameters">): CodehostError {
  if (error instanceof CodehostError) return error;
  const { cause } = membersOf(error);
  if (cause instanceof CodehostError) return cause;
  const failure = failureOf(error);
  if (failure.response === undefined) return unreachable(failure);
  const { status } = failure;
  const limited = limitOf(failure);
  if (limited) return limited;
  if (isAppUnknown(failure))
    return new CodehostError("app", "it knows no app of this id; check the setting codehost.appId", { httpStatus: status });
  if (status === 401) return notSignedIn(failure);
  if (status === 403) return forbidden(failure);
  if (status === 404) return notFound(call);
  if (status >= 500) return new CodehostError("unavailable", `it answered with status ${status}; try again later`, { httpStatus: status });
  return new CodehostError("refused", `it answered with status ${status} (${wordsOf(failure)})`, { httpStatus: status });
}

function failureOf(error: unknown): Failure {
  const { status, message, response, cause } = error as Partial<Failure>;
  return {
    status: typeof status === "number" ? status : 0,
    message: typeof message === "string" ? message : String(error),
    response,
    cause,
  };
}

/** There was no response at all. */
function unreachable(failure: Failure): CodehostError {
  let inner: unknown = failure.cause;
  while (inner instanceof Error && inner.cause instanceof Error) inner = inner.cause;
  if (inner instanceof RefusedAddress) return new CodehostError("address", `calling it is not allowed: ${inner.message}`);
  const { code, name } = membersOfError(inner);
  if (name === "TimeoutError" || name === "AbortError")
    return new CodehostError("unavailable", "it did not answer in time; try again later");
  if (fixable.has(String(code))) {
    return new CodehostError(
      "address",
      `its host can't be reached (${code}); check the setting codehost.baseURL, and whether this machine can reach it`,
    );
  }
  return new CodehostError("unavailable", `the connection to it failed${typeof code === "string" ? ` (${code})` : ""}; try again later`);
}

const fixable = new Set([
  "ENOTFOUND",
  "EAI_AGAIN",
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "CERT_HAS_EXPIRED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "ERR_TLS_CERT_ALTNAME_INVALID",
]);

function membersOfError(error: unknown): { code: unknown; name: unknown } {
  return { code: (error as { code?: unknown } | undefined)?.code, name: (error as { name?: unknown } | undefined)?.name };
}

/** Rate limits: 429, or 403 with a `Retry-After`, with nothing left, or with a message about a secondary limit. */
function limitOf({ status, message, response }: Failure): CodehostError | undefined {
  if (status !== 429 && status !== 403) return undefined;
  const headers = response?.headers ?? {};
  const isLimit =
    status === 429 || headers["retry-after"] !== undefined || headers["x-ratelimit-remaining"] === "0" || /secondary rate/i.test(message);
  if (!isLimit) return undefined;
  const retryAfterMs = pauseOf(headers);
  const seconds = Math.ceil(retryAfterMs / 1000);
  return new CodehostError("limited", `its rate limit is reached; it accepts requests again in ${seconds} seconds`, {
    httpStatus: status,
    retryAfterMs,
  });
}

const longestPauseMs = 3_600_000;
/** The default pause if the platform gives none: a minute. */
const usualPauseMs = 60_000;

/** From `Retry-After` in seconds, or until `X-RateLimit-Reset` by the platform's own clock. */
function pauseOf(headers: Readonly<Record<string, unknown>>): number {
  const after = numberOf(headers["retry-after"]);
  if (after !== undefined) return Math.min(after * 1000, longestPauseMs);
  const reset = numberOf(headers["x-ratelimit-reset"]);
  const now = Date.parse(String(headers["date"]));
  if (reset === undefined || Number.isNaN(now)) return usualPauseMs;
  return Math.min(Math.max(reset * 1000 - now, 0) + 1000, longestPauseMs);
}

function numberOf(value: unknown): number | undefined {
  const text = String(value ?? "").trim();
  return /^\d{1,12}$/.test(text) ? Number(text) : undefined;
}

/** For an id without an app the response is a 404, for an invalid id a 401. */
function isAppUnknown({ status, message }: Failure): boolean {
  return (status === 404 && /integration not found/i.test(message)) || (status === 401 && /issuer|'iss'/i.test(message));
}

/** 401: the platform does not accept our credentials. Its message says which part. */
function notSignedIn(failure: Failure): CodehostError {
  const more = { httpStatus: 401 };
  if (/json web token|signature|decoded|'exp'|'iat'/i.test(failure.message)) {
    return new CodehostError(
      "key",
      `it rejects the app's signature (${wordsOf(failure)}); check that codehost.pem is a current key of the app in codehost.appId, and this machine's clock`,
      more,
    );
  }
  return new CodehostError("key", `it rejects the app's credential (${wordsOf(failure)}); check codehost.appId and codehost.pem`, more);
}

function forbidden(failure: Failure): CodehostError {
  const more = { httpStatus: 403 };
  if (/suspended/i.test(failure.message))
    return new CodehostError("installation", "the installation is suspended; its owner can resume it on the platform", more);
  return new CodehostError(
    "permission",
    `the app lacks a permission there (${wordsOf(failure)}); grant it to the app, and ask the installation's owner to accept it`,
    more,
  );
}

function notFound({ notFound: what, parameters }: Pick<CodehostCall, "notFound" | "parameters">): CodehostError {
  if (what === "installation") return unknownToCodehost(String(parameters?.["installation_id"] ?? ""));
  return new CodehostError("refused", "there is no such repository or commit, or the app can't access it", { httpStatus: 404 });
}

/** Also the response for an installation that the caller may not see. */
export function unknownToCodehost(ref: string): CodehostError {
  return new CodehostError(
    "installation",
    `it knows no installation ${ref} of this app; check the number, that the app is still installed, and the settings codehost.appId and codehost.baseURL`,
    { httpStatus: 404 },
  );
}

/** The start of the platform's message, without the URL of its documentation and without line breaks. */
function wordsOf({ message }: Failure): string {
  const words = message
    .split(" - http", 1)[0]!
    .replaceAll(/[\p{Cc}\s]+/gu, " ")
    .trim();
  return shorten(words, 120) || "no reason given";
}
