// How many of the slots of a worker a team gets, and which task runs get one with the change that makes them ready.
import type { RunChange } from "../run/run-change.ts";
import type { RunNeed } from "../task/place-task.ts";
import { nodePlacing } from "../task/place-task.ts";
import { nodeAt, type Plan } from "../workflow/plan.ts";

/**
 * How the slots of a worker are shared between teams. If the instance has several teams, the last quarter of a worker's slots is a reserve
 * that no single team can fill, so that a task of another team starts at once, however long the tasks of the others take:
 *
 * - No team takes more than three quarters of the slots.
 * - A team that already has a slot leaves a part of the reserve free; the more teams share the worker, the smaller that part.
 * - A team that has none may take any free slot.
 *
 * Claims are made in the database (store/functions/claim-task-runs.sql), which has the same rule, and a test compares the two.
 */
export interface WorkerLoad {
  slots: number;
  /** Slots in use by any team. */
  busy: number;
  /** Slots in use by the claiming team. */
  held: number;
  /** Number of other teams that use slots here. */
  otherHolders: number;
  /** The instance has more than one active team. */
  hasSeveralTeams: boolean;
}

/** With fewer slots there is no reserve. */
const fewestSlots = 4;

/** @returns how many slots of a worker are reserved for other teams, if there are several */
export function reservedSlots(slots: number): number {
  return slots < fewestSlots ? 0 : Math.floor(slots / 4);
}

/** @returns how many more slots the team may take now */
export function slotsToTake({ slots, busy, held, otherHolders, hasSeveralTeams }: WorkerLoad): number {
  const free = Math.max(0, slots - busy);
  const reserved = hasSeveralTeams ? reservedSlots(slots) : 0;
  if (reserved === 0) return free;
  const left = Math.ceil(reserved / (otherHolders + 1));
  const first = held === 0 ? Math.min(1, free) : 0;
  return Math.max(0, Math.min(slots - reserved - held, Math.max(free - left, first)));
}

/** What the worker asks for that reports ends of attempts. */
interface NextTasks {
  /** How many it takes of one team. */
  most: number;
  needs: readonly RunNeed[];
  /** Undefined: its tasks ask for none. */
  labels?: readonly string[];
}

/**
 * Ids of the task runs that a worker may begin with at once, since it has ended what they waited for: they need not be ready for a moment first. It
 * gets all that the changes make ready, or none, so that nothing of it has to be looked for, noted or announced. Whether something else waits that
 * has its turn first is decided where the changes are written (store/functions/claim-task-runs.sql).
 */
export function tasksAtOnce(
  changes: readonly { plan: Plan; change: RunChange }[],
  { most, needs, labels }: NextTasks,
): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const { plan, change } of changes) {
    if (change.after.activity === "wanted" || change.created.some(({ status }) => status === "ready")) return none;
    for (const { after } of change.updated) {
      if (after.status !== "ready") continue;
      if (after.executor === null || !needs.includes(after.executor)) return none;
      if (labels && !nodePlacing(nodeAt(plan, after.node)).runsOn.every((label) => labels.includes(label))) return none;
      ids.add(after.id);
    }
  }
  return ids.size > most ? none : ids;
}

const none: ReadonlySet<string> = new Set();
