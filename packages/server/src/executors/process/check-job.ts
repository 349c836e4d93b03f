import type { Job } from "../../engine/executor.ts";
import type { Level } from "./level.ts";
import { invalid, type Verdict } from "./outcomes.ts";
import { isFileName } from "./prepare-steps.ts";
import { workspaceProblem } from "./sandbox-view.ts";

/** @returns why this executor can't run the job as it is described, or undefined */
export function checkJob(job: Job, level: Level): Verdict | undefined {
  const withImage = job.steps.find((step) => step.image !== undefined && step.image !== "");
  if (withImage) return invalid("ImageRequired", imageMessage(withImage.name, withImage.image ?? ""));
  if (job.steps.length === 0) return invalid("InvalidTask", "the task has no steps, so there is nothing to run");
  const badResult = job.results.find(({ name }) => !isFileName(name));
  if (badResult)
    return invalid(
      "InvalidTask",
      `result ${JSON.stringify(badResult.name)} can't be a file: its name may not be empty, ".", ".." or hold a /`,
    );
  for (const { name, mountPath } of level.hasOwnFiles ? job.workspaces : []) {
    const problem = workspaceProblem(mountPath);
    if (problem) return invalid("InvalidTask", `workspace "${name}" can't be shown: ${problem}`);
  }
  return undefined;
}

function imageMessage(step: string, image: string): string {
  return (
    `step "${step}" needs the image ${image}, and this worker runs steps as plain processes. ` +
    "Use a worker with a container executor, or give the task the annotation millrace.dev/executor: process if its steps also run without the image"
  );
}
