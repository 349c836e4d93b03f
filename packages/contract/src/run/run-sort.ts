/** What lists of runs can be sorted by. The browser reads it, too, so it brings no schemas. */

export const runSorts = ["creationDate", "duration", "status", "workflow"] as const;
export type RunSort = (typeof runSorts)[number];

/** Of so many runs, the newest, the order by anything but the date is made. */
export const mostSortedRuns = 5_000;
/** The same where words are searched. */
export const mostSortedHits = 1_000;
