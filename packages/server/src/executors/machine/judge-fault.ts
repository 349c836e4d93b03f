import { isAboutSpace, machineFaultOf } from "../../base/error/machine-fault.ts";
import type { LimitBreach, LimitWatch } from "../folders/limit-watch.ts";
import type { AttemptState } from "../steps/attempt-state.ts";
import { failed, lost, type StopCause, type Verdict } from "../steps/outcomes.ts";
import type { KnownFault } from "./known-fault.ts";
import type { MachineWatch } from "./machine-watch.ts";

/** Whose fault it is: the machine's, and the attempt is lost; or the task's, which has taken what the machine had. */

/** @param error that kept the watch from looking */
export function causeOfBreach(machine: MachineWatch, breach: LimitBreach, error: unknown): StopCause {
  const fault = machine.blame(error);
  return fault ? { why: "fault", fault } : { why: "breach", breach };
}

/** A step that fails on a full disk has most likely failed by it: its own programs can't tell the service. */
export async function judgeOnFullDisk(verdict: Verdict, watch: LimitWatch, machine: MachineWatch): Promise<Verdict> {
  if (verdict.status !== "failed" || (verdict.reason !== "ExitCode" && verdict.reason !== "Signal")) return verdict;
  const disk = await watch.findFullDisk();
  if (disk === undefined) return verdict;
  if (disk.filledBy !== undefined)
    return { ...verdict, reason: "WorkspaceFull", message: `${verdict.message}: the disk is full, and ${disk.filledBy} filled it` };
  await machine.look();
  return { ...verdict, ...lost("MachineFault", `${verdict.message} while the disk of the worker was full`) };
}

/** @returns undefined: the error of the service says nothing against the task */
export async function judgeOwnFault(error: unknown, watch: LimitWatch, { hasBegun }: AttemptState): Promise<Verdict | undefined> {
  const fault = machineFaultOf(error);
  if (!hasBegun || fault === undefined || !isAboutSpace(fault)) return undefined;
  const disk = await watch.findFullDisk().catch(() => undefined);
  return disk?.filledBy === undefined ? undefined : failed("WorkspaceFull", `the disk is full, and ${disk.filledBy} filled it`);
}

/** What a machine that is short of it takes from steps as well. */
const feltBySteps = ["EAGAIN", "ENOMEM", "ENFILE"];
const complaints = /cannot fork|resource temporarily unavailable|too many open files in system|cannot allocate memory/i;
/**
 * Of a shell that can't fork (dash, bash). The launcher says nothing of it: what shells say of their children is not the output of a step.
 */
const forkFailed: readonly number[] = [2, 254];

/**
 * What of the machine has let a step fail. A step can write what it likes, so what counts is what the machine says when it is asked.
 * @param end `isOfSandbox`: the step could not begin, it seems
 */
export async function findFaultBehind(
  machine: MachineWatch,
  { exitCode, lastLines, isOfSandbox }: { exitCode: number; lastLines: readonly string[]; isOfSandbox: boolean },
): Promise<KnownFault | undefined> {
  const isKnown = feltBySteps.includes(machine.fault?.code ?? "");
  const isSilent = lastLines.join("") === "" && forkFailed.includes(exitCode);
  if (!isOfSandbox && !isKnown && !isSilent && !lastLines.some((line) => complaints.test(line))) return undefined;
  const found = await machine.confirm();
  return found && (isOfSandbox || feltBySteps.includes(found.code)) ? found : undefined;
}
