import type { RunState } from "../../../core/run/run-state.ts";
import type { Transaction } from "../../../store/database/database.ts";
import { countActiveLocked } from "../../../store/run/submissions.ts";
import { quotaExceeded } from "../../team/quota-exceeded.ts";

/** Places of a team: runs that may be active at once. */

export interface StartOptions {
  teamName: string;
  maxConcurrent: number;
  /** Its parent waits for it: it begins without a place, and gets one as the runs do that have something to do again. */
  isChild: boolean;
  /** What happens to it where it needs a place and there is none. */
  otherwise: "refused" | "queued";
}

export interface Places extends StartOptions {
  /** Runs that have one. */
  active: number;
}

/**
 * The places of the team, counted under its lock where the start may take one. A child run takes none: the row of its parent is locked
 * already, and locking a run before its team could wait for the engine, which waits for the run.
 */
export async function findPlaces(tx: Transaction, teamId: string, start: StartOptions, started: RunState | undefined): Promise<Places> {
  const mayTakeOne = !start.isChild && start.maxConcurrent !== Number.POSITIVE_INFINITY && started?.activity !== "none";
  return { ...start, active: mayTakeOne ? await countActiveLocked(tx, teamId) : 0 };
}

export function mayHavePlace({ isChild, maxConcurrent }: StartOptions): boolean {
  return !isChild || maxConcurrent === Number.POSITIVE_INFINITY;
}

export function hasFree(places: Places): boolean {
  return mayHavePlace(places) && places.active < places.maxConcurrent;
}

export function refuseWithoutPlace(places: Places, { activity }: RunState): void {
  const { teamName, active, maxConcurrent } = places;
  if (places.isChild || activity === "none" || hasFree(places)) return;
  throw quotaExceeded("maxConcurrentRuns", { team: teamName, used: active, max: maxConcurrent, retryAfterSeconds: 1 });
}
