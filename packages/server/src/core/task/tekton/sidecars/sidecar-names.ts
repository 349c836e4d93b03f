import type { Step, TaskSpec } from "@millrace/contract/task/task.ts";

/** The sidecars of a task as they are written. They take nothing from the step template, as in Tekton. */
export function sidecarsOf(spec: Partial<TaskSpec>): Step[] {
  return (spec.sidecars ?? []) as Step[];
}

export function sidecarNames(sidecars: readonly Pick<Step, "name">[]): string[] {
  return sidecars.map(({ name }, index) => name || `unnamed-${index}`);
}

/** Where its lines stand in the log, as Tekton calls its container. */
export function sidecarStepName(name: string): string {
  return `sidecar-${name}`;
}
