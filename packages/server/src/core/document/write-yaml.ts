import { Document, isScalar, Scalar, type Tags, visit } from "yaml";

/**
 * From a value to YAML that every reader takes for the same value: one of YAML 1.2, one of 1.1, and Kubernetes. Texts that
 * any of them would take for something else (`on`, `0755`, `1e3`, `2001-01-01`) stand in quotes; texts of several lines are
 * written as blocks where that is exact. The same value always gives the same text.
 */
export function writeYaml(value: unknown): string {
  const document = new Document(value, { version: "1.1", compat: "core", customTags: withoutMerge, aliasDuplicateObjects: false });
  visit(document, { Scalar: (_key, node) => quoteUnsafe(node) });
  return document.toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER }).replace(breakers, escapeBreaker);
}

/** That tag would write the text `<<` as a merge key, whatever quotes it wants. */
function withoutMerge(tags: Tags): Tags {
  return tags.filter((tag) => typeof tag === "string" || tag.tag !== "tag:yaml.org,2002:merge");
}

/** What some reader takes for a line end, or does not take at all, unless it is escaped in double quotes. */
const breakers = /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g;
/** A block could not give these back, or would need a hint about its indent that not every reader knows. `<<` would merge. */
const needsQuotes = /(?![\t\n])\p{Cc}|[\u2028\u2029\ufeff\ufffe\uffff]|^[\n\t ]|[\t ]$|^<<$/u;

function quoteUnsafe(node: Scalar): void {
  if (isScalar(node) && typeof node.value === "string" && needsQuotes.test(node.value)) node.type = Scalar.QUOTE_DOUBLE;
}

function escapeBreaker(character: string): string {
  const code = character.charCodeAt(0).toString(16);
  return code.length === 2 ? `\\x${code}` : `\\u${code.padStart(4, "0")}`;
}
