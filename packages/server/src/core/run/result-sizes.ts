/**
 * Limits on the size of results. Each may have 1 MiB (the executors enforce that). But many of them together would have to fit into the
 * memory of the process several times over, and into one statement: ten thousand forEach items with 1 MiB each are 10 GiB.
 */

const mebibyte = 1024 * 1024;

/** For all results of one attempt, and for all results of a run: characters of JSON. */
export const maxResultsLength = 16 * mebibyte;
/** For results that are read at once, i.e. those that a task refers to, or those of all items of a node: bytes of JSON. */
export const maxReadBytes = 64 * mebibyte;
/** For the results of all rounds of one loop: characters, approximately. Without this limit ten thousand rounds could leave 160 GiB. */
export const maxLoopResultsLength = 256 * mebibyte;
/** For what references may insert into the parameters of one task run: characters. */
export const maxNodeParamsLength = 4 * mebibyte;
/** For the parameters of all task runs that start in one change of a run, which one statement writes: characters of their texts. */
export const maxChangeParamsLength = 32 * mebibyte;
/** For the texts of all steps of one task run, with references resolved: characters. Each text could repeat a parameter of 1 MiB. */
export const maxStepsLength = 32 * mebibyte;

/** Values that are needed now, but are too large to be held in memory. */
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

  /** @param what names the values, at the beginning of a sentence */
  constructor(what: string, limit: number) {
    super(
      `${what} would have more than ${limit / mebibyte} MiB together; pass large data in a workspace, or a reference to where it is stored`,
    );
  }
}

/** The length as JSON, in characters. */
export function lengthOf(values: readonly { name: string; value?: unknown }[]): number {
  return JSON.stringify(values).length;
}

/** Characters of all texts and names in a value: close enough to its length as JSON, and much cheaper to compute. */
export function textLengthOf(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (value === null || typeof value !== "object") return 8;
  let length = 2;
  if (Array.isArray(value)) for (const element of value) length += 1 + textLengthOf(element);
  else for (const [name, member] of Object.entries(value)) length += name.length + 4 + textLengthOf(member);
  return length;
}
