import { errors, type Reason } from "@millrace/contract/errors.ts";
import { shorten } from "../text/shorten.ts";

/** Values of the caller are quoted back, but only up to this length. */
const maxQuotedLength = 300;

/** A fault at one place of the input: its path, similar to a JSON pointer, and what is wrong with the remedy. */
export interface ErrorDetail {
  path: string;
  message: string;
}

/** An error that the caller can understand and act on. Anything else that is thrown is a bug and results in a 500. */
export class AppError extends Error {
  readonly reason: Reason;
  readonly code: number;
  readonly status: number;
  readonly details: ErrorDetail[] | undefined;
  /** Seconds after which a retry makes sense (429, 503). */
  readonly retryAfterSeconds: number | undefined;
  readonly values: readonly unknown[];

  /** @param values fill `{0}`, `{1}` … of the reason's text in contract/src/errors.ts */
  constructor(
    reason: Reason,
    values: readonly unknown[] = [],
    more: { details?: ErrorDetail[]; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    const entry = errors[reason];
    super(fill(entry.text, values), more.cause === undefined ? undefined : { cause: more.cause });
    this.name = "AppError";
    this.reason = reason;
    this.code = entry.code;
    this.status = entry.status;
    this.details = more.details;
    this.retryAfterSeconds = more.retryAfterSeconds;
    this.values = values;
  }

  /** The same with its place, if it has none yet. */
  at(path: string): AppError {
    return this.details ? this : new AppError(this.reason, this.values, { details: [{ path, message: this.message }] });
  }

  /** The same for one element of a list. */
  ofElement(index: number): AppError {
    const details = [{ path: String(index), message: this.message }];
    return new AppError(this.reason, this.values, {
      details,
      ...(this.retryAfterSeconds && { retryAfterSeconds: this.retryAfterSeconds }),
    });
  }
}

function fill(text: string, values: readonly unknown[]): string {
  return text.replace(/\{(\d)\}/g, (_, index: string) => shorten(String(values[Number(index)] ?? ""), maxQuotedLength));
}
