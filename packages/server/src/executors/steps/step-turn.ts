import { parseJson } from "../../core/parameter/references.ts";
import { fillStep, type JobStep, type PlainStep, stepTexts } from "../../core/task/tekton/job-steps.ts";
import {
  conditionTexts,
  fillItem,
  fillText,
  maxFilledBytes,
  maxFilledTextBytes,
  maxStepValueBytes,
  partText,
  type StepCondition,
  type StepText,
  type StepValue,
  stepResultFile,
  valueKey,
  valuesIn,
} from "../../core/task/tekton/step-values.ts";
import { failed, type Verdict } from "./outcomes.ts";
import { type ReadFile, toSafeText } from "./read-results.ts";

/**
 * What happens to a step when it is its turn: whether its conditions are met, and what it takes from earlier steps. In a pod the collector
 * decides by the same rules (programs/pod/turn.sh).
 */
export type StepTurn = { step: PlainStep } | { isSkipped: true } | { verdict: Verdict };

export const conditionNote = "skipped: its condition (when) does not hold";

/** Reads a file of the results folder. */
export type ReadStepFile = (file: string, limitBytes: number) => Promise<ReadFile>;

/** Why a value can't be passed to a step. */
export type ValueProblem = "missing" | "large" | "long" | "shapeless" | "absent";

export interface StepNeeds {
  /** Values of its conditions come first; the others are only needed if the conditions are met. */
  ofConditions: StepValue[];
  others: StepValue[];
  filled: StepText[];
}

export function stepNeeds(step: JobStep): StepNeeds {
  const filled = stepTexts(step).filter((text) => typeof text !== "string");
  const ofConditions = valuesIn(conditionTexts(step.when));
  const known = new Set(ofConditions.map(valueKey));
  return { ofConditions, others: valuesIn(filled).filter((value) => !known.has(valueKey(value))), filled };
}

/** In the order in which they are read. */
export function valuesOfStep(step: JobStep): StepValue[] {
  const { ofConditions, others } = stepNeeds(step);
  return [...ofConditions, ...others];
}

export async function stepTurn(step: JobStep, name: string, read: ReadStepFile): Promise<StepTurn> {
  const { ofConditions, others, filled } = stepNeeds(step);
  const values = new Map<string, string>();
  const find = (value: StepValue): string => values.get(valueKey(value)) ?? "";
  const takeAll = async (wanted: readonly StepValue[]): Promise<Verdict | undefined> => {
    for (const value of wanted) {
      const text = await readValue(value, read);
      if (typeof text !== "string") return valueVerdict(name, value, text.problem);
      values.set(valueKey(value), text);
    }
    return undefined;
  };
  const unknown = await takeAll(ofConditions);
  if (unknown) return { verdict: unknown };
  if (!(step.when ?? []).every((condition) => holds(condition, find))) return { isSkipped: true };
  const problem = (await takeAll(others)) ?? (areTooLong(filled, find) ? valueVerdict(name, undefined, "long") : undefined);
  return problem ? { verdict: problem } : { step: fillStep(step, find) };
}

async function readValue(value: StepValue, read: ReadStepFile): Promise<string | { problem: ValueProblem }> {
  const bytes = await read(stepResultFile(value), maxStepValueBytes);
  if (bytes === undefined) return { problem: "missing" };
  const text = bytes === "too large" ? undefined : toSafeText(bytes);
  if (text === undefined || Buffer.byteLength(text) > maxStepValueBytes) return { problem: "large" };
  return value.part === undefined && !value.spread ? text : readPart(text, value);
}

/** Lists and objects are JSON. @returns for a spread, the list as JSON again */
function readPart(text: string, { part = "", spread }: StepValue): string | { problem: ValueProblem } {
  const whole = parseJson(text);
  if (whole === null || typeof whole !== "object" || (spread && !Array.isArray(whole))) return { problem: "shapeless" };
  if (spread) return JSON.stringify(whole);
  const isThere = Array.isArray(whole) ? /^(0|[1-9]\d{0,8})$/.test(part) && Number(part) < whole.length : Object.hasOwn(whole, part);
  return isThere ? partText((whole as Record<string, unknown>)[part]).replaceAll("\0", "\ufffd") : { problem: "absent" };
}

function holds({ input, operator, values }: StepCondition, find: (value: StepValue) => string): boolean {
  // A pod compares words of a shell, which can't contain it.
  const word = (text: StepText): string => fillText(text, find).replaceAll("\0", "");
  const words = values.flatMap((value) => fillItem(value, find)).map((text) => text.replaceAll("\0", ""));
  return words.includes(word(input)) === (operator === "in");
}

function areTooLong(filled: readonly StepText[], find: (value: StepValue) => string): boolean {
  const sizes = filled.map((text) => Buffer.byteLength(fillText(text, find)));
  return sizes.some((size) => size > maxFilledTextBytes) || sizes.reduce((sum, size) => sum + size, 0) > maxFilledBytes;
}

/** @param value undefined: all of them together */
export function valueVerdict(name: string, value: StepValue | undefined, problem: ValueProblem): Verdict {
  if (value === undefined || problem === "long")
    return failed(
      "InvalidTask",
      `step "${name}" can't be started: with the results of other steps its command and environment are too long; give large results by their path`,
    );
  const result = `the result "${value.result}" of step "${value.step}"`;
  if (problem === "missing")
    return failed("InvalidTask", `step "${name}" needs ${result}, and there is none: that step was skipped, or did not write it`);
  if (problem === "shapeless")
    return failed("InvalidTask", `step "${name}" needs a part of ${result}, which is no JSON ${value.spread ? "list" : "list or object"}`);
  if (problem === "absent")
    return failed("InvalidTask", `step "${name}" needs ${JSON.stringify(value.part)} of ${result}, which has no such element or member`);
  const remedy = `give it by its path, $(steps.${value.step}.results.${value.result}.path)`;
  return failed("ResultTooLarge", `step "${name}" can't have ${result} as a value: it has more than ${maxStepValueBytes} bytes; ${remedy}`);
}
