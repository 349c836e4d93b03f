import type {
  DurationPercentiles,
  InsightGroup,
  InsightTeam,
  InsightWorkflow,
  WorkflowRunInsight,
  WorkflowRunSummary,
} from "@millrace/contract/insight.ts";
import { isFinal, statuses } from "@millrace/contract/status.ts";
import type { Insights } from "../../../domain/run/read-insights.ts";
import type { InsightGroupRow, InsightRunRow } from "../../../store/run/run-insights.ts";

/** Workflows and teams in an answer: those with the most runs. */
const listed = 20;

export function viewInsights({ from, to, days, rows, runs }: Insights, timezone: string): WorkflowRunInsight {
  const all = rows.groups.find(({ kind }) => kind === "all");
  const ofDay = new Map(rows.groups.filter(({ kind }) => kind === "day").map((group) => [group.day, group]));
  const { total, totalDuration, medianDuration, successRate } = viewGroup(all);
  return {
    fromDate: from.toISOString(),
    toDate: to.toISOString(),
    timezone,
    totalRuns: total,
    concurrentRuns: all?.running ?? 0,
    totalDuration,
    medianDuration,
    successRate,
    statuses: Object.fromEntries(statuses.map((status) => [status, rows.statuses[status] ?? 0])),
    durations: viewPercentiles(all?.percentilesMs),
    queueTimes: viewPercentiles(rows.queueMs),
    days: days.map(({ date }, index) => {
      const day = viewGroup(ofDay.get(index + 1));
      return { date, total: day.total, succeeded: day.succeeded, failed: day.failed, medianDuration: day.medianDuration };
    }),
    workflows: topOf(rows.groups, "workflow").map(viewWorkflowGroup),
    runs: runs.map(viewRunSummary),
  };
}

/** Teams with the most runs, for the insights of the instance. */
export function viewTopTeams({ rows }: Insights): InsightTeam[] {
  return topOf(rows.groups, "team").map((group) => ({
    teamRef: group.teamId ?? "",
    ...(group.teamName !== null && { teamName: group.teamName }),
    ...viewGroup(group),
  }));
}

function topOf(groups: readonly InsightGroupRow[], kind: InsightGroupRow["kind"]): InsightGroupRow[] {
  const id = (group: InsightGroupRow) => group.workflowId ?? group.teamId ?? "";
  const ofKind = groups.filter((group) => group.kind === kind);
  return ofKind.sort((a, b) => b.total - a.total || (id(a) < id(b) ? -1 : 1)).slice(0, listed);
}

function viewWorkflowGroup(group: InsightGroupRow): InsightWorkflow {
  return {
    workflowRef: group.workflowId ?? "",
    teamRef: group.teamId ?? "",
    ...(group.workflowName !== null && { workflowName: group.workflowName }),
    ...(group.workflowDisplayName !== null && { workflowDisplayName: group.workflowDisplayName }),
    isDeleted: group.isDeleted,
    ...viewGroup(group),
  };
}

function viewGroup(group: InsightGroupRow | undefined): InsightGroup {
  const { total = 0, succeeded = 0, failed = 0, totalMs = 0, percentilesMs } = group ?? {};
  const decided = succeeded + failed;
  return {
    total,
    succeeded,
    failed,
    successRate: decided === 0 ? null : Math.round((succeeded / decided) * 1e4) / 1e4,
    totalDuration: totalMs ?? 0,
    medianDuration: Math.round(percentilesMs?.[0] ?? 0),
    p95Duration: Math.round(percentilesMs?.[2] ?? 0),
  };
}

function viewPercentiles(values: readonly (number | null)[] | null | undefined): DurationPercentiles {
  const [p50, p90, p95, p99, max] = [0, 1, 2, 3, 4].map((index) => {
    const value = values?.[index];
    return value == null ? null : Math.round(value);
  }) as [number | null, number | null, number | null, number | null, number | null];
  return { p50, p90, p95, p99, max };
}

export function viewRunSummary(row: Omit<InsightRunRow, "workflowName"> & { workflowName?: string | null }): WorkflowRunSummary {
  const isOver = row.startedAt !== null && row.endedAt !== null && isFinal(row.status);
  return {
    id: row.id,
    creationDate: row.createdAt.toISOString(),
    duration: isOver ? Math.max(0, row.endedAt!.getTime() - row.startedAt!.getTime()) : 0,
    status: row.status,
    workflowRef: row.workflowId,
    ...(row.workflowName != null && { workflowName: row.workflowName }),
  };
}
