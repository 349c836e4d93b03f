import type { TaskSpec, TaskStatus } from "@millrace/contract/task.ts";
import type { Spec } from "@millrace/contract/task-definition.ts";
import { Document, isScalar, Scalar, type Tags, visit } from "yaml";
import { currentMembers } from "./content-of-document.ts";
import { stepsOf } from "./flat-step.ts";
import { paramForm, paramSpec } from "./param-form.ts";
import { remainderAnnotation, serviceAnnotation } from "./service-annotations.ts";

/** A stored task, secrets masked. */
export interface WritableTask {
  name: string;
  displayName: string;
  type: string;
  status: TaskStatus;
  version: number;
  verified: boolean;
  description: string | undefined;
  category: string | undefined;
  icon: string | undefined;
  labels: Record<string, string>;
  annotations: Record<string, unknown>;
  spec: TaskSpec;
}

/**
 * The task as a document of the Tekton interface, v1.
 *
 * @param document the spec as the document wrote it from which this version was made: then it is given back to the letter
 */
export function writeTaskDocument(task: WritableTask, document?: Spec): string {
  return writeYaml(taskDocument(task, document));
}

export function taskDocument(task: WritableTask, document?: Spec): Record<string, unknown> {
  const { [remainderAnnotation]: remainder, ...annotations } = task.annotations;
  const { apiVersion: _version, kind: _kind, spec: _spec, metadata, ...root } = asMap(remainder);
  const { name: _name, labels: _labels, annotations: _annotations, ...otherMetadata } = asMap(metadata);
  const spec = document ?? documentSpec(task);
  return {
    apiVersion: "tekton.dev/v1",
    kind: "Task",
    metadata: {
      name: task.name,
      ...otherMetadata,
      ...(Object.keys(task.labels).length > 0 && { labels: task.labels }),
      annotations: { ...serviceAnnotations(task, spec), ...annotations },
    },
    ...root,
    spec: currentMembers(spec),
  };
}

/** The annotation is open to everyone, so it may hold anything. */
function asMap(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

function serviceAnnotations(task: WritableTask, spec: Spec): Record<string, unknown> {
  const written = new Map(spec.params?.map((param) => [param.name, param]));
  const forms = task.spec.params.map((param) => paramForm(param, written.get(param.name) ?? { name: param.name }));
  return {
    ...serviceAnnotation("displayName", task.displayName),
    ...(task.category && serviceAnnotation("category", task.category)),
    ...(task.icon && serviceAnnotation("icon", task.icon)),
    ...serviceAnnotation("type", task.type),
    ...(task.status === "inactive" && serviceAnnotation("status", task.status)),
    ...serviceAnnotation("version", task.version),
    ...serviceAnnotation("verified", task.verified),
    ...(forms.some((form) => form !== undefined) &&
      serviceAnnotation(
        "params",
        forms.filter((form) => form !== undefined),
      )),
  };
}

const writtenFirst = ["params", "workspaces", "results", "stepTemplate"];
const notOfTheDocument = ["params", "results", "image", "script", "command", "arguments", "envs", "workingDir", "stepName", "steps"];

function documentSpec(task: WritableTask): Spec {
  const { params, results } = task.spec;
  const steps = stepsOf(task.spec, task.name);
  const rest = Object.fromEntries(Object.entries(task.spec).filter(([member]) => !notOfTheDocument.includes(member)));
  const spec: Record<string, unknown> = {
    ...rest,
    ...(params.length > 0 && { params: params.map(paramSpec) }),
    ...(results.length > 0 && { results }),
  };
  const first = writtenFirst.filter((member) => member in spec).map((member) => [member, spec[member]]);
  const last = Object.entries(spec).filter(([member]) => !writtenFirst.includes(member));
  return {
    ...(task.description !== undefined && { description: task.description }),
    ...Object.fromEntries(first),
    ...(steps.length > 0 && { steps }),
    ...Object.fromEntries(last),
  };
}

/**
 * From a value to YAML that every reader takes for the same value: one of YAML 1.2, one of 1.1, and Kubernetes. Texts that
 * any of them would take for something else (`on`, `0755`, `1e3`, `2001-01-01`) stand in quotes; texts of several lines are
 * written as blocks where that is exact. The same value always gives the same text.
 */
export function writeYaml(value: unknown): string {
  const document = new Document(value, { version: "1.1", compat: "core", customTags: withoutMerge, aliasDuplicateObjects: false });
  visit(document, { Scalar: (_key, node) => quoteUnsafe(node) });
  return document.toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER }).replace(breakers, escapeBreaker);
}

/** That tag would write the text `<<` as a merge key, whatever quotes it wants. */
function withoutMerge(tags: Tags): Tags {
  return tags.filter((tag) => typeof tag === "string" || tag.tag !== "tag:yaml.org,2002:merge");
}

/** What some reader takes for a line end, or does not take at all, unless it is escaped in double quotes. */
const breakers = /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g;
/** A block could not give these back, or would need a hint about its indent that not every reader knows. `<<` would merge. */
const needsQuotes = /(?![\t\n])\p{Cc}|[\u2028\u2029\ufeff\ufffe\uffff]|^[\n\t ]|[\t ]$|^<<$/u;

function quoteUnsafe(node: Scalar): void {
  if (isScalar(node) && typeof node.value === "string" && needsQuotes.test(node.value)) node.type = Scalar.QUOTE_DOUBLE;
}

function escapeBreaker(character: string): string {
  const code = character.charCodeAt(0).toString(16);
  return code.length === 2 ? `\\x${code}` : `\\u${code.padStart(4, "0")}`;
}
