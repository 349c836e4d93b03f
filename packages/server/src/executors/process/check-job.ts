import type { Job } from "../../engine/executor.ts";
import { checkTask } from "../steps/check-task.ts";
import { invalid, type Verdict } from "../steps/outcomes.ts";
import { homeFolder, workspacesProblem } from "../steps/sandbox-view.ts";
import type { Level } from "./level.ts";

/** @returns why this executor can't run the job as it is described, or undefined */
export function checkJob(job: Job, level: Level): Verdict | undefined {
  const withImage = job.steps.find((step) => step.image !== undefined && step.image !== "");
  if (withImage) return invalid("ImageRequired", imageMessage(withImage.name, withImage.image ?? ""));
  const problem = checkTask(job, level.hasOwnFiles);
  if (problem || !level.hasOwnFiles) return problem;
  const place = workspacesProblem(job.workspaces, [...level.shownFolders, homeFolder]);
  return place === undefined ? undefined : invalid("InvalidTask", place);
}

function imageMessage(step: string, image: string): string {
  return (
    `step "${step}" needs the image ${image}, and this worker runs steps as plain processes. ` +
    "Use a worker with a container executor, or give the task the annotation millrace.dev/executor: process if its steps also run without the image"
  );
}
