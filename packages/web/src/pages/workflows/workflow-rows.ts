import type { components } from "@millrace/client/schema.generated.ts";

type Workflow = components["schemas"]["Workflow"];
export type RunSummary = components["schemas"]["WorkflowRunSummary"];

/** The data that the list shows of one workflow. */
export interface WorkflowRow {
  id: string;
  name: string;
  title: string;
  isActive: boolean;
  isArchived: boolean;
  isFavourite: boolean;
  workflow: Workflow;
  /** The kinds of triggers that are turned on. */
  triggers: string[];
  labels: string[];
  /** The latest runs, oldest first. */
  runs: RunSummary[];
  /** The number of successful runs among the latest ones. */
  succeeded: number;
  /** The number of the latest runs that have ended and were not cancelled. */
  rated: number;
  lastRun: string | undefined;
}

const stripLength = 10;
const failures = new Set(["failed", "timedout", "invalid"]);

/** A workflow as a row of the list, with its latest runs. */
export function toRow(workflow: Workflow): WorkflowRow {
  const runs = workflow.latestRuns ?? [];
  return {
    id: workflow.id ?? "",
    name: workflow.name,
    title: workflow.displayName || workflow.name,
    isActive: workflow.status !== "inactive",
    isArchived: typeof workflow.archiveDate === "string",
    isFavourite: workflow.favourite === true,
    workflow,
    triggers: Object.entries(workflow.triggers ?? {}).flatMap(([kind, trigger]) => (trigger?.enabled ? [kind] : [])),
    labels: Object.entries(workflow.labels ?? {}).map(([key, value]) => (value === "" ? key : `${key}=${value}`)),
    runs: runs.slice(0, stripLength).reverse(),
    ...countsOf(runs),
    lastRun: runs[0]?.creationDate,
  };
}

/** The service sorts by their quotient. */
function countsOf(runs: readonly RunSummary[]): Pick<WorkflowRow, "succeeded" | "rated"> {
  const succeeded = runs.filter(({ status }) => status === "succeeded").length;
  return { succeeded, rated: succeeded + runs.filter(({ status }) => failures.has(status)).length };
}
