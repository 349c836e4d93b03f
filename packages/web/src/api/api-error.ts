/** For people: what went wrong, as one sentence. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
