/**
 * How large results may become. Each may have 1 MiB (the executors see to that), but many of them together would have to fit into the
 * memory of the process several times over, and into one statement: ten thousand items of a forEach that leave 1 MiB each are 10 GiB.
 */

const mebibyte = 1024 * 1024;

/** All results of one attempt, and all results of a run: characters of JSON. */
export const maxResultsLength = 16 * mebibyte;
/** What may be read at once: the results that a task refers to, or those that the items of a node leave; bytes of JSON. */
export const maxReadBytes = 64 * mebibyte;
/** What all rounds of one loop may leave: characters, near enough. Without it ten thousand rounds could leave 160 GiB. */
export const maxLoopResultsLength = 256 * mebibyte;
/** What references may put into the parameters of one task run: characters. */
export const maxNodeParamsLength = 4 * mebibyte;
/** Parameters of all task runs that start in one change of a run, which are written by one statement: characters of text in them. */
export const maxChangeParamsLength = 32 * mebibyte;
/** Texts of all steps of one task run, with what references put into them: characters. Each text could repeat a parameter of 1 MiB. */
export const maxStepsLength = 32 * mebibyte;

/** Values that are needed now, but are too large to be held. */
export abstract class OversizedValues extends Error {
  abstract readonly reason: string;
}

export class OversizedResults extends OversizedValues {
  readonly reason = "ResultTooLarge";

  constructor(bytes: number) {
    super(
      `The results that are needed here have ${Math.ceil(bytes / mebibyte)} MiB together, and at most ${maxReadBytes / mebibyte} MiB can be ` +
        "stored; keep large data in a workspace",
    );
  }
}

export const parametersTooLarge = "ParametersTooLarge";

export class OversizedParameters extends OversizedValues {
  readonly reason = parametersTooLarge;

  /** @param what whose values, to begin a sentence with */
  constructor(what: string, limit: number) {
    super(
      `${what} would have more than ${limit / mebibyte} MiB together; pass large data in a workspace, or a reference to where it is stored`,
    );
  }
}

/** Characters of JSON. */
export function lengthOf(values: readonly { name: string; value?: unknown }[]): number {
  return JSON.stringify(values).length;
}

/** Characters of all texts and names in a value, near enough to its length as JSON and much cheaper to find out. */
export function textLengthOf(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (value === null || typeof value !== "object") return 8;
  let length = 2;
  if (Array.isArray(value)) for (const element of value) length += 1 + textLengthOf(element);
  else for (const [name, member] of Object.entries(value)) length += name.length + 4 + textLengthOf(member);
  return length;
}
