import type { Step, TaskSpec } from "@millrace/contract/task/task.ts";
import type { ErrorDetail } from "../../../base/error/app-error.ts";
import { findReferences, textsOf } from "../../parameter/references.ts";
import { actionOfStep } from "./step-action/step-action.ts";
import {
  declaredResults,
  maxStepValues,
  referencedValue,
  resultSource,
  type StepValue,
  stepResultFile,
  valueKey,
  withPart,
} from "./step-values.ts";

/**
 * Problems with references to results of steps as values. `$(steps.STEP.results.RESULT)` must name a result of type string that an earlier
 * step declares, and may be used in `command`, `args`, `env[].value` or `when` of a step, or as the whole `value` of a result of the task.
 *
 * @param steps with the step template merged in, named as in their job
 */
export function stepValueFaults(spec: Partial<TaskSpec>, steps: readonly Step[], names: readonly string[]): ErrorDetail[] {
  const found = steps.flatMap((step, index) => [
    ...valueFaults(step, index, steps, names),
    ...conditionFaults(step["when"], `/spec/steps/${index}/when`),
  ]);
  return [
    ...found,
    ...sharedFiles(steps, names),
    ...(spec.results ?? []).flatMap((result, index) => resultFaults(result, `/spec/results/${index}`, steps, names)),
  ];
}

/** Step `a.b` with the result `c`, and step `a` with the result `b.c`, would write the same file. */
function sharedFiles(steps: readonly Step[], names: readonly string[]): ErrorDetail[] {
  const taken = new Map<string, string>();
  return steps.flatMap(({ results = [] }, index) => {
    const step = names[index] ?? "";
    return results.flatMap(({ name }, at) => {
      const file = stepResultFile({ step, result: name });
      const other = taken.get(file);
      taken.set(file, step);
      if (other === undefined || other === step) return [];
      return [
        {
          path: `/spec/steps/${index}/results/${at}/name`,
          message: `is kept in the same file as a result of the step ${other}; rename it`,
        },
      ];
    });
  });
}

function valueFaults(step: Step, index: number, steps: readonly Step[], names: readonly string[]): ErrorDetail[] {
  const path = `/spec/steps/${index}`;
  const places: [string, unknown][] = [
    ...(step.command ?? []).map((text, at): [string, unknown] => [`command/${at}`, text]),
    ...(step.args ?? []).map((text, at): [string, unknown] => [`args/${at}`, text]),
    ...(step.env ?? []).map(({ value }, at): [string, unknown] => [`env/${at}/value`, value]),
    ["when", step["when"]],
    ...(step.params ?? []).map(({ value }, at): [string, unknown] => [`params/${at}/value`, value]),
  ];
  const earlier = { steps: steps.slice(0, index), names: names.slice(0, index), all: names, own: names[index] };
  const found = places.flatMap(([member, text]) =>
    referencesIn(text).flatMap(({ text: written, value }) => {
      const isItem = /^(command|args)\//.test(member) && String(text).trim() === written;
      const isValue = member === "when" && !isInOtherTexts(text, written);
      const fault = value === undefined ? notWhole : value.spread && !isItem && !isValue ? notAnItem : sourceFault(value, earlier);
      return fault === undefined ? [] : [{ path: `${path}/${member}`, message: `refers to ${written}, but ${fault}` }];
    }),
  );
  const taken = new Set(places.flatMap(([, text]) => referencesIn(text).flatMap(({ value }) => (value ? [valueKey(value)] : []))));
  const tooMany = { path, message: `takes ${taken.size} results of other steps as values; it can take ${maxStepValues}` };
  return [...found, ...(taken.size > maxStepValues ? [tooMany] : []), ...misplaced(step, path)];
}

/** Refused as in Tekton: a value inside a program would become a part of the program. */
function misplaced({ script, workingDir, image, onError, timeout, stdoutConfig, stderrConfig }: Step, path: string): ErrorDetail[] {
  return Object.entries({ script, workingDir, image, onError, timeout, stdoutConfig, stderrConfig }).flatMap(([member, text]) =>
    referencesIn(text).map(({ text: written }) => ({
      path: `${path}/${member}`,
      message:
        member === "script"
          ? `refers to ${written}, but a script can't have results of steps in its text; give it to the script by env or args`
          : `refers to ${written}, but results of steps can only be values in command, args, env and when`,
    })),
  );
}

const notWhole = "a step can't take its own results; use its path, which ends in .path";
const notAnItem = "[*] can only be a whole item of command, of args, or of the values of a condition";

/** Whether the text occurs in a condition anywhere except as one of its values. */
function isInOtherTexts(when: unknown, written: string): boolean {
  const conditions = Array.isArray(when) ? (when as { input?: unknown; values?: unknown }[]) : [];
  return conditions.some(({ input, values }) => {
    const others = (Array.isArray(values) ? values : []).filter((value) => String(value).trim() !== written);
    return textsOf([input, others]).some((text) => text.includes(written));
  });
}

interface EarlierSteps {
  steps: readonly Step[];
  names: readonly string[];
  all: readonly string[];
  own?: string | undefined;
}

function sourceFault(written: StepValue, { steps, names, all, own }: EarlierSteps): string | undefined {
  const { step, result, part, spread } = withPart(written, declaredResults(names, steps));
  const index = names.indexOf(step);
  if (step === own) return "this is the step itself; a step can only take results of earlier steps";
  if (index < 0 && all.includes(step)) return `the step ${step} comes later; a step can only take results of earlier steps`;
  if (index < 0) return `the task has no step ${step}`;
  if (isUnknown(steps[index])) return undefined;
  const declared = steps[index]?.results?.find(({ name }) => name === result);
  if (declared === undefined) return `the step ${step} declares no result ${result}; add it to the results of that step`;
  return partFault(declared, part, spread);
}

function partFault({ type = "string", properties }: Record<string, unknown>, part: string | undefined, spread = false): string | undefined {
  if (type === "string") return spread ? "this result is of type string; [*] needs one of type array" : undefined;
  if (spread) return type === "array" && part === undefined ? undefined : "[*] needs a whole result of type array";
  if (part === undefined)
    return `this result is of type ${String(type)}; take ${type === "array" ? "all elements with [*], one with [0]" : "a member with .NAME"}, or its path`;
  if (type === "array")
    return /^(0|[1-9]\d{0,8})$/.test(part) ? undefined : `this result is of type array, which has no ${part}; take one with [0]`;
  const isKnown = typeof properties !== "object" || properties === null || Object.hasOwn(properties, part);
  return isKnown ? undefined : `this result declares no member ${part} in its properties`;
}

/** A step whose StepAction was not found; this is reported as another fault. */
function isUnknown(step: Step | undefined): boolean {
  return step?.ref != null && actionOfStep(step) === undefined;
}

/** References to results of a step, except to their paths; the value is undefined for a reference to the step itself. */
function referencesIn(texts: unknown): { text: string; value: StepValue | undefined }[] {
  return findReferences(texts).flatMap((reference) => {
    if (reference.kind !== "place") return [];
    const own = reference.words[0] === "step" && reference.words[1] === "results" && reference.words.at(-1) !== "path";
    const value = referencedValue(reference);
    return value || own ? [{ text: reference.text, value }] : [];
  });
}

/** Tekton `when` of a step. */
function conditionFaults(when: unknown, path: string): ErrorDetail[] {
  if (when === undefined || when === null) return [];
  if (!Array.isArray(when)) return [{ path, message: "must be a list of conditions with input, operator and values" }];
  if (when.length > maxStepValues) return [{ path, message: `has ${when.length} conditions; it can have ${maxStepValues}` }];
  return when.flatMap((condition: unknown, index) => {
    const fault = conditionFault(condition);
    return fault === undefined ? [] : [{ path: `${path}/${index}`, message: fault }];
  });
}

function conditionFault(condition: unknown): string | undefined {
  if (typeof condition !== "object" || condition === null || Array.isArray(condition)) return "must have input, operator and values";
  const { cel, input, operator, values, ...others } = condition as Record<string, unknown>;
  if (cel !== undefined)
    return "has a CEL expression (cel), which is not supported; write it with input, operator (in or notin) and values";
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) return `has the member ${unknown}; a condition has input, operator and values`;
  if (typeof input !== "string") return "needs input, as a text";
  if (operator !== "in" && operator !== "notin") return `has the operator ${JSON.stringify(operator ?? null)}; it must be in or notin`;
  const isList = Array.isArray(values) && values.length > 0 && values.every((value) => typeof value === "string");
  if (!isList) return "needs values, as a list of texts";
  return values.length > 1000 ? `has ${values.length} values; it can have 1000` : undefined;
}

function resultFaults(
  { name, type = "string", value }: { name: string; type?: unknown; value?: unknown },
  path: string,
  steps: readonly Step[],
  names: readonly string[],
): ErrorDetail[] {
  if (value === undefined || value === null) return [];
  const source = resultSource(value);
  const at = `${path}/value`;
  if (source === undefined)
    return [{ path: at, message: `is ${JSON.stringify(value)}; it must be a whole result of a step: $(steps.STEP.results.RESULT)` }];
  const index = names.indexOf(source.step);
  if (index < 0) return [{ path: at, message: `refers to ${String(value)}, but the task has no step ${source.step}` }];
  if (isUnknown(steps[index])) return [];
  const declared = steps[index]?.results?.find((result) => result.name === source.result);
  if (declared === undefined)
    return [{ path: at, message: `refers to ${String(value)}, but the step ${source.step} declares no result ${source.result}` }];
  const { type: own = "string" } = declared;
  if (own === type) return [];
  return [{ path: at, message: `refers to a result of type ${String(own)}, but the result ${name} is of type ${String(type)}` }];
}
