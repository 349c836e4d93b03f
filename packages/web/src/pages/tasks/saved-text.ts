import { pairsAt, readYaml, setYaml } from "../../forms/task-form/yaml-edit.ts";

/** What the service writes into every document by itself. */
const own = /^millrace\.dev\/(displayName|category|icon|type|status|version|verified|params)$/;

/** The document as it is after a save: it says itself which version it is. One that does not say so is left alone. */
export function numbered(text: string, version: number): string {
  const path = ["metadata", "annotations", "millrace.dev/version"];
  const read = readYaml(text);
  return "document" in read && read.document.hasIn(path) ? setYaml(text, path, String(version)) : text;
}

/** Labels and annotations that the draft does not have any more, and that are stored still: a save merges them. */
export function annotationsLeft(draft: string, stored: string): string[] {
  const here = new Set(keysOf(draft));
  return keysOf(stored).filter((key) => !here.has(key) && !own.test(key));
}

function keysOf(text: string): string[] {
  const read = readYaml(text);
  if ("fault" in read) return [];
  return ["annotations", "labels"].flatMap((member) => pairsAt(read.document, ["metadata", member]).map(([key]) => key));
}
