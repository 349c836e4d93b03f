import type { components } from "../../api/schema.generated.ts";

type Workflow = components["schemas"]["Workflow"];
type Insight = components["schemas"]["WorkflowRunInsight"];
export type RunSummary = components["schemas"]["WorkflowRunSummary"];

/** What the list shows of one workflow. */
export interface WorkflowRow {
  id: string;
  name: string;
  title: string;
  isActive: boolean;
  workflow: Workflow;
  /** The kinds of triggers that are on. */
  triggers: string[];
  labels: string[];
  /** The latest runs, oldest first; undefined while they are not known. */
  runs: RunSummary[] | undefined;
  /** 0 to 1 over the runs of the last 30 days; undefined when none has ended. */
  successRate: number | undefined;
  lastRun: string | undefined;
}

export type SortKey = "name" | "last" | "rate" | "created";

export interface ListOrder {
  sort: SortKey;
  isDescending: boolean;
}

const stripLength = 10;
const failures = new Set(["failed", "timedout", "invalid"]);

/** Joins the workflows with what their runs tell. */
export function toRows(workflows: readonly Workflow[], insight: Insight | undefined): WorkflowRow[] {
  const runs = new Map<string, RunSummary[]>();
  for (const run of insight?.runs ?? []) runs.set(run.workflowRef, [...(runs.get(run.workflowRef) ?? []), run]);
  const rates = new Map((insight?.workflows ?? []).map(({ workflowRef, successRate }) => [workflowRef, successRate]));
  return workflows.map((workflow) => {
    const id = workflow.id ?? "";
    const own = runs.get(id) ?? [];
    return {
      id,
      name: workflow.name,
      title: workflow.displayName || workflow.name,
      isActive: workflow.status !== "inactive",
      workflow,
      triggers: Object.entries(workflow.triggers ?? {}).flatMap(([kind, trigger]) => (trigger?.enabled ? [kind] : [])),
      labels: Object.entries(workflow.labels ?? {}).map(([key, value]) => (value === "" ? key : `${key}=${value}`)),
      runs: insight && own.slice(0, stripLength).reverse(),
      successRate: rates.get(id) ?? rateOf(own),
      lastRun: own[0]?.creationDate,
    };
  });
}

/** For workflows that are not among the busiest, of which the service tells the rate itself. */
function rateOf(runs: readonly RunSummary[]): number | undefined {
  const succeeded = runs.filter(({ status }) => status === "succeeded").length;
  const ended = succeeded + runs.filter(({ status }) => failures.has(status)).length;
  return ended === 0 ? undefined : succeeded / ended;
}

/** Rows in the order that is asked for. */
export function sortRows(rows: readonly WorkflowRow[], { sort, isDescending }: ListOrder): WorkflowRow[] {
  const direction = isDescending ? -1 : 1;
  return [...rows].sort((a, b) => direction * compare(a, b, sort) || a.title.localeCompare(b.title));
}

function compare(a: WorkflowRow, b: WorkflowRow, sort: SortKey): number {
  if (sort === "name") return a.title.localeCompare(b.title);
  if (sort === "rate") return (a.successRate ?? 2) - (b.successRate ?? 2);
  if (sort === "created") return (a.workflow.creationDate ?? "").localeCompare(b.workflow.creationDate ?? "");
  return (a.lastRun ?? "").localeCompare(b.lastRun ?? "");
}
