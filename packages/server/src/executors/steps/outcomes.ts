import { type MachineFault, machineFaultOf } from "../../base/error/machine-fault.ts";
import type { JobOutcome, JobReason } from "../../engine/executor.ts";
import type { LimitBreach } from "../folders/limit-watch.ts";
import { type StepEnd, signalOfExitCode } from "./step-end.ts";

/** How an attempt ended, before its message is masked and its results are added. */
export type Verdict = Pick<JobOutcome, "status" | "reason" | "message" | "exitCode" | "signal">;

/** Why an attempt is being stopped; the first reason counts. */
export type StopCause =
  | { why: "cancelled" | "timedout" | "shutdown" }
  | { why: "fault"; fault: MachineFault }
  | { why: "step-timedout"; afterMs: number }
  | { why: "breach"; breach: LimitBreach };

export const succeeded: Verdict = { status: "succeeded", reason: "Succeeded", message: "", exitCode: 0 };

export function invalid(reason: JobReason, message: string): Verdict {
  return { status: "invalid", reason, message };
}

export function failed(reason: JobReason, message: string): Verdict {
  return { status: "failed", reason, message };
}

/** The fault of what it ran on: it may be retried elsewhere. */
export function lost(reason: JobReason, message: string): Verdict {
  return { status: "lost", reason, message };
}

/** @param step that was running, if any */
export function stoppedVerdict(cause: StopCause, step: string | undefined, timeoutMs: number): Verdict {
  const where = step === undefined ? "before its first step began" : `while step "${step}" ran`;
  switch (cause.why) {
    case "cancelled":
      return { status: "cancelled", reason: "Cancelled", message: `cancelled ${where}` };
    case "shutdown":
      return { status: "cancelled", reason: "Cancelled", message: `the worker was stopped ${where}` };
    case "timedout":
      return { status: "timedout", reason: "DeadlineExceeded", message: `not finished after ${inSeconds(timeoutMs)}; stopped ${where}` };
    case "fault":
      return lost("MachineFault", `stopped ${where}: ${cause.fault.words}`);
    case "step-timedout":
      return {
        status: "timedout",
        reason: "DeadlineExceeded",
        message: `step "${step}" was stopped: not finished after its ${inSeconds(cause.afterMs)}`,
      };
    case "breach":
      return failed(
        cause.breach.reason,
        `${step === undefined ? "stopped before its first step began" : `step "${step}" was stopped`}: ${cause.breach.message}`,
      );
  }
}

/** @param outOfMemory how often the kernel ended a process of the step for lack of memory */
export function stepVerdict(step: string, end: StepEnd, outOfMemory: number, memoryText: string): Verdict {
  if (end.error) return spawnVerdict(step, end.error);
  const { exitCode } = end;
  if (exitCode === 0) return succeeded;
  const base = { status: "failed", exitCode } as const;
  const ended = `step "${step}" ended with exit code ${exitCode}`;
  if (outOfMemory > 0)
    return { ...base, reason: "OutOfMemory", message: `${ended}: it needed more than the ${memoryText} of memory allowed` };
  if (exitCode === 127) return { ...base, reason: "CommandNotFound", message: `${ended}: a command was not found` };
  const signal = signalOfExitCode(exitCode);
  if (signal) return { ...base, reason: "Signal", signal, message: `${ended}: ended by signal ${signal.slice(3)}` };
  return { ...base, reason: "ExitCode", message: exitCode === 126 ? `${ended}: a command could not be executed` : ended };
}

/** @param error of the operating system, while the attempt was prepared or the step was started */
export function spawnVerdict(step: string | undefined, error: NodeJS.ErrnoException): Verdict {
  const { code, name, message } = error;
  const where = step === undefined ? "the task could not be prepared" : `step "${step}" could not be started`;
  if (code === "E2BIG") return invalid("InvalidTask", `${where}: its command and environment are too long; pass large values as files`);
  const fault = machineFaultOf(error);
  return fault ? lost("MachineFault", `${where}: ${fault.words}`) : failed("ExecutorError", `${where}: ${message} (${code ?? name})`);
}

/** Error messages of the sandbox itself, which no program of a step wrote; otherwise its exit code would be taken for that of the step. */
export function sandboxError(exitCode: number, lastLine: string): string | undefined {
  return exitCode === 1 && /^bwrap: /.test(lastLine) ? lastLine.slice(7) : undefined;
}

function inSeconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}
