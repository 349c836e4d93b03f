import { escapePointer } from "@millrace/contract/json-pointer.ts";
import type { ErrorDetail } from "../../../../base/error/app-error.ts";
import type { RunnableTask } from "../runnable.ts";
import { mergedSteps } from "../step-action/step-action.ts";
import { annotationPrefix } from "./service-annotations.ts";

/**
 * Annotations that make the script of a task a function: it is loaded and called with the parameters, and its return value becomes the
 * results. The language belongs to the task, since it says how the script is to be read. So does whether its sandbox may be reused; a node
 * can only turn that off.
 */
export const functionLanguages = ["javascript", "typescript", "python"] as const;
export type FunctionLanguage = (typeof functionLanguages)[number];

/** `with-secrets`: also for jobs with secrets. */
export const keepWords = ["false", "true", "with-secrets"] as const;
export type KeepWord = (typeof keepWords)[number];

export const languageAnnotation = `${annotationPrefix}language`;
export const keepAnnotation = `${annotationPrefix}keep-alive`;

/** In YAML, an unquoted `true` is not a text. */
export function readKeep(value: unknown): KeepWord | undefined {
  return keepWords.find((word) => word === String(value));
}

/** Problems with the annotations of a task. */
export function functionFaults(task: RunnableTask, path: string): ErrorDetail[] {
  const [language, keep] = [task.annotations[languageAnnotation], task.annotations[keepAnnotation]];
  const at = (name: string, message: string): ErrorDetail => ({ path: `${path}/${escapePointer(name)}`, message });
  if (keep != null && readKeep(keep) === undefined) return [at(keepAnnotation, wrongKeep(keep))];
  if (language == null) return keep == null ? [] : [at(keepAnnotation, needsLanguage)];
  if (!functionLanguages.includes(language as FunctionLanguage)) return [at(languageAnnotation, wrongLanguage(language))];
  const problem = functionProblem(mergedSteps(task.spec, task.name));
  return problem === undefined ? [] : [at(languageAnnotation, problem)];
}

/** The same for a node of a workflow. */
export function nodeFunctionFaults(annotations: Readonly<Record<string, unknown>>, path: string): ErrorDetail[] {
  const [language, keep] = [annotations[languageAnnotation], annotations[keepAnnotation]];
  const at = (name: string, message: string): ErrorDetail => ({ path: `${path}/${escapePointer(name)}`, message });
  if (language != null) return [at(languageAnnotation, "belongs to the task, since it says how its script is read; remove it here")];
  return keep == null || readKeep(keep) === "false" ? [] : [at(keepAnnotation, nodeKeepFault(keep))];
}

/** A node can't allow what its task doesn't allow. */
export function nodeKeepFault(value: unknown): string {
  return `is ${JSON.stringify(value)}; a node can only say false, and its task whether its sandbox can be kept`;
}

/** Why these steps can't be a function, as the end of a sentence about the annotation. */
export function functionProblem(
  steps: readonly { script?: string; command?: readonly unknown[]; args?: readonly unknown[]; ref?: unknown }[],
): string | undefined {
  const [step] = steps;
  if (step === undefined || steps.length > 1) return `needs exactly one step, but the task has ${steps.length}`;
  if (step.ref != null) return "can't be combined with a StepAction: a function gets the parameters of the task";
  if (!step.script) return "needs a step with a script that defines the function; a command can't be one";
  if (step.args?.length) return "can't be combined with args: a function gets the parameters of the task";
  return undefined;
}

export const needsLanguage = `needs ${languageAnnotation} beside it, since only a task whose script is a function can be kept alive`;

function wrongKeep(value: unknown): string {
  return `is ${JSON.stringify(value)}; it must be one of ${keepWords.join(", ")}`;
}

function wrongLanguage(value: unknown): string {
  return `is ${JSON.stringify(value)}; it must be one of ${functionLanguages.join(", ")}`;
}
