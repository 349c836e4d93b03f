/** How many sandboxes of functions wait for their next job, and for how long. */
export interface KeptLimits {
  /** Sandboxes that rest at once; 0: none is kept. */
  most: number;
  /** Memory that they may hold together, and each of them. */
  mostBytes: number;
  eachBytes: number;
  /** Jobs that one serves. */
  jobs: number;
  /** From its start, and without a job, in ms. */
  ageMs: number;
  idleMs: number;
  /** One that has not begun with a job by then is ended, and the job has another one, in ms. */
  heardWithinMs: number;
  /** What one holds is looked at so far apart while jobs follow each other, in ms: as far as of a job that runs. */
  heldEveryMs: number;
  /** Pause between two looks at those that rest, in ms. */
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
