import { defineRunAgain } from "./define-run-again.ts";

export const retryRun = defineRunAgain("retry", {
  summary: "Run a run again from the beginning",
  description:
    "Makes a new run with the same content and parameters, linked to the first original; a body is ignored. A run that is not over answers 409.",
});
