import { QueryClient } from "@tanstack/react-query";
import { ApiError } from "./api-error.ts";

/** What the server refused will be refused again; what did not arrive is tried three times. */
function isWorthRepeating(failures: number, error: unknown): boolean {
  return failures < 3 && !(error instanceof ApiError && error.status < 500 && error.status !== 429);
}

/**
 * All state of the server that the pages hold. What changes is told by the stream of changes (`use-changes.ts`); the rest is good
 * for half a minute.
 */
export const queryClient = new QueryClient({
  defaultOptions: { queries: { staleTime: 30_000, retry: isWorthRepeating, refetchOnWindowFocus: true } },
});
