import type { PlanNode } from "../workflow/plan.ts";
import {
  type FunctionLanguage,
  functionLanguages,
  functionProblem,
  type KeepWord,
  keepAnnotation,
  languageAnnotation,
  needsLanguage,
  nodeKeepFault,
  readKeep,
} from "./tekton/annotations/function-annotations.ts";
import type { JobStep } from "./tekton/job-steps.ts";

/** A task whose script is a function. */
export interface TaskFunction {
  language: FunctionLanguage;
  /** Whether its sandbox may be kept for the next job. */
  keep: KeepWord;
}

/**
 * What a task run is as a function. Annotations of a task are not of a version, so what a save has refused can still come here.
 *
 * @param steps resolved
 * @returns undefined: it is none; a problem as a sentence
 */
export function taskFunction(node: PlanNode, steps: readonly JobStep[]): TaskFunction | { problem: string } | undefined {
  const { task } = node;
  const asked = task?.annotations[languageAnnotation];
  const [own, keep] = [node.annotations[keepAnnotation], task?.annotations[keepAnnotation]];
  const say = (name: string, problem: string) => ({ problem: `task ${task?.name} cannot run: its annotation ${name} ${problem}` });
  if (own != null && readKeep(own) !== "false") return say(keepAnnotation, nodeKeepFault(own));
  if (asked == null) return keep == null || readKeep(keep) === "false" ? undefined : say(keepAnnotation, needsLanguage);
  const language = functionLanguages.find((one) => one === asked);
  const problem = language === undefined ? `is ${JSON.stringify(asked)}, which is not a language for functions` : functionProblem(steps);
  if (language === undefined || problem !== undefined) return say(languageAnnotation, problem ?? "");
  return { language, keep: readKeep(own ?? keep) ?? "false" };
}
