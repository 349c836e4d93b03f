import { Document, isScalar, Scalar, type Tags, visit } from "yaml";
import { AppError } from "../../base/error/app-error.ts";

/**
 * Writes a value as YAML that every reader reads as the same value: YAML 1.2, YAML 1.1, and Kubernetes. Texts that any of them would read
 * as something else (`on`, `0755`, `1e3`, `2001-01-01`) are quoted; texts with several lines are written as blocks where that is exact. The
 * same value always gives the same text.
 */
export function writeYaml(value: unknown): string {
  const document = new Document(value, { version: "1.1", compat: "core", customTags: withoutMerge, aliasDuplicateObjects: false });
  visit(document, { Scalar: (_key, node) => quoteUnsafe(node) });
  return document.toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER }).replace(breakers, escapeBreaker);
}

/** The library takes some microseconds for each value and each name, ten times as long as JSON, and blocks the process in the meantime. */
const maxNodes = 40_000;
export const maxYamlLength = 512 * 1024;

/**
 * For responses, which can have any length.
 * @param characters length of the value as JSON
 * @returns undefined: it would take too long
 */
export function writeBoundedYaml(value: unknown, characters = JSON.stringify(value).length): string | undefined {
  return characters <= maxYamlLength && hasFewNodes(value) ? writeYaml(value) : undefined;
}

/** @throws NOT_ACCEPTABLE if it would take too long */
export function answerYaml(value: unknown, characters?: number): string {
  const yaml = writeBoundedYaml(value, characters);
  if (yaml !== undefined) return yaml;
  const much = `more than ${maxYamlLength} characters or ${maxNodes} values and names`;
  throw new AppError("NOT_ACCEPTABLE", ["application/x-yaml", `application/json for an answer of ${much} (or ask for less, by page)`]);
}

/** Stops counting at the limit. */
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

/** This tag would write the text `<<` as a merge key, even with quotes requested. */
function withoutMerge(tags: Tags): Tags {
  return tags.filter((tag) => typeof tag === "string" || tag.tag !== "tag:yaml.org,2002:merge");
}

/** Characters that some readers treat as a line end, or refuse, unless they are escaped in double quotes. */
const breakers = /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g;
/**
 * Texts that a block could not reproduce, or only with an indentation indicator that not every reader supports. `<<` would merge, `=` is a
 * tag in YAML 1.1, and for some readers a plain text ends at a tab.
 */
const needsQuotes = /(?![\t\n])\p{Cc}|[\u2028\u2029\ufeff\ufffe\uffff]|^[\n\t ]|[\t ]$|^(?:<<|=)$|^[^\n]*\t[^\n]*$/u;

function quoteUnsafe(node: Scalar): void {
  if (isScalar(node) && typeof node.value === "string" && needsQuotes.test(node.value)) node.type = Scalar.QUOTE_DOUBLE;
}

function escapeBreaker(character: string): string {
  const code = character.charCodeAt(0).toString(16);
  return code.length === 2 ? `\\x${code}` : `\\u${code.padStart(4, "0")}`;
}
