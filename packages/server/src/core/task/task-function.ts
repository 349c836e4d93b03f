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
  /** Whether its sandbox may be reused for the next job. */
  keep: KeepWord;
}

/**
 * The function that a task run calls. Annotations of a task are not versioned, so even values that a save refuses can occur here.
 *
 * @param steps resolved
 * @returns undefined if it is not a function; a problem as a sentence
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
