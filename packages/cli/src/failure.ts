import { ApiError } from "@millrace/client/api-error.ts";
import { plainText } from "./output/plain-text.ts";

/** docs/cli.md explains them. */
export const exitCodes = {
  done: 0,
  failed: 1,
  notUnderstood: 2,
  notAllowed: 3,
  notFound: 4,
  conflict: 5,
  unavailable: 6,
  cancelled: 7,
  stillOpen: 8,
  interrupted: 130,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Ends a command with a line on standard error: what is wrong, and what to do. */
export class Failure extends Error {
  readonly exitCode: ExitCode;
  readonly remedy: string | undefined;

  constructor(exitCode: ExitCode, message: string, remedy?: string) {
    super(message);
    this.exitCode = exitCode;
    this.remedy = remedy;
  }
}

/** `millrace: REASON. FIX`, followed by a line for each error in a document. Without escape sequences that a terminal would interpret. */
export function describeFailure(failure: Failure | ApiError): string {
  const { message, remedy } = failure instanceof Failure ? failure : { message: failure.message, remedy: remedyOf(failure) };
  const places = failure instanceof ApiError ? failure.errors.filter((place) => !message.includes(place.message)) : [];
  const sentence = remedy === undefined ? message : `${message.replace(/[.:]?$/, "")}. ${remedy}`;
  const requestId = failure instanceof ApiError && failure.status >= 500 && failure.requestId;
  const lines = [
    `millrace: ${sentence}`,
    ...places.map(({ path, message: says }) => `  ${path === "" ? "" : `${path}: `}${says}`),
    ...(requestId ? [`  request ID: ${requestId}`] : []),
  ];
  return lines.map((line) => `${maskTokens(plainText(line))}\n`).join("");
}

export function exitCodeOf(failure: Failure | ApiError): ExitCode {
  return failure instanceof Failure ? failure.exitCode : exitCodeOfStatus(failure);
}

function exitCodeOfStatus({ status, reason }: ApiError): ExitCode {
  if (status === 401 || status === 403) return exitCodes.notAllowed;
  if (status === 404 || status === 410) return exitCodes.notFound;
  if ([409, 412, 422, 423].includes(status) || reason === "QUOTA_EXCEEDED") return exitCodes.conflict;
  if (status === 429 || status === 0 || status >= 500 || status < 400) return exitCodes.unavailable;
  return exitCodes.notUnderstood;
}

function remedyOf({ status, reason, message }: ApiError): string | undefined {
  const [, missing] = /^There is no (run|team|workflow|schedule|subscription|action) \S+$/.exec(message) ?? [];
  if (missing !== undefined) return `List them with: millrace list ${missing}s`;
  if (status === 401) return "Sign in with: millrace login";
  if (reason === "NO_ANSWER") return "Check the address, and that the service runs";
  if (reason === "REDIRECTED") return "Sign in with: millrace login URL";
  if (reason === "UNKNOWN") return "Check that the address is that of Millrace, and not of something in between";
  if (status === 503 || reason === "TOO_MANY_REQUESTS") return "Try again";
  return undefined;
}

/** Hides credentials that may be part of a message for whatever reason. */
export function maskTokens(text: string): string {
  return text.replace(/\b(mr[a-z])_[\w-]{6,}/g, "$1_***");
}
