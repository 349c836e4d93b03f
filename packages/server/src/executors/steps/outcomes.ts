import type { JobOutcome, JobReason } from "../../engine/executor.ts";
import type { LimitBreach } from "../folders/limit-watch.ts";
import { type StepEnd, signalOfExitCode } from "./step-end.ts";

/** How an attempt ended, before the words for people are masked and its results are added. */
export type Verdict = Pick<JobOutcome, "status" | "reason" | "message" | "exitCode" | "signal">;

/** Why an attempt is being stopped; the first reason holds. */
export type StopCause =
  | { why: "cancelled" | "timedout" | "shutdown" }
  | { why: "step-timedout"; afterMs: number }
  | { why: "breach"; breach: LimitBreach };

export const succeeded: Verdict = { status: "succeeded", reason: "Succeeded", message: "", exitCode: 0 };

export function invalid(reason: JobReason, message: string): Verdict {
  return { status: "invalid", reason, message };
}

export function failed(reason: JobReason, message: string): Verdict {
  return { status: "failed", reason, message };
}

/** @param step that ran at that moment, if one did */
export function stoppedVerdict(cause: StopCause, step: string | undefined, timeoutMs: number): Verdict {
  const where = step === undefined ? "before its first step began" : `while step "${step}" ran`;
  switch (cause.why) {
    case "cancelled":
      return { status: "cancelled", reason: "Cancelled", message: `cancelled ${where}` };
    case "shutdown":
      return { status: "cancelled", reason: "Cancelled", message: `the worker was stopped ${where}` };
    case "timedout":
      return { status: "timedout", reason: "DeadlineExceeded", message: `not done after ${inSeconds(timeoutMs)}; stopped ${where}` };
    case "step-timedout":
      return {
        status: "timedout",
        reason: "DeadlineExceeded",
        message: `step "${step}" was stopped: not done after its ${inSeconds(cause.afterMs)}`,
      };
    case "breach":
      return failed(cause.breach.reason, `step "${step}" was stopped: ${cause.breach.message}`);
  }
}

/** @param outOfMemory how often the kernel ended a process of the step for want of memory */
export function stepVerdict(step: string, end: StepEnd, outOfMemory: number, memoryText: string): Verdict {
  if (end.error) return spawnVerdict(step, end.error);
  const { exitCode } = end;
  if (exitCode === 0) return succeeded;
  const base = { status: "failed", exitCode } as const;
  const ended = `step "${step}" ended with exit code ${exitCode}`;
  if (outOfMemory > 0)
    return { ...base, reason: "OutOfMemory", message: `${ended}: it needed more than the ${memoryText} of memory it may use` };
  if (exitCode === 127) return { ...base, reason: "CommandNotFound", message: `${ended}: a command was not found` };
  const signal = signalOfExitCode(exitCode);
  if (signal) return { ...base, reason: "Signal", signal, message: `${ended}: ended by signal ${signal.slice(3)}` };
  return { ...base, reason: "ExitCode", message: exitCode === 126 ? `${ended}: a command could not be executed` : ended };
}

/** What the operating system said when the step should start, and what to do about it. */
const remedies: Record<string, string> = {
  EAGAIN: "the machine has no room for another process; run fewer tasks at once",
  ENOMEM: "the machine has no memory for another process; run fewer tasks at once",
  EMFILE: "the service has too many files open; raise its limit or run fewer tasks at once",
  ENFILE: "the machine has too many files open",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  E2BIG: "its command and environment are too long; pass large values as files",
  EROFS: "the scratch folder is on a read-only file system",
};

export function spawnVerdict(step: string | undefined, error: NodeJS.ErrnoException): Verdict {
  const remedy = remedies[error.code ?? ""] ?? error.message;
  const where = step === undefined ? "the task could not be prepared" : `step "${step}" could not be started`;
  if (error.code === "E2BIG") return invalid("InvalidTask", `${where}: ${remedy}`);
  return failed("ExecutorError", `${where}: ${remedy} (${error.code ?? error.name})`);
}

/** Complaints of the sandbox itself, which no program of a step wrote; without them its exit code would be taken for the step's. */
export function sandboxComplaint(exitCode: number, lastErrorLine: string): string | undefined {
  return exitCode === 1 && /^bwrap: /.test(lastErrorLine) ? lastErrorLine.slice(7) : undefined;
}

function inSeconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}
