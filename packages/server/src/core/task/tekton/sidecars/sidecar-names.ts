import type { Step, TaskSpec } from "@millrace/contract/task/task.ts";

/** The sidecars of a task as written. As in Tekton, the step template does not apply to them. */
export function sidecarsOf(spec: Partial<TaskSpec>): Step[] {
  return (spec.sidecars ?? []) as Step[];
}

export function sidecarNames(sidecars: readonly Pick<Step, "name">[]): string[] {
  return sidecars.map(({ name }, index) => name || `unnamed-${index}`);
}

/** The step name of its lines in the log: the name of its container in Tekton. */
export function sidecarStepName(name: string): string {
  return `sidecar-${name}`;
}
