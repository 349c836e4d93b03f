import type { Job } from "../../engine/executor.ts";
import { invalid, type Verdict } from "./outcomes.ts";
import { workspacesProblem } from "./sandbox-view.ts";
import { isFileName } from "./step-names.ts";

/**
 * @param hasOwnFiles whether steps have a file system of their own, in which workspaces get their places
 * @returns why no executor could run the job as it is described, or undefined
 */
export function checkTask(job: Job, hasOwnFiles: boolean): Verdict | undefined {
  if (job.steps.length === 0) return invalid("InvalidTask", "the task has no steps, so there is nothing to run");
  const badResult = job.results.find(({ name }) => !isFileName(name));
  if (badResult)
    return invalid(
      "InvalidTask",
      `result ${JSON.stringify(badResult.name)} can't be a file: its name can't be empty, "." or "..", or contain a /`,
    );
  const problem = hasOwnFiles ? workspacesProblem(job.workspaces) : undefined;
  return problem === undefined ? undefined : invalid("InvalidTask", problem);
}
