import { isMap } from "yaml";
import { changeYaml, pairsAt, readYaml, setYaml } from "../../../forms/task-form/yaml-edit.ts";

/** Annotations that the service itself writes into every document. */
const own = /^millrace\.dev\/(displayName|category|icon|type|status|version|verified|params)$/;

/** The document with its new version number after a save. A document that contains no version number is left unchanged. */
export function numbered(text: string, version: number): string {
  const path = ["metadata", "annotations", "millrace.dev/version"];
  const read = readYaml(text);
  return "document" in read && read.document.hasIn(path) ? setYaml(text, path, String(version)) : text;
}

/** Labels and annotations that are stored but missing in the draft: someone else has added them. */
export function annotationsLeft(draft: string, stored: string): string[] {
  return merged.flatMap((member) => goneOf(member, stored, draft));
}

/** The text to send. A save is merged into the stored document, so deleted labels and annotations are set to null. */
export function withRemovals(draft: string, before: string): string {
  return merged.reduce((text, member) => {
    const gone = goneOf(member, before, draft);
    if (gone.length === 0) return text;
    return changeYaml(text, (document) => {
      const place = ["metadata", member];
      if (!isMap(document.getIn(place))) document.deleteIn(place);
      for (const key of gone) document.setIn([...place, key], null);
    });
  }, draft);
}

const merged = ["annotations", "labels"] as const;

function goneOf(member: string, before: string, after: string): string[] {
  const here = new Set(keysOf(after, member));
  return keysOf(before, member).filter((key) => !here.has(key) && !own.test(key));
}

function keysOf(text: string, member: string): string[] {
  const read = readYaml(text);
  return "fault" in read ? [] : pairsAt(read.document, ["metadata", member]).map(([key]) => key);
}
