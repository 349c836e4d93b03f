/** What the API server said about a call, or that it could not be asked. */
export interface ClusterProblem {
  /** HTTP status; 0: there was no answer. */
  code: number;
  /** `AlreadyExists`, `Forbidden` …; empty when there was no answer. */
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

/** Whether the same call may succeed a moment later, without anyone doing something about it. */
export function isPassing({ code }: ClusterProblem): boolean {
  return code === 0 || code === 429 || code >= 500;
}
