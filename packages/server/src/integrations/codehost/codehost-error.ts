import { AppError } from "../../base/error/app-error.ts";

/**
 * The kind of a failed call to the codehost. `key`, `app`, `address`, `installation` and `permission` have to be fixed by people; `limited`
 * and `unavailable` pass by themselves; `refused` is a response that the caller has to interpret (e.g. a 422).
 */
type CodehostFault = "key" | "app" | "address" | "installation" | "permission" | "limited" | "unavailable" | "refused";

interface More {
  /** HTTP status of the platform's response, if there was one. */
  httpStatus?: number | undefined;
  retryAfterMs?: number | undefined;
  cause?: unknown;
}

/** Its message names what to fix. It never contains a key or a token, and only the first words of the platform's message. */
export class CodehostError extends AppError {
  readonly fault: CodehostFault;
  readonly httpStatus: number | undefined;
  /** After this time a retry makes sense. */
  readonly retryAfterMs: number | undefined;

  constructor(fault: CodehostFault, sentence: string, more: More = {}) {
    const passes = fault === "limited" || fault === "unavailable" || fault === "refused";
    const seconds = more.retryAfterMs === undefined ? undefined : Math.max(1, Math.ceil(more.retryAfterMs / 1000));
    super(passes ? "INTEGRATION_FAILED" : "INTEGRATION_NOT_CONFIGURED", ["codehost", sentence], {
      ...(seconds !== undefined && { retryAfterSeconds: seconds }),
      cause: more.cause,
    });
    this.fault = fault;
    this.httpStatus = more.httpStatus;
    this.retryAfterMs = more.retryAfterMs;
  }

  /** A retry may succeed later without anyone intervening; an unreachable host may only be down temporarily. */
  get isPassing(): boolean {
    return this.fault === "limited" || this.fault === "unavailable" || this.fault === "address";
  }
}

/** One request to the codehost. */
export interface CodehostCall {
  /** `GET /app/installations/{installation_id}` */
  route: string;
  parameters?: Record<string, unknown>;
  /** Idempotent: it is retried after a broken connection or a 5xx. */
  isRepeatable: boolean;
  /** The meaning of a 404: the installation is gone, or something else does not exist. */
  notFound: "installation" | "other";
  signal?: AbortSignal | undefined;
}
