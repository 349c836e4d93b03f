import { defineRunAgain } from "./define-run-again.ts";

export const rerunRun = defineRunAgain("rerun", {
  summary: "Run a run again from the failed tasks",
  description:
    "Makes a new run that takes over the results of what succeeded, and does again what failed and all that comes after it. " +
    "A run that is not over, or that succeeded, answers 409.",
});
