import { isMap } from "yaml";
import { changeYaml, pairsAt, readYaml, setYaml } from "../../../forms/task-form/yaml-edit.ts";

/** What the service writes into every document by itself. */
const own = /^millrace\.dev\/(displayName|category|icon|type|status|version|verified|params)$/;

/** The document as it is after a save: it says itself which version it is. One that does not say so is left alone. */
export function numbered(text: string, version: number): string {
  const path = ["metadata", "annotations", "millrace.dev/version"];
  const read = readYaml(text);
  return "document" in read && read.document.hasIn(path) ? setYaml(text, path, String(version)) : text;
}

/** Labels and annotations that the draft does not have, and that are stored still: somebody else has added them. */
export function annotationsLeft(draft: string, stored: string): string[] {
  return merged.flatMap((member) => goneOf(member, stored, draft));
}

/** The text to send: a save is laid over what is there, so labels and annotations that were taken away are set to null. */
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
