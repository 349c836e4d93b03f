/** The name that the service will make of what is typed: see docs/workflows.md. */
export function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\-\s']/gu, "")
    .replaceAll(/[\s']/g, "-")
    .replaceAll(/-+/g, "-");
}
