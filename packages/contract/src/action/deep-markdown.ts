/**
 * Whether lists or quotations of a Markdown text could be nested more than sixty deep: each level takes at least one mark or blank at the
 * beginning of a line. Parsers call themselves for each level. Some thousand levels fill their stack, and some hundred hold up a browser for
 * seconds, so such a text is shown as it is. Authors of workflows write these texts, and others have to read them.
 */
export function isDeepMarkdown(text: string): boolean {
  return /^(?:[ \t>]|[-+*][ \t]|\d{1,9}[.)][ \t]){61}/m.test(text);
}

/** Longer texts take a browser seconds, whatever is in them. In UTF-16 units. */
const maxLength = 50_000;

/**
 * Of one paragraph. Each mark may belong to any other one, so the time of a parser is quadratic: ten thousand hold up a browser for several
 * seconds. Two are one level of emphasis, and a page fails to render some thousand levels.
 */
const maxMarks = 500;

/** Whether a browser would take long to format a Markdown text, or fail to. */
export function isCostlyMarkdown(text: string): boolean {
  if (text.length > maxLength || isDeepMarkdown(text)) return true;
  return withoutCode(text)
    .split(/\n[ \t]*\n/)
    .some((paragraph) => (paragraph.match(/[*_~`[\]]/g)?.length ?? 0) > maxMarks);
}

/**
 * Marks in blocks of code mean nothing. Only fences that no reader takes for anything else count: where there may be HTML, or a fence that
 * is longer, of another kind, indented or in a list, nothing is left out.
 */
function withoutCode(text: string): string {
  const lines = text.split(/\r\n|\n|\r/);
  const isPlain = lines.every((line) => /^```(?!`)/.test(line) || !/```|~~~|^[ \t]*</.test(line));
  if (!isPlain) return lines.join("\n");
  let isCode = false;
  const kept = lines.filter((line) => {
    const isFence = isCode ? /^```[ \t]*$/.test(line) : /^```[^`]*$/.test(line);
    if (isFence) isCode = !isCode;
    return !isFence && !isCode;
  });
  return kept.join("\n");
}
