/**
 * Annotations for content of a document that has no member in the Tekton format. The service writes them with its own prefix, and also
 * reads the prefix of the system it can replace. Each stands for a member of the resource, so none is stored among the annotations
 * themselves. `executor` and `network` are not among them: they are annotations of the task itself.
 */
export const annotationPrefix = "millrace.dev/";
const olderPrefix = "boomerang.io/";

const names = ["displayName", "category", "icon", "type", "status", "version", "verified", "params", "kind", "generation"] as const;
export type ServiceAnnotation = (typeof names)[number];

export interface SplitAnnotations {
  /** By name without prefix; the service's own prefix has precedence over the older one. */
  service: Partial<Record<ServiceAnnotation, unknown>>;
  /** All other annotations, unchanged. */
  kept: Record<string, unknown>;
}

export function splitAnnotations(annotations: Record<string, unknown>): SplitAnnotations {
  const service: SplitAnnotations["service"] = {};
  const kept: [string, unknown][] = [];
  for (const [key, value] of Object.entries(annotations)) {
    const name = serviceName(key);
    if (name === undefined) kept.push([key, value]);
    else if (key.startsWith(annotationPrefix) || service[name] === undefined) service[name] = value;
  }
  return { service, kept: Object.fromEntries(kept) };
}

function serviceName(key: string): ServiceAnnotation | undefined {
  const prefix = [annotationPrefix, olderPrefix].find((one) => key.startsWith(one));
  return prefix === undefined ? undefined : names.find((name) => key === prefix + name);
}

/** The annotation in which a task stores the parts of its document that have no member in a task. */
export const remainderAnnotation = `${annotationPrefix}document`;

/** The annotation as it is written into the document. */
export function serviceAnnotation(name: ServiceAnnotation, value: unknown): Record<string, unknown> {
  return { [annotationPrefix + name]: value };
}
