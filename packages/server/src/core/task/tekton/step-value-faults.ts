import type { Step, TaskSpec } from "@millrace/contract/task.ts";
import type { ErrorDetail } from "../../../base/error/app-error.ts";
import { findReferences, textsOf } from "../../parameter/references.ts";
import { actionOfStep } from "./step-action/step-action.ts";
import { maxStepValues, resultSource, type StepValue, stepResultFile, stepValueOf } from "./step-values.ts";

/**
 * What is wrong with results of steps as values: `$(steps.STEP.results.RESULT)` has to name a result of type string that an earlier step
 * declares, in `command`, `args`, `env[].value` or `when` of a step, or as the whole `value` of a result of the task.
 *
 * @param steps with the step template merged in, named as their job will have it
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

/** Step `a.b` with the result `c`, and step `a` with the result `b.c`, would write one file. */
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
      const fault = value === undefined ? notWhole : sourceFault(value, earlier);
      return fault === undefined ? [] : [{ path: `${path}/${member}`, message: `refers to ${written}, but ${fault}` }];
    }),
  );
  const taken = new Set(places.flatMap(([, text]) => referencesIn(text).flatMap(({ value }) => (value ? [stepResultFile(value)] : []))));
  const tooMany = { path, message: `takes ${taken.size} results of other steps as values; it can take ${maxStepValues}` };
  return [...found, ...(taken.size > maxStepValues ? [tooMany] : []), ...misplaced(step, path)];
}

/** As in Tekton: a value inside a program would be a part of the program. */
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

const notWhole = "only a whole result of type string can be a value; use its path instead, which ends in .path";

interface EarlierSteps {
  steps: readonly Step[];
  names: readonly string[];
  all: readonly string[];
  own?: string | undefined;
}

function sourceFault({ step, result }: StepValue, { steps, names, all, own }: EarlierSteps): string | undefined {
  const index = names.indexOf(step);
  if (step === own) return "this is the step itself; a step can only take results of earlier steps";
  if (index < 0 && all.includes(step)) return `the step ${step} comes later; a step can only take results of earlier steps`;
  if (index < 0) return `the task has no step ${step}`;
  if (isUnknown(steps[index])) return undefined;
  const declared = steps[index]?.results?.find(({ name }) => name === result);
  if (declared === undefined) return `the step ${step} declares no result ${result}; add it to the results of that step`;
  const { type = "string" } = declared;
  return type === "string" ? undefined : `this result is of type ${String(type)}; ${notWhole}`;
}

/** A step whose StepAction was not found, which is a fault of its own. */
function isUnknown(step: Step | undefined): boolean {
  return step?.ref != null && actionOfStep(step) === undefined;
}

/** A reference to a result of a step, other than to its path; undefined where it is to a part of one. */
function referencesIn(texts: unknown): { text: string; value: StepValue | undefined }[] {
  const values = findReferences(texts).flatMap((reference) => {
    if (reference.kind !== "place") return [];
    const own = reference.words[0] === "step" && reference.words[1] === "results" && reference.words.at(-1) !== "path";
    const value = stepValueOf(reference.words);
    return value || own ? [{ text: reference.text, value }] : [];
  });
  const spreads = textsOf(texts).flatMap((text) => [...text.matchAll(/\$\(steps\.[^()\s]{1,500}\[\*\]\)/g)].map(([written]) => written));
  return [...values, ...spreads.map((text) => ({ text, value: undefined }))];
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
