import { applyLimits } from "@millrace/contract/apply.ts";
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import { writeBoundedYaml } from "../document/write-yaml.ts";

/** How a document is shown: as YAML text, or a value that is written as YAML. Undefined: there is none. */
export type ShownDocument = string | Readonly<Record<string, unknown>> | undefined;

export interface DocumentDiff {
  diff?: string;
  isDiffCut?: boolean;
}

/** In characters of JSON: writing YAML and comparing hold up the process. Of all documents of a set together, and of one. */
const maxCompared = 1024 * 1024;
const maxDocument = 192 * 1024;
/** Lines that are added and removed; to find the least of many takes long. */
const maxEdits = 1_000;

/** Compares the documents of one set, until there is too much to compare. */
export class DocumentDiffs {
  #left = maxCompared;

  /** A unified diff; nothing where both look the same. */
  diff(name: string, before: ShownDocument, after: ShownDocument): DocumentDiff {
    const size = sizeOf(before) + sizeOf(after);
    if (size > Math.min(maxDocument, this.#left)) return { isDiffCut: true };
    this.#left -= size;
    const [old, present] = [textOf(before), textOf(after)];
    if (old === undefined || present === undefined) return { isDiffCut: true };
    if (old === present) return {};
    const patch = createTwoFilesPatch(
      before === undefined ? "/dev/null" : name,
      after === undefined ? "/dev/null" : name,
      old,
      present,
      "",
      "",
      {
        maxEditLength: maxEdits,
        context: 3,
        headerOptions: FILE_HEADERS_ONLY,
      },
    );
    // Then all of it is another, and its new form says more than which lines stayed.
    const text = patch ?? `+++ ${name}\n${present}`;
    const { diffLength } = applyLimits;
    return text.length <= diffLength ? { diff: text } : { diff: wholeCharacters(text.slice(0, diffLength)), isDiffCut: true };
  }
}

function sizeOf(document: ShownDocument): number {
  if (document === undefined) return 0;
  return typeof document === "string" ? document.length : JSON.stringify(document).length;
}

/** Undefined: to write it would take too long. */
function textOf(document: ShownDocument): string | undefined {
  if (document === undefined) return "";
  return typeof document === "string" ? document : writeBoundedYaml(document);
}

/** Without half of the last one. */
function wholeCharacters(text: string): string {
  return text.replace(/[\ud800-\udbff]$/, "");
}
