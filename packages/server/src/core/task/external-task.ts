import { escapePointer } from "@millrace/contract/json-pointer.ts";
import { isExecutorType, type TaskType } from "@millrace/contract/status.ts";
import type { TaskSpec } from "@millrace/contract/task/task.ts";
import type { ErrorDetail } from "../../base/error/app-error.ts";
import { annotationPrefix } from "./tekton/annotations/service-annotations.ts";
import { stepsOf } from "./tekton/flat-step.ts";
import type { ExecutorKind } from "./tekton/runnable.ts";

/**
 * A task that a program of the user's runs, an external worker: it has parameters and results, and no steps. Its task runs need
 * `external/NAME`. That word is also their place, so that they have a stretch of the index of what can be claimed of their own: no worker
 * of the service checks them, and an external worker checks no other task's.
 */
export const externalExecutor = "external";
/** What can run an attempt. */
export type AttemptExecutor = ExecutorKind | typeof externalExecutor;
export type ExternalNeed = `external/${string}`;

export function externalNeed(task: string): ExternalNeed {
  return `${externalExecutor}/${task}`;
}

/** The name of the task; undefined if this is not the need of an external task. */
export function externalTaskOf(need: string | null): string | undefined {
  return need?.startsWith(`${externalExecutor}/`) ? need.slice(externalExecutor.length + 1) : undefined;
}

const executorAnnotation = `${annotationPrefix}executor`;

export function isExternal({ annotations }: { annotations: Readonly<Record<string, unknown>> }): boolean {
  return annotations[executorAnnotation] === externalExecutor;
}

/** Members of a spec, in addition to its steps, that define what Millrace runs, or where. */
const ofSteps = ["stepTemplate", "sidecars", "volumes", "workspaces"] as const;
const placing = ["network", "runs-on", "node-selector"] as const;

/** Settings that make no sense for an external task; paths are pointers into the document. */
export function externalTaskFaults(
  { annotations, spec, name }: { annotations: Readonly<Record<string, unknown>>; spec: Partial<TaskSpec>; name: string },
  type: TaskType,
): ErrorDetail[] {
  if (!isExternal({ annotations })) return [];
  const members = ofSteps.filter((member) => isGiven((spec as Record<string, unknown>)[member])).map((member) => `/spec/${member}`);
  const places = placing.filter((place) => annotations[annotationPrefix + place] != null).map(annotationPath);
  const steps = stepsOf(spec, name).length > 0 ? ["/spec/steps"] : [];
  const left = [...steps, ...members, ...places].map((path) => ({ path, message: `must be left out: ${why}` }));
  if (isExecutorType(type)) return left;
  const message = `is ${externalExecutor}, but tasks of type ${type} are run by the engine; use the type custom or script`;
  return [{ path: annotationPath("executor"), message }, ...left];
}

const why = `the task has ${executorAnnotation}: ${externalExecutor}, so a program outside of Millrace runs it`;

function annotationPath(name: string): string {
  return `/metadata/annotations/${escapePointer(annotationPrefix + name)}`;
}

function isGiven(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null;
}
