import { Document, isScalar, Scalar, type Tags, visit } from "yaml";
import { AppError } from "../../base/error/app-error.ts";

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

/** The library takes some microseconds for each value and each name, ten times as long as JSON does, and nobody else is served meanwhile. */
const maxNodes = 40_000;
export const maxYamlLength = 512 * 1024;

/**
 * For answers, which can be of any length.
 * @param characters of the same in JSON
 * @returns undefined: it would take too long
 */
export function writeBoundedYaml(value: unknown, characters = JSON.stringify(value).length): string | undefined {
  return characters <= maxYamlLength && hasFewNodes(value) ? writeYaml(value) : undefined;
}

/** @throws NOT_ACCEPTABLE where it would take too long */
export function answerYaml(value: unknown, characters?: number): string {
  const yaml = writeBoundedYaml(value, characters);
  if (yaml !== undefined) return yaml;
  const much = `more than ${maxYamlLength} characters or ${maxNodes} values and names`;
  throw new AppError("NOT_ACCEPTABLE", ["application/x-yaml", `application/json for an answer of ${much} (or ask for less, by page)`]);
}

/** Counts no further than it needs to. */
function hasFewNodes(value: unknown): boolean {
  let left = maxNodes;
  const count = (one: unknown): boolean => {
    if (--left < 0) return false;
    if (typeof one !== "object" || one === null) return true;
    const members = Object.values(one);
    if (!Array.isArray(one)) left -= members.length;
    return members.every(count);
  };
  return count(value);
}

/** That tag would write the text `<<` as a merge key, whatever quotes it wants. */
function withoutMerge(tags: Tags): Tags {
  return tags.filter((tag) => typeof tag === "string" || tag.tag !== "tag:yaml.org,2002:merge");
}

/** What some reader takes for a line end, or does not take at all, unless it is escaped in double quotes. */
const breakers = /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g;
/**
 * A block could not give these back, or would need a hint about its indent that not every reader knows. `<<` would merge, `=` is a tag of YAML 1.1,
 * and for some of its readers a plain text ends at a tab.
 */
const needsQuotes = /(?![\t\n])\p{Cc}|[\u2028\u2029\ufeff\ufffe\uffff]|^[\n\t ]|[\t ]$|^(?:<<|=)$|^[^\n]*\t[^\n]*$/u;

function quoteUnsafe(node: Scalar): void {
  if (isScalar(node) && typeof node.value === "string" && needsQuotes.test(node.value)) node.type = Scalar.QUOTE_DOUBLE;
}

function escapeBreaker(character: string): string {
  const code = character.charCodeAt(0).toString(16);
  return code.length === 2 ? `\\x${code}` : `\\u${code.padStart(4, "0")}`;
}
