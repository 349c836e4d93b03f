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
