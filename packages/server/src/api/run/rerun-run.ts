import { defineRunAgain } from "./define-run-again.ts";

export const rerunRun = defineRunAgain("rerun", {
  summary: "Run a run again from the failed tasks",
  description:
    "Creates a run that keeps the results of tasks that succeeded, and runs the failed tasks and all that follow them again. " +
    "409 for a run that is still open, or that succeeded.",
});
