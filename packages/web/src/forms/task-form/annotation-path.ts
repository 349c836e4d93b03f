import type { YamlDocument, YamlPath } from "./yaml-edit.ts";

export const prefix = "millrace.dev/";
export const olderPrefix = "boomerang.io/";

/** Where an annotation of the service stands: under the service's own name, or the older one where only that is there. */
export function annotationPath(document: YamlDocument, name: string): YamlPath {
  const path = (start: string) => ["metadata", "annotations", start + name];
  return !document.hasIn(path(prefix)) && document.hasIn(path(olderPrefix)) ? path(olderPrefix) : path(prefix);
}
