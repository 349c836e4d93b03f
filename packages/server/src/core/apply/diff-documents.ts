import { applyLimits } from "@millrace/contract/apply.ts";
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import { writeBoundedYaml } from "../document/write-yaml.ts";

/** A document for a diff: YAML text, or a value that is written as YAML. Undefined: it does not exist. */
export type ShownDocument = string | Readonly<Record<string, unknown>> | undefined;

export interface DocumentDiff {
  diff?: string;
  isDiffCut?: boolean;
}

/** Limits in characters of JSON, for all documents of a set together and for one: writing YAML and comparing it block the process. */
const maxCompared = 1024 * 1024;
const maxDocument = 192 * 1024;
/** The most added and removed lines; finding the smallest set of many changes takes long. */
const maxEdits = 1_000;

/** Compares the documents of one set, up to a total limit. */
export class DocumentDiffs {
  #left = maxCompared;

  /** A unified diff; empty if both look the same. */
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
    // There are too many changes for a diff, so the new document is shown instead.
    const text = patch ?? `+++ ${name}\n${present}`;
    const { diffLength } = applyLimits;
    return text.length <= diffLength ? { diff: text } : { diff: wholeCharacters(text.slice(0, diffLength)), isDiffCut: true };
  }
}

function sizeOf(document: ShownDocument): number {
  if (document === undefined) return 0;
  return typeof document === "string" ? document.length : JSON.stringify(document).length;
}

/** Undefined: writing it would take too long. */
function textOf(document: ShownDocument): string | undefined {
  if (document === undefined) return "";
  return typeof document === "string" ? document : writeBoundedYaml(document);
}

/** Without half of a surrogate pair at its end. */
function wholeCharacters(text: string): string {
  return text.replace(/[\ud800-\udbff]$/, "");
}
