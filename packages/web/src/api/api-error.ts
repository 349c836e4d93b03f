/** The error as one sentence to show to people. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
