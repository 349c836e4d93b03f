import { paramKind } from "@millrace/contract/common.ts";
import { escapePointer } from "@millrace/contract/json-pointer.ts";
import type { Step, TaskParam, TaskSpec } from "@millrace/contract/task/task.ts";
import type { ErrorDetail } from "../../../../base/error/app-error.ts";
import { findReferences } from "../../../parameter/references.ts";
import { isSecretParam } from "../../../parameter/secret-params.ts";
import { stepValueOf } from "../step-values.ts";
import { actionOfStep, type NamedAction, refName, wholeParam } from "./step-action.ts";

/**
 * Problems with the steps of a task that refer to StepActions, as written.
 *
 * @param document the spec of the document, if it came as one: it must not contain members that the service sets
 */
export function actionRefFaults(spec: Partial<TaskSpec>, steps: readonly Step[], document: { steps?: Step[] } | undefined): ErrorDetail[] {
  const set = (document?.steps ?? []).flatMap((step, index) =>
    step.stepAction == null ? [] : [{ path: `/spec/steps/${index}/stepAction`, message: "is set by the service; remove it" }],
  );
  const faults = steps.flatMap((step, index) => stepFaults(step, `/spec/steps/${index}`, spec.params ?? []));
  return [...set, ...faults, ...templateFaults(spec.stepTemplate ?? undefined)];
}

function templateFaults(template: Step | undefined): ErrorDetail[] {
  const names = ["ref", "params", "stepAction"].filter((member) => template?.[member] != null);
  return names.map((name) => ({ path: `/spec/stepTemplate/${name}`, message: "belongs to a step; remove it here" }));
}

/** Members that say when and how a step runs. What it runs is defined by the StepAction. */
const beside = ["name", "ref", "params", "stepAction", "when", "onError", "timeout", "computeResources", "resources", "imagePullPolicy"];
const alsoBeside = ["envFrom", "securityContext", "volumeDevices", "stdoutConfig", "stderrConfig"];

function stepFaults(step: Step, path: string, taskParams: readonly TaskParam[]): ErrorDetail[] {
  if (step.ref == null) return inlineFaults(step, path);
  const name = refName(step);
  const found = refFaults(step.ref, name, `${path}/ref`);
  const known = [...beside, ...alsoBeside];
  const strange = Object.keys(step).filter((member) => !known.includes(member) && step[member] != null);
  const refused = strange.slice(0, 20).map((member) => ({
    path: `${path}/${escapePointer(member)}`,
    message: `can't be used beside ref: the StepAction says what runs; remove it, or write out the step`,
  }));
  if (found.length > 0) return [...found, ...refused];
  const action = actionOfStep(step);
  const missing = `is ${name}, but neither the team nor the instance has an active StepAction of that name; save it as one first`;
  if (action === undefined) return [{ path: `${path}/ref/name`, message: missing }, ...refused];
  return [...refused, ...paramsFaults(step, action, path, taskParams)];
}

function inlineFaults(step: Step, path: string): ErrorDetail[] {
  const names = ["params", "stepAction"].filter((member) => step[member] != null);
  return names.map((name) => ({
    path: `${path}/${name}`,
    message: "is only for a step that refers to a StepAction; a step of its own has the parameters of the task",
  }));
}

function refFaults(ref: object, name: string | undefined, path: string): ErrorDetail[] {
  const { resolver } = ref as { resolver?: unknown };
  const shown = (value: unknown) => String(JSON.stringify(value)).slice(0, 80);
  if (resolver != null)
    return [
      {
        path: `${path}/resolver`,
        message: `is ${shown(resolver)}; StepActions aren't fetched from elsewhere: save it as a StepAction of the team, and refer to it by its name`,
      },
    ];
  const [strange] = Object.keys(ref).filter((member) => member !== "name" && (ref as Record<string, unknown>)[member] != null);
  if (strange !== undefined) return [{ path: `${path}/${escapePointer(strange)}`, message: "is not known here; ref has only a name" }];
  return name === undefined ? [{ path: `${path}/name`, message: "must be the name of a StepAction, as text" }] : [];
}

function paramsFaults(step: Step, action: NamedAction, path: string, taskParams: readonly TaskParam[]): ErrorDetail[] {
  const declared = new Map(action.params.map((param) => [param.name, param]));
  const seen = new Set<string>();
  const faults = (step.params ?? []).flatMap(({ name, value }, index) => {
    const param = declared.get(name);
    const at = `${path}/params/${index}`;
    if (seen.has(name)) return [{ path: `${at}/name`, message: `is ${name}, which the step gives twice` }];
    seen.add(name);
    if (param === undefined) return [{ path: `${at}/name`, message: `is ${name}, which the StepAction ${action.name} does not declare` }];
    if (value == null) return [{ path: `${at}/value`, message: "is missing" }];
    const message = valueFault(value, param, action, taskParams);
    return message === undefined ? [] : [{ path: `${at}/value`, message }];
  });
  const missing = action.params.filter(({ name, default: preset }) => !seen.has(name) && preset == null).map(({ name }) => name);
  if (missing.length === 0) return faults;
  const more = missing.length > 10 ? ` and ${missing.length - 10} more` : "";
  const message = `must have ${missing.slice(0, 10).join(", ")}${more}, for which the StepAction ${action.name} has no default`;
  return [...faults, { path: step.params == null ? path : `${path}/params`, message }];
}

function valueFault(value: unknown, param: TaskParam, action: NamedAction, taskParams: readonly TaskParam[]): string | undefined {
  const kind = paramKind(param.type);
  if (isSecretParam(param)) return secretFault(value, taskParams);
  const isWhole = typeof value === "string" && value.trim().startsWith("$(") && value.trim().endsWith(")");
  const given = Array.isArray(value) ? "array" : typeof value === "object" ? "object" : "string";
  if (given !== kind && !isWhole) return `must be of type ${kind}, as the StepAction ${action.name} declares it`;
  const taken = findReferences(value).find((reference) => reference.kind === "place" && stepValueOf(reference.words) !== undefined);
  if (taken !== undefined)
    return given === "string" && kind === "string" ? placeFault(param.name, taken.text, action) : wholeTextOnly(taken.text);
  const members = kind === "object" && given === "object" ? Object.keys((param.properties as object | undefined) ?? {}) : [];
  const lacking = members.filter((member) => !Object.hasOwn(value as object, member));
  if (lacking.length > 0) return `must have the members ${lacking.slice(0, 10).join(", ")}, which the StepAction ${action.name} declares`;
  const allowed = param.enum as string[] | undefined;
  if (allowed && typeof value === "string" && !value.includes("$(") && !allowed.includes(value))
    return `is ${JSON.stringify(value.slice(0, 80))}; it must be one of ${allowed.slice(0, 20).join(", ")}`;
  return undefined;
}

/** A literal text here would be stored and shown in clear text. */
function secretFault(value: unknown, taskParams: readonly TaskParam[]): string | undefined {
  const name = typeof value === "string" ? wholeParam(value) : undefined;
  const remedy = "give it a parameter of type password of the task, as $(params.NAME) and nothing else";
  if (name === undefined) return `is for a secret parameter; ${remedy}`;
  const declared = taskParams.find((param) => param.name === name);
  return declared === undefined || isSecretParam(declared) ? undefined : `is for a secret parameter, but ${name} is none; ${remedy}`;
}

const wholeTextOnly = (text: string) => `refers to ${text}, but results of steps can only be in the text of a parameter of type string`;

/** Output of an earlier step must never become a part of a program or of a path. */
function placeFault(name: string, text: string, action: NamedAction): string | undefined {
  const use = usesOf(action).get(name);
  return (
    use &&
    `refers to ${text}, but the StepAction ${action.name} ${use}, and results of steps can only be whole values in command, args and env`
  );
}

/** Parameters used in places where results of a step are not allowed. */
function usesOf(action: NamedAction): ReadonlyMap<string, string> {
  const known = uses.get(action);
  if (known !== undefined) return known;
  const { script, workingDir, image, volumeMounts, env, command, args } = action;
  const places = { script, workingDir, image, volumeMounts, "env[].valueFrom": env?.map(({ valueFrom }) => valueFrom) };
  const found = new Map<string, string>();
  for (const [place, texts] of Object.entries(places))
    for (const reference of findReferences(texts))
      if (reference.kind === "param") found.set(reference.name, `uses ${reference.name} in its ${place}`);
  for (const reference of findReferences([command, args, env?.map(({ value }) => value)]))
    if (reference.kind === "param" && (reference.path.length > 0 || reference.spread))
      found.set(reference.name, `takes a part of ${reference.name}`);
  uses.set(action, found);
  return found;
}

/** The size of what is copied into a version of a task, and into each of its jobs. */
export const maxActionLength = 1_048_576;

/** Looked at before everything else, which checks each copy. */
export function actionSizeFaults(steps: readonly Step[]): ErrorDetail[] {
  const sizes = new Map<NamedAction, number>();
  const total = steps.reduce((sum, step) => {
    const action = actionOfStep(step);
    if (action === undefined) return sum;
    const size = sizes.get(action) ?? JSON.stringify(action).length;
    sizes.set(action, size);
    return sum + size;
  }, 0);
  return total <= maxActionLength ? [] : [{ path: "/spec/steps", message: `have StepActions of ${total} characters together; ${remedy}` }];
}

const remedy = `a task can have ${maxActionLength}; split it into several tasks`;

/** If the limit was reached before all of them were read. */
export const tooLargeActions: ErrorDetail = {
  path: "/spec/steps",
  message: `refer to StepActions of more than ${maxActionLength} characters together; ${remedy}`,
};

/** A cache, since a copy of a StepAction never changes. */
const uses = new WeakMap<NamedAction, ReadonlyMap<string, string>>();
