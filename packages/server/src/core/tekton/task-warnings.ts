import type { Step, TaskSpec } from "@millrace/contract/task.ts";
import { findReferences } from "../references.ts";
import { mergedSteps } from "./merge-step-template.ts";

/**
 * What looks like a mistake in a task that can be saved all the same: steps that refer to parameters it does not declare. A
 * node may give such a parameter, or a layer around the task may have it, so nobody but the author can say.
 */
export function findTaskWarnings(spec: TaskSpec, taskName: string): string[] {
  const declared = namesOf(spec);
  return mergedSteps(spec, taskName).flatMap((step, index) => {
    const names = undeclared(step, declared);
    const where = step.name ? `step ${step.name}` : `step ${index + 1}`;
    return names.map((name) => `${where} refers to the parameter ${name}, which the task does not declare`);
  });
}

/** Parameters that its steps refer to and that it does not declare. */
export function undeclaredParams(spec: TaskSpec, taskName: string): string[] {
  const declared = namesOf(spec);
  return [...new Set(mergedSteps(spec, taskName).flatMap((step) => undeclared(step, declared)))];
}

function namesOf({ params }: TaskSpec): Set<string> {
  return new Set(params.map(({ name }) => name));
}

function undeclared(step: Step, declared: ReadonlySet<string>): string[] {
  const references = findReferences([
    step.image,
    step.script,
    step.command,
    step.args,
    step.env?.map(({ value }) => value),
    step.workingDir,
  ]);
  const names = references.flatMap((reference) => (reference.kind === "param" && reference.layer === undefined ? [reference.name] : []));
  return [...new Set(names)].filter((name) => !declared.has(name)).sort();
}
