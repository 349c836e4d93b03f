import { isAboutSpace, machineFaultOf } from "../../base/error/machine-fault.ts";
import type { LimitBreach, LimitWatch } from "../folders/limit-watch.ts";
import type { AttemptState } from "../steps/attempt-state.ts";
import { failed, lost, type StopCause, type Verdict } from "../steps/outcomes.ts";
import type { KnownFault } from "./known-fault.ts";
import type { MachineWatch } from "./machine-watch.ts";

/** Decides who caused a failure: the machine, then the attempt is lost; or the task, because it has used up the machine's resources. */

/** @param error that prevented the watch from measuring */
export function causeOfBreach(machine: MachineWatch, breach: LimitBreach, error: unknown): StopCause {
  const fault = machine.blame(error);
  return fault ? { why: "fault", fault } : { why: "breach", breach };
}

/** A step that fails while the disk is full has most likely failed because of that: its own programs can't report it to the service. */
export async function judgeOnFullDisk(verdict: Verdict, watch: LimitWatch, machine: MachineWatch): Promise<Verdict> {
  if (verdict.status !== "failed" || (verdict.reason !== "ExitCode" && verdict.reason !== "Signal")) return verdict;
  const disk = await watch.findFullDisk();
  if (disk === undefined) return verdict;
  if (disk.filledBy !== undefined)
    return { ...verdict, reason: "WorkspaceFull", message: `${verdict.message}: the disk is full, and ${disk.filledBy} filled it` };
  await machine.look();
  return { ...verdict, ...lost("MachineFault", `${verdict.message} while the disk of the worker was full`) };
}

/** @returns undefined if the service's error is not the fault of the task */
export async function judgeOwnFault(error: unknown, watch: LimitWatch, { hasBegun }: AttemptState): Promise<Verdict | undefined> {
  const fault = machineFaultOf(error);
  if (!hasBegun || fault === undefined || !isAboutSpace(fault)) return undefined;
  const disk = await watch.findFullDisk().catch(() => undefined);
  return disk?.filledBy === undefined ? undefined : failed("WorkspaceFull", `the disk is full, and ${disk.filledBy} filled it`);
}

/** Errors that a step meets as well if the machine runs out of something. */
const affectingSteps = ["EAGAIN", "ENOMEM", "ENFILE"];
/** The last two are those of the launcher (programs/start-step.c). */
const complaints =
  /cannot fork|resource temporarily unavailable|too many open files in system|cannot allocate memory|no process can be started for it|no memory for its environment/i;
/**
 * Exit codes of a shell that can't fork (dash, bash). The launcher discards the shell's message, because messages of shells about their
 * children are not the step's output.
 */
const forkFailed: readonly number[] = [2, 254];

/**
 * The machine's fault that let a step fail. A step can print anything, so what counts is the result of testing the machine.
 * @param end `isOfSandbox`: the step apparently could not start
 */
export async function findFaultBehind(
  machine: MachineWatch,
  { exitCode, lastLines, isOfSandbox }: { exitCode: number; lastLines: readonly string[]; isOfSandbox: boolean },
): Promise<KnownFault | undefined> {
  const isKnown = affectingSteps.includes(machine.fault?.code ?? "");
  const isSilent = lastLines.join("") === "" && forkFailed.includes(exitCode);
  if (!isOfSandbox && !isKnown && !isSilent && !lastLines.some((line) => complaints.test(line))) return undefined;
  const found = await machine.confirm();
  return found && (isOfSandbox || affectingSteps.includes(found.code)) ? found : undefined;
}
