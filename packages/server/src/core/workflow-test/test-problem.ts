/** Why a test can't be run to its end. The message says what to do. */
export class TestProblem extends Error {
  /** JSON pointer into the test; empty: not about one place of it. */
  readonly path: string;

  constructor(message: string, path = "") {
    super(message);
    this.path = path;
  }
}
