import type { Step, TaskSpec } from "@millrace/contract/task/task.ts";
import { sidecarsOf } from "../flat-step.ts";
import { fillStep, type JobStep, type PlainStep } from "../job-steps.ts";
import { type ReadinessProbe, readProbe } from "./readiness-probe.ts";

/**
 * Sidecars of a task, as in Tekton: containers that start before its first step, share its network and run until its last step has ended.
 * They see the workspaces and the volumes that they mount, and have a scratch folder of their own, but no results (docs/adr/0061).
 */
export interface JobSidecar extends PlainStep {
  /** Absent: it is ready as soon as it runs. */
  probe?: ReadinessProbe;
  /** Names of the workspaces that it sees; absent: all of the task. */
  workspaces?: readonly string[];
}

/** @param steps the steps of the sidecars, with their texts resolved */
export function jobSidecars({ spec }: { spec: Partial<TaskSpec> }, steps: readonly JobStep[]): JobSidecar[] {
  const written = sidecarsOf(spec);
  return steps.map((step, index) => jobSidecar(step, written[index] as Step));
}

function jobSidecar(step: JobStep, written: Step): JobSidecar {
  const probe = written["readinessProbe"] == null ? undefined : readProbe(written["readinessProbe"], written["ports"], "");
  const workspaces = written["workspaces"] as { name: string }[] | null | undefined;
  return {
    ...fillStep(step, () => ""),
    ...(probe && !("fault" in probe) && { probe }),
    ...(Array.isArray(workspaces) && { workspaces: workspaces.map(({ name }) => name) }),
  };
}
