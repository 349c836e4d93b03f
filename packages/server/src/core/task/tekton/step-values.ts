import type { Step } from "@millrace/contract/task/task.ts";
import type { ParameterScope } from "../../parameter/parameters.ts";
import type { Lookup } from "../../parameter/parameters-substitution.ts";
import { findReferences, parseJson, type Reference, scanReferences } from "../../parameter/references.ts";

/**
 * Results of earlier steps of the same task as values: `$(steps.STEP.results.RESULT)` in `command`, `args`, `env[].value` and `when`, as in
 * Tekton. A text with such values is kept in pieces until the executor knows them (docs/adr/0057), so that nothing in them or around them
 * is ever read as a reference.
 */
export interface StepValue {
  step: string;
  result: string;
  /** A member of an object, or an index of a list: only this part of the result is used. */
  part?: string;
  /** All elements of a list, each as an item of its own. */
  spread?: true;
}

/** The declared results of each step, by the names that the steps have in their job. */
export type DeclaredResults = ReadonlyMap<string, ReadonlyMap<string, { type?: unknown }>>;

export function declaredResults(names: readonly string[], steps: readonly Step[]): DeclaredResults {
  return new Map(steps.map(({ results = [] }, index) => [names[index] ?? "", new Map(results.map((result) => [result.name, result]))]));
}

/** `a.b` is the result of that name, if it exists, otherwise the member `b` of the result `a`. */
export function withPart(value: StepValue, declared: DeclaredResults): StepValue {
  const results = declared.get(value.step);
  const at = value.result.lastIndexOf(".");
  if (results === undefined || at < 0 || results.has(value.result)) return value;
  const [result, part] = [value.result.slice(0, at), value.result.slice(at + 1)];
  const { type } = results.get(result) ?? {};
  return type === "array" || type === "object" ? { ...value, result, part } : value;
}

/** A key that distinguishes values, even parts of the same result. */
export function valueKey(value: StepValue): string {
  return JSON.stringify([stepResultFile(value), value.part, value.spread]);
}

/** A plain text, or its pieces in order. */
export type StepText = string | readonly (string | StepValue)[];

/** Tekton `when`: the step is skipped unless all hold. */
export interface StepCondition<Text = StepText> {
  input: Text;
  operator: "in" | "notin";
  values: Text[];
}

/** UTF-8 bytes of one value; a larger result must be passed by its path. */
export const maxStepValueBytes = 65_536;
/** For an argument or a variable with values in it. Linux allows 128 KiB. */
export const maxFilledTextBytes = 130_000;
/** For all texts of one step that contain values. */
export const maxFilledBytes = 524_288;
/** Number of different values that one step can use. */
export const maxStepValues = 100;

/**
 * The file of a step's result, in the folder of the task's results, where nothing can be mounted. The dot in the name distinguishes it from
 * those.
 */
export function stepResultFile({ step, result }: StepValue): string {
  return `.${fileName(step)}.${fileName(result)}`;
}

function fileName(name: string): string {
  return name.replace(/[^\w.-]/g, "_");
}

/**
 * A result that a step leaves for later steps (`$(step.results.NAME.path)`, `$(steps.STEP.results.NAME.path)`) is a file beside the results
 * of the task. Other paths are looked up in `extra`, since only the executor knows them.
 */
export function placeOfResult(words: readonly string[], step: string, extra: ParameterScope["extra"] = () => ({ found: false })): Lookup {
  const own = words[0] === "step" ? ["steps", step, ...words.slice(1)] : words;
  const [root, from, member, ...name] = own;
  if (root !== "steps" || from === undefined || member !== "results" || name.length < 2 || name.pop() !== "path") return extra(words);
  return extra(["results", stepResultFile({ step: from, result: name.join(".") }), "path"]);
}

/** @param words of a reference. @returns undefined: it does not refer to a value */
export function stepValueOf(words: readonly string[]): StepValue | undefined {
  const [root, step, member, ...name] = words;
  if (root !== "steps" || step === undefined || member !== "results" || name.length === 0 || name.at(-1) === "path") return undefined;
  return { step, result: name.join(".") };
}

/** The result of a step whose value becomes a result of the task. */
export function resultSource(value: unknown): StepValue | undefined {
  if (typeof value !== "string") return undefined;
  const [reference] = findReferences(value.trim());
  return reference?.kind === "place" && reference.text === value.trim() ? stepValueOf(reference.words) : undefined;
}

/** The pieces that replace a reference; undefined: it is replaced like all other references. */
export type FindPieces = (reference: Reference) => readonly (string | StepValue)[] | undefined;

const stepValuePieces: FindPieces = (reference) => {
  const value = referencedValue(reference);
  return value && [value];
};

/** The same if the declared results of the steps are known. */
export function piecesOf(declared: DeclaredResults): FindPieces {
  return (reference) => stepValuePieces(reference)?.map((value) => withPart(value as StepValue, declared));
}

/** @returns undefined: it does not refer to a value */
export function referencedValue(reference: Reference): StepValue | undefined {
  const value = reference.kind === "place" ? stepValueOf(reference.words) : undefined;
  return value && reference.kind === "place" && reference.spread ? { ...value, spread: true } : value;
}

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

/** Each value once, in the order of its first occurrence. */
export function valuesIn(texts: readonly StepText[]): StepValue[] {
  const found = new Map<string, StepValue>();
  for (const text of texts) {
    if (typeof text === "string") continue;
    for (const piece of text) if (typeof piece !== "string") found.set(valueKey(piece), piece);
  }
  return [...found.values()];
}

export function conditionTexts(conditions: readonly StepCondition[] = []): StepText[] {
  return conditions.flatMap(({ input, values }) => [input, ...values]);
}

/** Returns the text of a value; for a spread, the list as JSON. */
export type FindValue = (value: StepValue) => string;

/** A text that is only a spread of a list becomes several items. */
export function fillItem(text: StepText, find: FindValue): string[] {
  const [piece, ...others] = typeof text === "string" ? [] : text;
  const isSpread = typeof piece === "object" && piece.spread === true && others.length === 0;
  const list = isSpread ? parseJson(find(piece)) : undefined;
  return Array.isArray(list) ? list.map(partText) : [fillText(text, find)];
}

/** An element or a member as text. */
export function partText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

export function fillText(text: StepText, find: FindValue): string {
  return typeof text === "string" ? text : text.map((piece) => (typeof piece === "string" ? piece : find(piece))).join("");
}
