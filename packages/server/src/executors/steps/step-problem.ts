/** A step can't run as it is written; the message says why, for people. */
export class StepProblem extends Error {}
