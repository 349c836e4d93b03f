/** What lists of workflows can be asked for. The browser reads it, too, so it brings no schemas. */

/** By what a list of workflows can be sorted. */
export const workflowSorts = ["creationDate", "name", "lastRun", "successRate"] as const;
export type WorkflowSort = (typeof workflowSorts)[number];

/** Over so many of its latest runs the success rate of a workflow goes, where a list is sorted by it; of so many a list can tell. */
export const ratedRuns = 20;

/** So many labels of the workflows of a team are listed, and so many values of each; the most used come first. */
export const mostLabels = 100;
export const mostLabelValues = 500;
