/** The API server's response to a failed call, or why there was none. */
export interface ClusterProblem {
  /** HTTP status; 0 without a response. */
  code: number;
  /** `AlreadyExists`, `Forbidden` …; empty without a response. */
  reason: string;
  message: string;
}

export function clusterProblem(error: unknown): ClusterProblem {
  const { code, body, message } = (error ?? {}) as { code?: unknown; body?: unknown; message?: unknown };
  if (typeof code !== "number") return { code: 0, reason: "", message: String(message ?? error) };
  const status = readStatus(body);
  return { code, reason: status?.reason ?? "", message: status?.message ?? `HTTP ${code}` };
}

function readStatus(body: unknown): { reason?: string; message?: string } | undefined {
  if (typeof body !== "string") return body as { reason?: string; message?: string } | undefined;
  try {
    return JSON.parse(body) as { reason?: string; message?: string };
  } catch {
    return undefined;
  }
}

/** Whether a retry may succeed a moment later, without anyone intervening. */
export function isPassing({ code }: ClusterProblem): boolean {
  return code === 0 || code === 429 || code >= 500;
}
