/**
 * Whether lists or quotations of a Markdown text could be nested more than sixty deep: each level takes at least one mark or blank at the
 * beginning of a line. Parsers call themselves for each level. Some thousand levels fill their stack, and some hundred hold up a browser for
 * seconds, so such a text is shown as it is. Authors of workflows write these texts, and others have to read them.
 */
export function isDeepMarkdown(text: string): boolean {
  return /^(?:[ \t>]|[-+*][ \t]|\d{1,9}[.)][ \t]){61}/m.test(text);
}
