import { AppError } from "../../../base/error/app-error.ts";

/** A rerun request that doesn't fit its run or its workflow. */
export function refused(why: string): AppError {
  return new AppError("WORKFLOWRUN_INVALID_REQUIREMENT", [why]);
}

/** A request for many runs is stored, and written to the audit log, where people can read it. */
export function refusedSecret(name: string): AppError {
  return refused(`parameter "${name}" is a secret, which an action on many runs can't set; leave it out, and each run keeps its own`);
}
