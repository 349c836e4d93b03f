/**
 * How much work may be spent on patterns and paths that users wrote. Without a limit they would block the whole process, since nothing else
 * can run in the meantime. Work is counted in steps of a pattern on one character, about three nanoseconds each, so that the same input
 * always gives the same decision.
 */
export class WorkBudget {
  #left: number;

  constructor(steps: number) {
    this.#left = steps;
  }

  get isSpent(): boolean {
    return this.#left < 0;
  }

  /** False if that much is not left: the caller must not do the work. */
  spend(steps: number): boolean {
    this.#left -= steps;
    return !this.isSpent;
  }
}

/** The cost of compiling a pattern, in steps for each of its instructions. */
export const compileSteps = 1000;
