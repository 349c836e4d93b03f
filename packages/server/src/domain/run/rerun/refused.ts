import { AppError } from "../../../base/error/app-error.ts";

/** A rerun that does not fit its run or its workflow. */
export function refused(why: string): AppError {
  return new AppError("WORKFLOWRUN_INVALID_REQUIREMENT", [why]);
}
