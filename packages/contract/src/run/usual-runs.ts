/** How much of its latest runs an overview of a workflow checks. The browser reads it, too, so it brings no schemas. */

/** So many of the newest runs say what is usual for a workflow. */
export const usualRuns = 200;
/** With fewer runs that succeeded, nothing is usual yet. */
export const usualRunsNeeded = 5;
/** So many runs can be asked for. */
export const mostGridRuns = 50;
/** So many tasks are in one answer. */
export const mostGridTasks = 100;
