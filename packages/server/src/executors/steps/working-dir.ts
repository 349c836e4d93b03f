import type { JobStep } from "../../core/task/tekton/job-steps.ts";
import type { View } from "./view.ts";

/** Relative folders lie in the working folder of the attempt. */
export function workingDir({ workingDir }: JobStep, view: View): string {
  if (workingDir === undefined || workingDir === "") return view.work;
  const clean = workingDir.replaceAll("\0", "");
  return clean.startsWith("/") ? clean : `${view.work}/${clean}`;
}
