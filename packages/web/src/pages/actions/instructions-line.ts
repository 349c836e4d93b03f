/** Instructions are Markdown; of it the first line that says something, without its marks. */
export function instructionsLine(markdown: string | null | undefined): string {
  const line = (markdown ?? "").split("\n").find((one) => /[\p{L}\p{N}]/u.test(one)) ?? "";
  return line
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/^\s*(#+|[-*+]|\d+\.|>)\s+/, "")
    .replace(/[*_`]+/g, "")
    .trim();
}
