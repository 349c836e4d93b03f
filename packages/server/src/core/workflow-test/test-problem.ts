/** Why a test can't be run to its end. The message includes the remedy. */
export class TestProblem extends Error {
  /** JSON pointer into the test; empty: the problem has no single place. */
  readonly path: string;

  constructor(message: string, path = "") {
    super(message);
    this.path = path;
  }
}
