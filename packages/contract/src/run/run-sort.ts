/** What lists of runs can be sorted by. The browser imports this file, too, so it must not import schemas. */

export const runSorts = ["creationDate", "duration", "status", "workflow"] as const;
export type RunSort = (typeof runSorts)[number];

/** Sorting by anything but the date considers only this many of the newest runs. */
export const mostSortedRuns = 5_000;
/** The same for searches by words. */
export const mostSortedHits = 1_000;
