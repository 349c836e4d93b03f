import { findReferences, type Reference, scanReferences } from "../../parameter/references.ts";

/**
 * Results of earlier steps of the same task as values: `$(steps.STEP.results.RESULT)` in `command`, `args`, `env[].value` and `when`, as in
 * Tekton. A text that has some is kept in pieces until the executor knows them (docs/adr/0057), so that nothing in them or around them is
 * ever taken for a reference.
 */
export interface StepValue {
  step: string;
  result: string;
}

/** Text as it is, or its pieces in order. */
export type StepText = string | readonly (string | StepValue)[];

/** Tekton `when`: the step is skipped unless all hold. */
export interface StepCondition<Text = StepText> {
  input: Text;
  operator: "in" | "notin";
  values: Text[];
}

/** UTF-8 bytes of one value; above it a result is to be given by its path. */
export const maxStepValueBytes = 65_536;
/** Of an argument or a variable with values in it. Linux takes 128 KiB. */
export const maxFilledTextBytes = 130_000;
/** Of all texts with values in them that one step has. */
export const maxFilledBytes = 524_288;
/** Different values that one step can take. */
export const maxStepValues = 100;

/** The file of a step's result, in the folder of the task's results, where nothing can be mounted. The dot keeps it from being one of these. */
export function stepResultFile({ step, result }: StepValue): string {
  return `.${fileName(step)}.${fileName(result)}`;
}

function fileName(name: string): string {
  return name.replace(/[^\w.-]/g, "_");
}

/** @param words of a reference. @returns undefined: it is none to a value */
export function stepValueOf(words: readonly string[]): StepValue | undefined {
  const [root, step, member, ...name] = words;
  if (root !== "steps" || step === undefined || member !== "results" || name.length === 0 || name.at(-1) === "path") return undefined;
  return { step, result: name.join(".") };
}

/** The result of a step whose value a result of the task takes. */
export function resultSource(value: unknown): StepValue | undefined {
  if (typeof value !== "string") return undefined;
  const [reference] = findReferences(value.trim());
  return reference?.kind === "place" && reference.text === value.trim() ? stepValueOf(reference.words) : undefined;
}

/** The pieces that a reference stands for; undefined: it is replaced like all others. */
export type FindPieces = (reference: Reference) => readonly (string | StepValue)[] | undefined;

const stepValuePieces: FindPieces = (reference) => {
  const value = reference.kind === "place" ? stepValueOf(reference.words) : undefined;
  return value && [value];
};

/** @param resolve replaces the other references of a text */
export function splitStepText(text: string, resolve: (text: string) => string, find: FindPieces = stepValuePieces): StepText {
  const pieces: (string | StepValue)[] = [];
  let at = 0;
  for (const { reference, start, end } of scanReferences(text)) {
    const found = reference && find(reference);
    if (found === undefined) continue;
    if (start > at) pieces.push(resolve(text.slice(at, start)));
    pieces.push(...found);
    at = end;
  }
  if (pieces.length === 0) return resolve(text);
  if (at < text.length) pieces.push(resolve(text.slice(at)));
  return pieces;
}

export function hasStepValues(text: string): boolean {
  return typeof splitStepText(text, (piece) => piece) !== "string";
}

/** Each once, in the order of their first place. */
export function valuesIn(texts: readonly StepText[]): StepValue[] {
  const found = new Map<string, StepValue>();
  for (const text of texts) {
    if (typeof text === "string") continue;
    for (const piece of text) if (typeof piece !== "string") found.set(stepResultFile(piece), piece);
  }
  return [...found.values()];
}

export function conditionTexts(conditions: readonly StepCondition[] = []): StepText[] {
  return conditions.flatMap(({ input, values }) => [input, ...values]);
}

export type FindValue = (value: StepValue) => string;

export function fillText(text: StepText, find: FindValue): string {
  return typeof text === "string" ? text : text.map((piece) => (typeof piece === "string" ? piece : find(piece))).join("");
}
