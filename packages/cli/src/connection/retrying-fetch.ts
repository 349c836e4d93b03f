/**
 * Repeats requests that can be repeated safely: reads, and requests with an idempotency key. All others are sent once. Rejected requests
 * are not repeated, except after too many requests (429).
 */
const pausesMs = [200, 500, 1_000];
const longestPauseMs = 10_000;
const passing = new Set([429, 502, 503, 504]);

export async function retryingFetch(request: Request): Promise<Response> {
  const pauses = request.method === "GET" || request.headers.has("idempotency-key") ? pausesMs : [];
  for (const pauseMs of pauses) {
    const wantedMs = await fetch(request.clone()).then(
      async (answer) => (isPassing(answer) ? await waitOf(answer) : answer),
      () => (request.signal.aborted ? longestPauseMs + 1 : 0),
    );
    if (typeof wantedMs !== "number") return wantedMs;
    if (wantedMs > longestPauseMs) break;
    await new Promise((resolve) => setTimeout(resolve, Math.max(pauseMs, wantedMs)));
  }
  return fetch(request);
}

/** A quota that isn't freed by waiting leads to a 429 without `retry-after`. */
function isPassing({ status, headers }: Response): boolean {
  return passing.has(status) && (status !== 429 || headers.has("retry-after"));
}

/** Milliseconds. */
async function waitOf({ headers, body }: Response): Promise<number> {
  await body?.cancel();
  return Number(headers.get("retry-after") ?? 0) * 1_000 || 0;
}
