import { AppError } from "../../../base/error/app-error.ts";

/** A rerun that does not fit its run or its workflow. */
export function refused(why: string): AppError {
  return new AppError("WORKFLOWRUN_INVALID_REQUIREMENT", [why]);
}

/** What is asked for many runs is kept with the request and in the audit log, where people read it. */
export function refusedSecret(name: string): AppError {
  return refused(`parameter "${name}" is a secret, which an action on many runs can't set; leave it out, and each run keeps its own`);
}
