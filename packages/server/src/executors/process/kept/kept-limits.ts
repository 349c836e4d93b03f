/** How many sandboxes of functions wait for their next job, and for how long. */
export interface KeptLimits {
  /** Waiting sandboxes; 0: none is kept. */
  most: number;
  /** Memory of all waiting sandboxes together, and of each. */
  mostBytes: number;
  eachBytes: number;
  /** How many jobs a sandbox serves. */
  jobs: number;
  /** Maximum time since its start, and without a job, in ms. */
  ageMs: number;
  idleMs: number;
  /** A sandbox that has not started its job by then is ended, and the job gets another one, in ms. */
  heardWithinMs: number;
  /** How often the memory of a sandbox is measured while jobs follow each other, in ms: as often as that of a running job. */
  heldEveryMs: number;
  /** Pause between two checks of waiting sandboxes, in ms. */
  lookEveryMs: number;
  /** Monotonic milliseconds. */
  clock(): number;
}

export const defaultKeptLimits: KeptLimits = {
  most: 16,
  mostBytes: 536_870_912,
  eachBytes: 268_435_456,
  jobs: 1_000,
  ageMs: 600_000,
  idleMs: 60_000,
  heardWithinMs: 30_000,
  heldEveryMs: 200,
  lookEveryMs: 2_000,
  clock: () => performance.now(),
};
