/**
 * How much may be spent on patterns and paths that people wrote, in what would otherwise keep the whole process busy: nobody else
 * has a turn meanwhile. Counted in steps of a pattern on one character, some three nanoseconds each, so that the same input is
 * always judged the same.
 */
export class WorkBudget {
  #left: number;

  constructor(steps: number) {
    this.#left = steps;
  }

  get isSpent(): boolean {
    return this.#left < 0;
  }

  /** False when there is not as much left: what would cost it is not to be done. */
  spend(steps: number): boolean {
    this.#left -= steps;
    return !this.isSpent;
  }
}

/** What compiling a pattern costs, in steps for each of its instructions. */
export const compileSteps = 1000;
