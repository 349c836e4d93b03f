/** How much of its latest runs an overview of a workflow checks. The browser reads it, too, so it brings no schemas. */

/** The number of newest runs from which usual values of a workflow are computed. */
export const usualRuns = 200;
/** With fewer successful runs, there are no usual values yet. */
export const usualRunsNeeded = 5;
/** The most runs that can be requested. */
export const mostGridRuns = 50;
/** The most tasks in one response. */
export const mostGridTasks = 100;
