import type { FinalStatus, Status } from "@millrace/contract/status.ts";
import { type ExitCode, exitCodes } from "../failure.ts";

const codes: Readonly<Record<FinalStatus, ExitCode>> = {
  succeeded: exitCodes.done,
  skipped: exitCodes.done,
  failed: exitCodes.failed,
  invalid: exitCodes.failed,
  timedout: exitCodes.failed,
  cancelled: exitCodes.cancelled,
};

/** The exit code of a command that waited for a run. If the run is still open, the command reached its time limit. */
export function exitCodeOfRun(status: Status): ExitCode {
  return Object.hasOwn(codes, status) ? codes[status as FinalStatus] : exitCodes.stillOpen;
}
