import { STATUS_CODES } from "node:http";
import type { ErrorBody } from "@millrace/contract/error-body.ts";
import { AppError, type ErrorDetail } from "../../base/error/app-error.ts";
import type { OutageState } from "../../store/database/database-outage.ts";

/** `404 NOT_FOUND`: how the published interface writes a status. */
export function statusText(status: number): string {
  const name = (STATUS_CODES[status] ?? "UNKNOWN").toUpperCase().replace(/[^A-Z]+/g, "_");
  return `${status} ${name}`;
}

const maxDetails = 50;

export function errorBody(error: AppError, requestId: string): ErrorBody {
  const body: ErrorBody = {
    timestamp: new Date().toISOString(),
    code: error.code,
    reason: error.reason,
    message: error.message,
    status: statusText(error.status),
    cause: null,
    requestId,
  };
  if (error.details !== undefined && error.details.length > 0) body.errors = error.details.slice(0, maxDetails);
  return body;
}

export function errorHeaders(error: AppError): Record<string, string> {
  const headers: Record<string, string> = {};
  if (error.status === 401) headers["www-authenticate"] = 'Bearer realm="millrace"';
  if (error.retryAfterSeconds !== undefined) headers["retry-after"] = String(Math.ceil(error.retryAfterSeconds));
  return headers;
}

/**
 * The error response for anything that was thrown. An error that isn't an AppError, and that the caller can't have caused, is INTERNAL.
 * @param outage of the database, if the error is part of one
 */
export function toAppError(thrown: unknown, outage?: OutageState): AppError {
  if (thrown instanceof AppError) return thrown;
  if (outage?.kind === "full") return new AppError("DATABASE_FULL", [], { retryAfterSeconds: 30, cause: thrown });
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const code = "code" in error ? String(error.code) : "";
  if (outage !== undefined) return new AppError("NOT_READY", [`${outage.text}; try again`], { retryAfterSeconds: 1, cause: thrown });
  return fromFramework(code, error) ?? fromDatabase(code, error) ?? new AppError("INTERNAL", [], { cause: error });
}

function fromFramework(code: string, cause: Error): AppError | undefined {
  switch (code) {
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
    case "FST_ERR_CTP_INVALID_TYPE":
    case "FST_ERR_CTP_EMPTY_TYPE":
      return new AppError("UNSUPPORTED_MEDIA_TYPE", ["of the header", "application/json"], { cause });
    case "FST_ERR_BAD_URL":
      return new AppError("BAD_REQUEST", ["the path is not valid percent-encoded UTF-8"], { cause });
    case "FST_ERR_MAX_PARAM_LENGTH":
      return new AppError("NOT_FOUND", ["object with such a long name"], { cause });
    case "ECONNRESET":
      // An error with a system call comes from our own connection to the database.
      if ("syscall" in cause) return undefined;
      return new AppError("BAD_REQUEST", ["the connection was closed before the whole request was read"], { cause });
    case "ABORT_ERR":
      return new AppError("BAD_REQUEST", ["the connection was closed before the whole request was read"], { cause });
    default:
      return fromOtherFrameworkRule(code, cause);
  }
}

/** An error of the framework about the request, without a reason of its own in our interface. Any 4xx is about the request. */
function fromOtherFrameworkRule(code: string, cause: Error): AppError | undefined {
  const status = (cause as { statusCode?: unknown }).statusCode;
  if (!code.startsWith("FST_ERR_") || typeof status !== "number" || status < 400 || status >= 500) return undefined;
  return new AppError("BAD_REQUEST", [cause.message], { cause });
}

/** SQLSTATEs (PostgreSQL, appendix A) and connection errors that a request can cause without a fault of ours. */
function fromDatabase(code: string, cause: Error): AppError | undefined {
  if (databaseSays[code] !== undefined) return new AppError("BAD_REQUEST", [databaseSays[code]], { cause });
  if (code === "23505" || code === "23503") return new AppError("CONFLICT", [conflictText(cause)], { cause });
  const isTransient =
    /^(?:40001|40P01|57014|57P0[1-5]|53\d{3}|08[0-9A-Z]{3}|55P03|25P03|CONNECT\w*|CONNECTION_\w+|ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|ETIMEDOUT)$/;
  if (!isTransient.test(code)) return undefined;
  return new AppError("NOT_READY", ["the database did not respond in time; try again"], { retryAfterSeconds: 1, cause });
}

/**
 * A constraint refuses only what another request has changed since this one checked it. The server names the key and the table:
 * `Key (team_id, user_id)=(…, …) is not present in table "app_user".`
 */
function conflictText(cause: Error): string {
  const [, key = "", what, table = ""] =
    /=\((.*)\) (already exists|is not present in table "(\w+)"|is still referenced from table "\w+")/s.exec(
      String((cause as { detail?: unknown }).detail),
    ) ?? [];
  const id = key.split(", ").at(-1);
  if (what === undefined) return "The request conflicts with an object that has just been created or deleted; try again";
  if (what === "already exists") return `Another request has just created the same object (${id}); read it, and try again if needed`;
  const noun = (table === "app_user" ? "user" : table).replaceAll("_", " ");
  if (table !== "") return `The ${noun} ${id} has just been deleted; leave it out, or create it again`;
  return `Another request has just begun to use ${id}; try again`;
}

const databaseSays: Record<string, string> = {
  "22001": "a text is too long",
  "22003": "a number is out of range",
  "22007": "a date is malformed",
  "22008": "a date is out of range",
  "22009": "a date is out of range",
  "22021": "a text contains a character that can't be stored",
  "22P02": "a value has the wrong form",
  "22P05": "a text contains a character that can't be stored",
  "22030": "a member appears twice in one object",
  "22032": "the JSON can't be stored",
  "54000": "a value is too large",
  "54001": "a value is nested too deeply",
};

export function validationError(details: ErrorDetail[], where: string): AppError {
  const first = details[0];
  const more = details.length > 1 ? ` (and ${details.length - 1} more, see errors)` : "";
  const text = first === undefined ? where : `${where} ${first.path === "" ? "" : `${first.path} `}${first.message}${more}`;
  return new AppError("VALIDATION_FAILED", [text], { details });
}
