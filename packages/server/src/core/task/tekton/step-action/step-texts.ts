import { paramKind } from "@millrace/contract/common.ts";
import type { Step } from "@millrace/contract/task/task.ts";
import { type ParameterScope, type Resolved, resolveText, resolveValue } from "../../../parameter/parameters.ts";
import { isSecretParam } from "../../../parameter/secret-params.ts";
import { type FindPieces, hasStepValues, type StepText, splitStepText } from "../step-values.ts";
import { actionOfStep, type NamedAction, type programMembers } from "./step-action.ts";

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
