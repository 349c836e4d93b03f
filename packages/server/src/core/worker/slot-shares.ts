/**
 * How the slots of a worker are shared between teams. With several teams on the instance the last quarter of a worker's slots is a reserve
 * that no single team can fill, so that another team's task begins at once, however long the others' tasks take:
 *
 * - No team holds more than three quarters of the slots.
 * - A team that holds a slot leaves a part of the reserve free; the more teams share the worker, the smaller that part.
 * - A team that holds none may take any free slot.
 *
 * Claims are made in the database (store/functions/claim-task-runs.sql): the same rule stands there, and a test compares the two.
 */
export interface WorkerLoad {
  slots: number;
  /** Taken, by whatever team. */
  busy: number;
  /** Taken by the team that asks. */
  held: number;
  /** Teams that hold slots here, beside the one that asks. */
  otherHolders: number;
  /** There is more than one active team on the instance. */
  hasSeveralTeams: boolean;
}

/** The smallest number of slots that has a reserve. */
const fewestSlots = 4;

/** @returns how many slots of a worker are kept for other teams, when there are several */
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
