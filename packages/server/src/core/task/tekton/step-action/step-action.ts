import type { TaskEnvVar } from "@millrace/contract/common.ts";
import type { Step, TaskParam, TaskSpec, VolumeMount } from "@millrace/contract/task/task.ts";
import { findReferences } from "../../../parameter/references.ts";
import { stepsOf } from "../flat-step.ts";

/**
 * A StepAction of Tekton: a step with parameters and results of its own, saved separately; steps of tasks refer to it by name
 * (docs/adr/0060). A saved task has a copy of it in each such step, so that later changes to the StepAction do not change the task.
 */
export interface StepAction extends Pick<Step, (typeof programMembers)[number]> {
  params: TaskParam[];
  securityContext?: unknown;
}

/** A StepAction in the member `stepAction` of a task's step. */
export interface NamedAction extends StepAction {
  name: string;
  version: number;
  /** It belongs to the instance, not to the team. */
  isGlobal: boolean;
}

export const programMembers = ["image", "script", "command", "args", "env", "workingDir", "volumeMounts", "results"] as const;

/** @param spec of a task of type `stepaction`: its only step is flat, and members that only a step has are beside it */
export function actionOf(spec: TaskSpec, name: string): StepAction {
  const { params, results, volumeMounts, securityContext } = spec;
  const [{ name: _name, params: _params, ...program } = {}] = stepsOf(spec, name);
  return {
    params,
    ...program,
    ...(results.length > 0 && { results }),
    ...(volumeMounts != null && { volumeMounts: volumeMounts as StepAction["volumeMounts"] & object }),
    ...(securityContext != null && { securityContext }),
  };
}

/** The name of the StepAction that a step refers to; undefined: it refers to none, or its `ref` is faulty. */
export function refName({ ref }: Step): string | undefined {
  const name = ref?.name;
  return typeof name === "string" && name !== "" ? name : undefined;
}

/** Each once. */
export function refNames(steps: readonly Step[]): string[] {
  return [...new Set(steps.flatMap((step) => refName(step) ?? []))];
}

/** The spec with a copy of its StepAction in each step that refers to an existing one. */
export function withActions(spec: TaskSpec, find: (name: string) => NamedAction | undefined): TaskSpec {
  const steps = spec.steps?.map((step) => {
    const name = refName(step);
    const stepAction = name === undefined ? undefined : find(name);
    return stepAction === undefined ? step : { ...step, stepAction };
  });
  return { ...spec, ...(steps && { steps }) };
}

/** The copy that the service has stored beside the `ref` of a step. */
export function actionOfStep(step: Step): NamedAction | undefined {
  const { ref, stepAction } = step;
  const action = (stepAction ?? {}) as Partial<NamedAction>;
  return ref != null && typeof action.version === "number" && Array.isArray(action.params) ? (action as NamedAction) : undefined;
}

/**
 * The step with the members of its StepAction. Texts of both keep their own scopes; `stepAction` shows which text belongs to which. Names
 * of volumes are an exception: volumes belong to the task, so these names are already replaced by the values that the step passes.
 */
export function withAction(step: Step): Step {
  const action = actionOfStep(step);
  if (action === undefined) return step;
  const { params: _params, name: _name, version: _version, isGlobal: _isGlobal, volumeMounts, ...program } = action;
  const mounts = volumeMounts?.map((mount) => ({ ...mount, name: volumeOf(mount.name, step, action) }));
  return { ...step, ...program, ...(mounts && { volumeMounts: mounts }) };
}

function volumeOf(written: string, step: Step, action: StepAction): string {
  const name = wholeParam(written);
  if (name === undefined) return written;
  const value = step.params?.find((param) => param.name === name)?.value ?? action.params.find((param) => param.name === name)?.default;
  return typeof value === "string" ? value : written;
}

/** The name of the parameter, if the text is only a reference to a whole parameter. */
export function wholeParam(text: string): string | undefined {
  const [reference] = findReferences(text);
  const isWhole = reference?.kind === "param" && reference.layer === undefined && reference.text === text && reference.path.length === 0;
  return isWhole && !reference.spread ? reference.name : undefined;
}

/** Steps without the copies that the service has added. */
export function withoutActions(steps: readonly Step[]): Step[] {
  return steps.map((step) => {
    if (step.ref == null || !Object.hasOwn(step, "stepAction")) return step;
    const { stepAction: _set, ...written } = step;
    return written;
  });
}

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
