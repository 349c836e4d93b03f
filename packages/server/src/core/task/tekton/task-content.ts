import type { Step, TaskInput, TaskParam, TaskSpec, TaskSpecInput } from "@millrace/contract/task/task.ts";
import type { Spec } from "@millrace/contract/task/task-definition.ts";
import { AppError } from "../../../base/error/app-error.ts";
import { splitAnnotations } from "./annotations/service-annotations.ts";
import { flatMembers, flattenSteps, stepsOf } from "./flat-step.ts";
import { canonicalParam } from "./param-form.ts";
import { withoutActions } from "./step-action/step-action.ts";

/**
 * A task as a client sent it, as resource or as document, in the one form in which it is stored. Not checked yet: check-task.ts does that.
 */
export interface TaskContent {
  /** Empty if none was given; a PUT takes it from its path. */
  name: string;
  displayName: string;
  /** Set for a document of another kind than Task; the resource only has its type. */
  kind?: "StepAction";
  /** Undefined if none was given. */
  type: string | undefined;
  status: string | undefined;
  description: string | undefined;
  category: string | undefined;
  icon: string | undefined;
  /** As written: null removes an existing label. */
  labels: Record<string, string | null>;
  annotations: Record<string, unknown>;
  spec: TaskSpec;
  changeReason: string | undefined;
  /** The spec of the document exactly as written, if the task came as one. */
  document: Spec | undefined;
  /** The whole document as it was sent, with its comments. */
  text?: string | undefined;
}

/** @param name from the path; overrides the name in the body */
export function contentOfTask(input: TaskInput, name = input.name ?? ""): TaskContent {
  const { kept } = splitAnnotations(input.annotations ?? {});
  const { description: specDescription, ...spec } = withoutNulls(input.spec ?? {});
  return {
    name,
    displayName: input.displayName?.trim() || name,
    type: input.type || undefined,
    status: input.status?.toLowerCase() || undefined,
    description: input.description ?? (typeof specDescription === "string" ? specDescription : undefined),
    category: input.category || undefined,
    icon: input.icon || undefined,
    labels: input.labels ?? {},
    annotations: kept,
    spec: canonicalSpec(spec, name),
    changeReason: input.changelog?.reason || undefined,
    document: undefined,
  };
}

/** Flat members for one plain step, a list for anything else; params and results are always present. */
export function canonicalSpec(spec: Omit<TaskSpecInput, "description">, taskName: string): TaskSpec {
  const given = withoutNulls(spec) as Partial<TaskSpec>;
  const { params, results, ...rest } = given;
  const isEmpty = Array.isArray(given.steps) && given.steps.length === 0;
  refuseBoth(isEmpty ? {} : given);
  const program = isEmpty ? { ...given, steps: undefined } : given;
  return {
    params: (params ?? []).map((param) => canonicalParam(param as TaskParam)),
    results: results ?? [],
    ...canonicalSteps(stepsOf(program, taskName), taskName),
    ...withoutSteps(rest),
  };
}

function canonicalSteps(steps: Step[], taskName: string) {
  if (steps.length === 0) return { envs: [] };
  return flattenSteps(steps, taskName) ?? { steps: withoutActions(steps) };
}

function withoutSteps(rest: Record<string, unknown>): Record<string, unknown> {
  const stepMembers: readonly string[] = [...flatMembers, "steps"];
  return Object.fromEntries(Object.entries(rest).filter(([member]) => !stepMembers.includes(member)));
}

/** Refuses a spec with two programs, since it would be unclear which one to run. */
function refuseBoth(spec: Partial<TaskSpec>): void {
  if (spec.steps === undefined) return;
  const both = flatMembers.filter((member) => (Array.isArray(spec[member]) ? (spec[member] as unknown[]).length > 0 : spec[member]));
  if (both.length === 0) return;
  const message = `spec has steps and also ${both.join(", ")}; write one step flat, or all of them in steps`;
  throw new AppError("TASK_INVALID_DEFINITION", [message], { details: [{ path: `/spec/${both[0]}`, message }] });
}

function withoutNulls<T extends object>(value: T): { [M in keyof T]: Exclude<T[M], null> } {
  const given = Object.entries(value).filter(([, member]) => member !== null && member !== undefined);
  return Object.fromEntries(given) as { [M in keyof T]: Exclude<T[M], null> };
}
