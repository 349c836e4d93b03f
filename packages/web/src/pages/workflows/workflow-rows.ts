import type { components } from "@millrace/client/schema.generated.ts";

type Workflow = components["schemas"]["Workflow"];
export type RunSummary = components["schemas"]["WorkflowRunSummary"];

/** What the list shows of one workflow. */
export interface WorkflowRow {
  id: string;
  name: string;
  title: string;
  isActive: boolean;
  isArchived: boolean;
  isFavourite: boolean;
  workflow: Workflow;
  /** The kinds of triggers that are on. */
  triggers: string[];
  labels: string[];
  /** The latest runs, oldest first. */
  runs: RunSummary[];
  /** 0 to 1 over the latest runs, of those that have ended and were not cancelled; undefined when none has. */
  successRate: number | undefined;
  lastRun: string | undefined;
}

const stripLength = 10;
const failures = new Set(["failed", "timedout", "invalid"]);

/** A workflow as it is listed, with its latest runs. */
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
    successRate: rateOf(runs),
    lastRun: runs[0]?.creationDate,
  };
}

/** By which the service sorts, too. */
function rateOf(runs: readonly RunSummary[]): number | undefined {
  const succeeded = runs.filter(({ status }) => status === "succeeded").length;
  const ended = succeeded + runs.filter(({ status }) => failures.has(status)).length;
  return ended === 0 ? undefined : succeeded / ended;
}
