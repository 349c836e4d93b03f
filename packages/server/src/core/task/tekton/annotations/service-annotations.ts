/**
 * Annotations by which a document says what the Tekton interface has no member for. The service writes them with its own
 * prefix and also reads that of definitions made for the system it can replace. Each stands for a member of the resource,
 * so none is ever kept among the annotations themselves. `executor` and `network` are not among them: they are the task's own.
 */
export const annotationPrefix = "millrace.dev/";
const olderPrefix = "boomerang.io/";

const names = ["displayName", "category", "icon", "type", "status", "version", "verified", "params", "kind", "generation"] as const;
export type ServiceAnnotation = (typeof names)[number];

export interface SplitAnnotations {
  /** By name without prefix; the service's own prefix before the older one. */
  service: Partial<Record<ServiceAnnotation, unknown>>;
  /** Everything else, as it is. */
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

/** Where a task keeps what its document has beside the members that a task has a place for. */
export const remainderAnnotation = `${annotationPrefix}document`;

/** The pair that the document has for it. */
export function serviceAnnotation(name: ServiceAnnotation, value: unknown): Record<string, unknown> {
  return { [annotationPrefix + name]: value };
}
