/** A refusal of the API (docs/errors.md), or a request that got no answer: `status` 0 then, and `reason` `NO_ANSWER`. */
export class ApiError extends Error {
  /** Of HTTP. */
  readonly status: number;
  /** Stable word to decide by, such as `WORKFLOW_INVALID_REF`. */
  readonly reason: string;
  /** Finds the request in the log of the service. */
  readonly requestId: string | undefined;
  /** The places of the request that are wrong: JSON pointers into the body, such as `/params/0/value`. */
  readonly errors: readonly { path: string; message: string }[];
  /** Number that groups reasons; 0 if the service said none. */
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
 * @param body parsed, or its text if it is no JSON, as from a proxy
 * @param fallback what to say if the service says nothing
 */
export function toApiError({ status, headers }: Response, body: unknown, fallback: string): ApiError {
  // It may come from anything that answers at that address, so each member is looked at.
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
