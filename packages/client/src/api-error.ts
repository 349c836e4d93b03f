/** An error response of the API (docs/errors.md), or a request without a response: `status` is then 0, and `reason` is `NO_ANSWER`. */
export class ApiError extends Error {
  /** The HTTP status. */
  readonly status: number;
  /** A stable identifier for programs, e.g. `WORKFLOW_INVALID_REF`. */
  readonly reason: string;
  /** Identifies the request in the log of the service. */
  readonly requestId: string | undefined;
  /** The invalid places of the request: JSON pointers into the body, e.g. `/params/0/value`. */
  readonly errors: readonly { path: string; message: string }[];
  /** A number that groups reasons; 0 if the response had none. */
  readonly code: number;

  constructor(
    status: number,
    reason: string,
    message: string,
    requestId?: string,
    errors: ApiError["errors"] = [],
    more: { code?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause });
    this.name = "ApiError";
    this.status = status;
    this.reason = reason;
    this.requestId = requestId;
    this.errors = errors;
    this.code = more.code ?? 0;
  }
}

/**
 * @param body the parsed body, or its text if it isn't JSON, e.g. from a proxy
 * @param fallback the message to use if the response has none
 */
export function toApiError({ status, headers }: Response, body: unknown, fallback: string): ApiError {
  // The response may come from anything at that address, so each member is checked.
  const said = (typeof body === "object" && body !== null ? body : {}) as Partial<Record<string, unknown>>;
  const textOf = (value: unknown, otherwise: string) => (typeof value === "string" ? value : otherwise);
  const requestId = headers.get("x-request-id") ?? undefined;
  const code = typeof said.code === "number" ? said.code : undefined;
  const errors = Array.isArray(said.errors) ? said.errors.filter(isPlace) : [];
  return new ApiError(status, textOf(said.reason, "UNKNOWN"), textOf(said.message, fallback), requestId, errors, { code });
}

function isPlace(value: unknown): value is ApiError["errors"][number] {
  const { path, message } = (value ?? {}) as { path?: unknown; message?: unknown };
  return typeof path === "string" && typeof message === "string";
}
