/** A refusal of the API (docs/errors.md), or a request that got no answer: `status` 0 then. */
export class ApiError extends Error {
  readonly status: number;
  /** Stable word to decide by, such as `WORKFLOW_INVALID_REF`. */
  readonly reason: string;
  readonly requestId: string | undefined;

  constructor(status: number, reason: string, message: string, requestId?: string) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.reason = reason;
    this.requestId = requestId;
  }
}

/** For people: what went wrong, as one sentence. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
