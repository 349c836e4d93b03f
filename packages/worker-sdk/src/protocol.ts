/** The requests that a worker sends to the service: docs/external-workers.md describes them for any language. */

export interface AttemptName {
  id: string;
  attempt: number;
}

export interface Claim extends AttemptName {
  task: string;
  name: string;
  runId: string;
  params: Record<string, unknown>;
  deadline: string | null;
  losses: number;
  traceparent?: string;
}

export interface Outcome extends AttemptName {
  status: "succeeded" | "failed" | "released";
  results?: Record<string, unknown>;
  message?: string;
  retry?: boolean;
  fault?: boolean;
  lines?: string[];
}

export interface ProtocolOptions {
  url: string;
  team: string;
  token: string;
}

/** A response that is not a success. */
export class ServiceError extends Error {
  override name = "ServiceError";
  readonly status: number;
  /** How many seconds the service asks to wait. */
  readonly retryAfter: number | undefined;

  constructor(status: number, message: string, retryAfter?: number) {
    super(message);
    this.status = status;
    this.retryAfter = retryAfter;
  }

  /** The same request may succeed later. */
  get isTemporary(): boolean {
    return this.status >= 500 || this.status === 429 || this.status === 408;
  }
}

export class Protocol {
  readonly #base: string;
  readonly #token: string;

  constructor({ url, team, token }: ProtocolOptions) {
    this.#base = `${url.replace(/\/+$/, "")}/api/v2/team/${encodeURIComponent(team)}/external`;
    this.#token = token;
  }

  /** @param abort cancels the request */
  claim(body: object, abort: AbortController): Promise<{ worker: string; leaseSeconds?: number; attempts: Claim[]; warnings?: string[] }> {
    return this.#post("claim", body, abort);
  }

  heartbeat(body: object, abort: AbortController): Promise<{ leaseSeconds: number; ended: (AttemptName & { status?: string })[] }> {
    return this.#post("heartbeat", body, abort);
  }

  log(body: object): Promise<{ attempts: (AttemptName & { stored: boolean })[] }> {
    return this.#post("log", body);
  }

  complete(body: object): Promise<{ completed: (AttemptName & { recorded: boolean; status?: string })[]; claimed: Claim[] }> {
    return this.#post("complete", body);
  }

  leave(body: object): Promise<undefined> {
    return this.#post("leave", body);
  }

  /** A request without a response is cancelled after a while, and then made again. */
  async #post<T>(what: string, body: object, abort = new AbortController()): Promise<T> {
    const timer = setTimeout(() => abort.abort(new Error(`no answer within ${timeoutMs / 1000} s`)), timeoutMs);
    try {
      const response = await fetch(`${this.#base}/${what}`, {
        method: "POST",
        headers: { authorization: `Bearer ${this.#token}`, "content-type": "application/json" },
        body: JSON.stringify(body),
        signal: abort.signal,
      });
      return await read<T>(response);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Longer than any request may wait. */
const timeoutMs = 60_000;

async function read<T>(response: Response): Promise<T> {
  const text = await response.text();
  if (response.ok) return (text === "" ? undefined : JSON.parse(text)) as T;
  throw new ServiceError(response.status, messageOf(text), Number(response.headers.get("retry-after")) || undefined);
}

function messageOf(text: string): string {
  try {
    return (JSON.parse(text) as { message?: string }).message ?? text;
  } catch {
    return text.slice(0, 500);
  }
}
