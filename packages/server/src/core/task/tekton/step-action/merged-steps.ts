import type { TaskEnvVar } from "@millrace/contract/common.ts";
import type { Step, TaskSpec, VolumeMount } from "@millrace/contract/task/task.ts";
import { stepsOf } from "../flat-step.ts";
import { withAction } from "./step-action.ts";

/**
 * The steps of a task with members from their StepActions and the step template: a step's own members have precedence; environment
 * variables are joined by name, mounts by path, and security contexts by member. A script has its own interpreter, so it takes no command
 * from the template.
 */
export function mergedSteps(spec: Partial<TaskSpec>, taskName: string): Step[] {
  const template = spec.stepTemplate;
  const steps = stepsOf(spec, taskName).map(withAction);
  return template === undefined ? steps : steps.map((step) => mergeStep(template, step));
}

/** A reference to a StepAction in the template is ignored. */
function mergeStep({ name: _name, ref: _ref, params: _params, stepAction: _action, command, ...template }: Step, step: Step): Step {
  const merged: Step = { ...template, ...(command && !step.script && { command }), ...step };
  const env = joinBy(template.env, step.env, (variable: TaskEnvVar) => variable.name);
  const volumeMounts = joinBy(template.volumeMounts, step.volumeMounts, (mount: VolumeMount) => mount.mountPath);
  const securityContext = joinObjects(template["securityContext"], step["securityContext"], 2);
  return { ...merged, ...(env && { env }), ...(volumeMounts && { volumeMounts }), ...(securityContext != null && { securityContext }) };
}

/** Merged as in Kubernetes: member by member, lists as a whole. @param levels number of levels that a security context has */
function joinObjects(template: unknown, own: unknown, levels: number): unknown {
  if (own === undefined || !isObject(template) || levels === 0) return own === undefined ? template : own;
  if (!isObject(own)) return own;
  const members = Object.keys({ ...template, ...own }).map((name) => [name, joinObjects(template[name], own[name], levels - 1)]);
  return Object.fromEntries(members);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** First the items of the template that the step does not override, then the step's own. */
function joinBy<T>(template: T[] | undefined, own: T[] | undefined, keyOf: (item: T) => string): T[] | undefined {
  if (template === undefined || own === undefined) return own ?? template;
  const keys = new Set(own.map(keyOf));
  return [...template.filter((item) => !keys.has(keyOf(item))), ...own];
}
