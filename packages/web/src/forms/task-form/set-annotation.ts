import { annotationPath } from "./annotation-path.ts";
import { readYaml, setYaml } from "./yaml-edit.ts";

/** The text with that annotation of the service. */
export function annotationOf(text: string, name: string, value: string): string {
  const read = readYaml(text);
  return "document" in read ? setYaml(text, annotationPath(read.document, name), value) : text;
}
