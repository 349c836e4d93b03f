/**
 * How large results may become. Each may have 1 MiB (the executors see to that), but many of them together would have to fit into the
 * memory of the process several times over, and into one statement: ten thousand items of a forEach that leave 1 MiB each are 10 GiB.
 */

const mebibyte = 1024 * 1024;

/** All results of one attempt, and all results of a run: characters of JSON. */
export const maxResultsLength = 16 * mebibyte;
/** What may be read at once: the results that a task refers to, or those that the items of a node leave; bytes of JSON. */
export const maxReadBytes = 64 * mebibyte;
/** Parameters of the items of a forEach that start in one change: characters of JSON. */
export const maxParamsLength = 64 * mebibyte;

/** Results that are needed now, but are too large to be read. */
export class OversizedResults extends Error {
  constructor(bytes: number) {
    super(
      `The results that are needed here have ${Math.ceil(bytes / mebibyte)} MiB together, and at most ${maxReadBytes / mebibyte} MiB can be ` +
        "taken; leave large data in a workspace",
    );
  }
}

/** Characters of JSON. */
export function lengthOf(values: readonly { name: string; value?: unknown }[]): number {
  return JSON.stringify(values).length;
}
