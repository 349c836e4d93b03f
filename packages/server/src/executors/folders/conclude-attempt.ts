import type { Masker } from "../../base/secret/mask.ts";
import type { Job, JobOutcome } from "../../engine/executor.ts";
import { judgeOnFullDisk } from "../machine/judge-fault.ts";
import type { MachineWatch } from "../machine/machine-watch.ts";
import { failed, type Verdict } from "../steps/outcomes.ts";
import { readResults } from "../steps/read-results.ts";
import type { Attempt } from "./attempt-folder.ts";
import type { LimitWatch } from "./limit-watch.ts";
import type { WorkspaceSizes } from "./watched-folders.ts";

export interface EndedAttempt {
  job: Job;
  attempt: Attempt;
  masker: Masker;
  watch: LimitWatch;
  sizes: WorkspaceSizes;
  machine: MachineWatch;
  /** The user who must own result files; undefined: any. */
  owner: number | undefined;
}

/**
 * What the steps left in the folders of this machine: their results, and whether they exceeded a limit. A failure of a step takes
 * precedence.
 */
export async function concludeAttempt(
  { job, attempt, masker, watch, sizes, machine, owner }: EndedAttempt,
  verdict: Verdict,
): Promise<{ verdict: Verdict; results: JobOutcome["results"] }> {
  const [{ results, problem }, breach] = await Promise.all([readResults(job, `${attempt.writable}/results`, owner, masker), watch.check()]);
  const isWithinLimits = verdict.status === "succeeded" && breach === undefined;
  const judged =
    verdict.status === "succeeded" ? breach && failed(breach.reason, breach.message) : await judgeOnFullDisk(verdict, watch, machine);
  const gone = isWithinLimits ? [] : await watch.takeBack();
  for (const { source } of job.workspaces) sizes.remember(source, watch.sizeOf(source));
  if (judged) return { verdict: { ...judged, message: [judged.message, ...gone].join("; ") }, results };
  return { verdict: problem ? failed(problem.reason, problem.message) : verdict, results };
}
