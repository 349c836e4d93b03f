// StepActions: what they are, how a step takes the members of one, and which parameters their texts see.
import type { TaskEnvVar } from "@millrace/contract/common.ts";
import { paramKind } from "@millrace/contract/common.ts";
import type { Step, TaskParam, TaskSpec, VolumeMount } from "@millrace/contract/task/task.ts";
import { type ParameterScope, type Resolved, resolveText, resolveValue } from "../../../parameter/parameters.ts";
import { findReferences } from "../../../parameter/references.ts";
import { isSecretParam } from "../../../parameter/secret-params.ts";
import { stepsOf } from "../flat-step.ts";
import { type FindPieces, hasStepValues, type StepText, splitStepText } from "../step-values.ts";

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
function withAction(step: Step): Step {
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

/** How references in the texts of a step are replaced. */
export interface StepTexts {
  text(text: string): string;
  /** For texts that may contain values of other steps. */
  value(text: StepText): StepText;
  /** For an item of a command, of its arguments or of a list of values: it may become several items. */
  item(text: StepText): StepText[];
}

/** Returns the value, and collects the warnings. */
export type Note = <T>(resolved: Resolved<T>) => T;

export function textsIn(scope: ParameterScope, note: Note, find?: FindPieces): StepTexts {
  const text = (written: string) => note(resolveText(written, scope));
  const value = (written: StepText) => (typeof written === "string" ? splitStepText(written, text, find) : written);
  const hasPieces = (written: string) => typeof splitStepText(written, (piece) => piece, find) !== "string";
  const item = (written: StepText) => {
    if (typeof written !== "string" || hasPieces(written)) return [value(written)];
    const resolved = note(resolveValue(written, "any", scope));
    return Array.isArray(resolved) ? resolved.map(argument) : [argument(resolved)];
  };
  return { text, value, item };
}

export function argument(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

/** Texts of a StepAction: `$(params.NAME)` means its own parameters, and the layers of the task are out of scope. */
export interface ActionTexts {
  texts: StepTexts;
  /** Values of its secret parameters, in clear text. */
  secrets: string[];
}

/**
 * @param scope of the task, in which the values stand that the step gives. They are replaced once: what comes out is never examined again,
 *   and defaults are taken as they are.
 * @param findPieces results of other steps in these
 */
export function textsOfAction(step: Step, action: NamedAction, scope: ParameterScope, note: Note, findPieces?: FindPieces): ActionTexts {
  const ofTask = textsIn(scope, note, findPieces);
  const pieces = new Map<string, Exclude<StepText, string>>();
  const values: [string, unknown][] = [];
  const secrets: string[] = [];
  const allGiven = new Map(step.params?.map(({ name, value }) => [name, value]));
  for (const param of action.params) {
    const given = allGiven.get(param.name) ?? undefined;
    const text = typeof given === "string" && hasStepValues(given) ? ofTask.value(given) : undefined;
    if (text !== undefined && typeof text !== "string") {
      pieces.set(param.name, text);
      continue;
    }
    const value = given === undefined ? param.default : note(resolveValue(given, paramKind(param.type), scope));
    values.push([param.name, value ?? null]);
    if (isSecretParam(param) && typeof value === "string") secrets.push(value);
  }
  const own: ParameterScope = { task: Object.fromEntries(values), ...(scope.extra && { extra: scope.extra }) };
  const find: FindPieces = (reference) => {
    const isPlain = reference.kind === "param" && reference.layer === undefined && reference.path.length === 0 && !reference.spread;
    return isPlain ? pieces.get(reference.name) : undefined;
  };
  return { texts: textsIn(own, note, find), secrets };
}

/**
 * Selects the scope for the texts of a member: members that a StepAction does not have come from the step itself and the step template.
 * `task`: for members that a StepAction can't have.
 */
export type TextsOf = (member: (typeof programMembers)[number] | "task", entry?: unknown) => StepTexts;

/** @param template its own entries of lists keep the scope of the task */
export function textsOfStep(step: Step, template: Step | undefined, ofTask: StepTexts, ofAction: StepTexts | undefined): TextsOf {
  const action = actionOfStep(step);
  if (action === undefined || ofAction === undefined) return () => ofTask;
  const taken = new Set<unknown>([...(template?.env ?? []), ...(template?.volumeMounts ?? [])]);
  return (member, entry) => (Object.hasOwn(action, member) && !taken.has(entry) ? ofAction : ofTask);
}
