/** A refusal of the API (docs/errors.md), or a request that got no answer: `status` 0 then. */
export class ApiError extends Error {
  readonly status: number;
  /** Stable word to decide by, such as `WORKFLOW_INVALID_REF`. */
  readonly reason: string;
  readonly requestId: string | undefined;
  /** The places of the request that are wrong: JSON pointers into the body, such as `/params/0/value`. */
  readonly errors: readonly { path: string; message: string }[];

  constructor(status: number, reason: string, message: string, requestId?: string, errors: ApiError["errors"] = []) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.reason = reason;
    this.requestId = requestId;
    this.errors = errors;
  }
}

/** For people: what went wrong, as one sentence. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
