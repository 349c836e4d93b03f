import type { Step, TaskParam, TaskSpec } from "@millrace/contract/task/task.ts";
import { findReferences } from "../../../parameter/references.ts";
import { stepsOf } from "../flat-step.ts";

/**
 * A StepAction of Tekton: a step with parameters and results of its own, saved by itself, to which steps of tasks refer by its name
 * (docs/adr/0060). A saved task has a copy of it in each such step, so that nothing that is saved later changes the task.
 */
export interface StepAction extends Pick<Step, (typeof programMembers)[number]> {
  params: TaskParam[];
  securityContext?: unknown;
}

/** As a step of a task has it, in the member `stepAction`. */
export interface NamedAction extends StepAction {
  name: string;
  version: number;
  /** Of the instance, not of the team. */
  isGlobal: boolean;
}

export const programMembers = ["image", "script", "command", "args", "env", "workingDir", "volumeMounts", "results"] as const;

/** @param spec of a task of type `stepaction`: its one step is flat, and what only a step has stands beside it */
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

/** The name that a step refers to; undefined: it is a step of its own, or its `ref` is faulty. */
export function refName({ ref }: Step): string | undefined {
  const name = ref?.name;
  return typeof name === "string" && name !== "" ? name : undefined;
}

/** Each once. */
export function refNames(steps: readonly Step[]): string[] {
  return [...new Set(steps.flatMap((step) => refName(step) ?? []))];
}

/** The spec with a copy of its StepAction in each step that refers to one that is there. */
export function withActions(spec: TaskSpec, find: (name: string) => NamedAction | undefined): TaskSpec {
  const steps = spec.steps?.map((step) => {
    const name = refName(step);
    const stepAction = name === undefined ? undefined : find(name);
    return stepAction === undefined ? step : { ...step, stepAction };
  });
  return { ...spec, ...(steps && { steps }) };
}

/** What the service has put beside the `ref` of a step. */
export function actionOfStep(step: Step): NamedAction | undefined {
  const { ref, stepAction } = step;
  const action = (stepAction ?? {}) as Partial<NamedAction>;
  return ref != null && typeof action.version === "number" && Array.isArray(action.params) ? (action as NamedAction) : undefined;
}

/**
 * The step with what its StepAction gives it. Texts of the two stay in the scopes of their own, and `stepAction` says which is which, except
 * names of volumes: these are the task's, so they are already what the step gives for them.
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

/** The parameter that the text is nothing but a reference to. */
export function wholeParam(text: string): string | undefined {
  const [reference] = findReferences(text);
  const isWhole = reference?.kind === "param" && reference.layer === undefined && reference.text === text && reference.path.length === 0;
  return isWhole && !reference.spread ? reference.name : undefined;
}

/** Steps without what the service has put into them. */
export function withoutActions(steps: readonly Step[]): Step[] {
  return steps.map((step) => {
    if (step.ref == null || !Object.hasOwn(step, "stepAction")) return step;
    const { stepAction: _set, ...written } = step;
    return written;
  });
}
