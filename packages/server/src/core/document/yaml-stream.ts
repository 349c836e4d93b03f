import { YamlError } from "./yaml-tree.ts";

/** A document of a longer text, unchanged. */
export interface YamlPart {
  text: string;
  /** The number of its first line in the whole text. */
  firstLine: number;
}

/** `---` at the beginning of a line is always a boundary (YAML 1.2, 9.1.2), whatever the context. */
const boundary = /^---(?=[ \t\r\n]|$)/gm;
/** A boundary with nothing else on its line but a comment. */
const alone = /^---[ \t]*(?:#.*)?\r?$/;
/** A line that is not blank, a comment or a directive. */
const content = /^[ \t]*[^ \t\r\n#%]/m;

/**
 * The documents of a stream as separate texts, so that one with errors does not hide the others. Parts without content are left out;
 * directives belong to the document that follows. A part contains several documents if one ends with `...` and the next does not begin with
 * `---`.
 *
 * @param most the number of parts that the caller wants; if there are more, a few more are returned
 * @throws YamlError if there are far more boundaries than that
 */
export function splitYamlStream(text: string, most: number): YamlPart[] {
  const parts: YamlPart[] = [];
  let from = 0;
  let line = 1;
  const end = (to: number) => {
    const part = text.slice(from, to);
    const hasContent = content.test(part);
    if (!hasContent && /^%/m.test(part)) return;
    if (hasContent) parts.push({ text: part, firstLine: line });
    line += countLines(part);
    from = to;
  };
  let boundaries = 0;
  for (const { index } of text.matchAll(boundary)) {
    const message = `the text has more than ${most * 10} lines that begin with ---`;
    if (++boundaries > most * 10) throw new YamlError([{ line: 0, column: 0, message }]);
    end(index);
    if (parts.length > most) return parts;
    const next = lineAfter(text, index);
    if (from !== index || !alone.test(text.slice(index, next).trimEnd())) continue;
    from = next;
    line++;
  }
  end(text.length);
  return parts;
}

function lineAfter(text: string, index: number): number {
  const end = text.indexOf("\n", index);
  return end < 0 ? text.length : end + 1;
}

function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
