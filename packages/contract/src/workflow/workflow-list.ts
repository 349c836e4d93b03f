/** Options for lists of workflows. The browser imports this file, too, so it must not import schemas. */

/** What a list of workflows can be sorted by. */
export const workflowSorts = ["creationDate", "name", "lastRun", "successRate"] as const;
export type WorkflowSort = (typeof workflowSorts)[number];

/** How many of its latest runs the success rate of a workflow covers, both in the list and when sorting by it. */
export const ratedRuns = 20;

/** The most labels of the workflows of a team that are listed, and the most values of each; the most used come first. */
export const mostLabels = 100;
export const mostLabelValues = 500;
