import { isDeepStrictEqual } from "node:util";
import { stepActionType } from "@millrace/contract/status.ts";
import type { TaskSpec, TaskStatus } from "@millrace/contract/task/task.ts";
import type { Spec } from "@millrace/contract/task/task-definition.ts";
import { AppError } from "../../../base/error/app-error.ts";
import { editYaml } from "../../document/edit-yaml.ts";
import { answerYaml } from "../../document/write-yaml.ts";
import { remainderAnnotation, serviceAnnotation } from "./annotations/service-annotations.ts";
import { currentMembers } from "./content-of-document.ts";
import { stepsOf } from "./flat-step.ts";
import { paramForm, paramSpec } from "./param-form.ts";
import { readTaskDocument } from "./read-task-document.ts";
import { actionOf, withoutActions } from "./step-action/step-action.ts";

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
 * @param document the spec of the document from which this version was created: then it is returned exactly as written
 * @param text that document: its parts that agree with the task stay as the author wrote them, with comments
 * @throws NOT_ACCEPTABLE if it would take too long
 */
export function writeTaskDocument(task: WritableTask, document?: Spec, text?: string): string {
  const written = answerYaml(taskDocument(task, document));
  return (text !== undefined && withComments(text, written)) || written;
}

/**
 * Only if the result means exactly the same: a text with anchors, for example, can't always be changed in one place. With the additions of
 * the service, a document can also be larger than the limit for reading.
 */
function withComments(text: string, written: string): string | undefined {
  try {
    const wanted = readTaskDocument(written).definition;
    const edited = editYaml(text, readTaskDocument(text).definition, wanted);
    return edited !== undefined && isDeepStrictEqual(readTaskDocument(edited).definition, wanted) ? edited : undefined;
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

export function taskDocument(task: WritableTask, document?: Spec): Record<string, unknown> {
  const { [remainderAnnotation]: remainder, ...annotations } = task.annotations;
  const { apiVersion: _version, kind: _kind, spec: _spec, metadata, ...root } = asMap(remainder);
  const { name: _name, labels: _labels, annotations: _annotations, ...otherMetadata } = asMap(metadata);
  const isAction = task.type === stepActionType;
  const spec = document ?? (isAction ? actionSpec(task) : documentSpec(task));
  return {
    // The newest version in which Tekton itself has this kind.
    apiVersion: isAction ? "tekton.dev/v1beta1" : "tekton.dev/v1",
    kind: isAction ? "StepAction" : "Task",
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

/** Anyone can write this annotation, so it may contain anything. */
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
    ...(task.type !== stepActionType && serviceAnnotation("type", task.type)),
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

function actionSpec({ name, description, spec }: WritableTask): Spec {
  const { params, results, ...program } = actionOf(spec, name);
  return {
    ...(description !== undefined && { description }),
    ...(params.length > 0 && { params: params.map(paramSpec) }),
    ...(results && { results }),
    ...program,
  };
}

function documentSpec(task: WritableTask): Spec {
  const { params, results } = task.spec;
  const steps = withoutActions(stepsOf(task.spec, task.name));
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
