import { AppError } from "../../base/error/app-error.ts";

/**
 * What came of a call to the codehost that did not go well. `key`, `app`, `address`, `installation` and `permission` are for people to fix;
 * `limited` and `unavailable` pass by themselves; `refused` is an answer that the caller has to understand (a 422, say).
 */
type CodehostFault = "key" | "app" | "address" | "installation" | "permission" | "limited" | "unavailable" | "refused";

interface More {
  /** Of the platform's answer, when there was one. */
  httpStatus?: number | undefined;
  retryAfterMs?: number | undefined;
  cause?: unknown;
}

/** Its message names what to fix. It never holds a key or a token, and of the platform's words only the first ones. */
export class CodehostError extends AppError {
  readonly fault: CodehostFault;
  readonly httpStatus: number | undefined;
  /** After which another try makes sense. */
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

  /** Another try later may go well without anyone doing anything; a host that can't be reached may be only away. */
  get isPassing(): boolean {
    return this.fault === "limited" || this.fault === "unavailable" || this.fault === "address";
  }
}

/** One request to the codehost. */
export interface CodehostCall {
  /** `GET /app/installations/{installation_id}` */
  route: string;
  parameters?: Record<string, unknown>;
  /** Doing it twice does no harm: it is tried again after a broken connection or a 5xx. */
  isRepeatable: boolean;
  /** What the answer 404 means: the installation is gone, or something else is not there. */
  notFound: "installation" | "other";
  signal?: AbortSignal | undefined;
}
