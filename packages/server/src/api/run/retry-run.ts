import { defineRunAgain } from "./define-run-again.ts";

export const retryRun = defineRunAgain("retry", {
  summary: "Run a run again from the beginning",
  description:
    "Creates a run with the same content and parameters, linked to the first original. A body is ignored. 409 for a run that is still open.",
});
