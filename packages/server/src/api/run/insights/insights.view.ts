import type {
  DurationPercentiles,
  InsightGroup,
  InsightTeam,
  InsightWorkflow,
  WorkflowRunInsight,
  WorkflowRunSummary,
} from "@millrace/contract/run/insight.ts";
import { isFinal, statuses, type WaitKind } from "@millrace/contract/status.ts";
import { runLimits } from "../../../core/alert/deadline.ts";
import type { InsightFigures, WorkflowFigures } from "../../../core/insight/insight-figures.ts";
import type { Insights } from "../../../domain/run/insights/read-insights.ts";
import type { InsightName, InsightRunRow } from "../../../store/run/tallies/run-insights.ts";

export function viewInsights({ from, to, days, figures, workflowNames, runs }: Insights, timezone: string): WorkflowRunInsight {
  const { total, totalDuration, medianDuration, successRate } = viewGroup(figures.all);
  return {
    fromDate: from.toISOString(),
    toDate: to.toISOString(),
    timezone,
    totalRuns: total,
    concurrentRuns: figures.all.running,
    totalDuration,
    medianDuration,
    successRate,
    statuses: Object.fromEntries(statuses.map((status) => [status, figures.statuses[status] ?? 0])),
    durations: viewPercentiles(figures.all.percentilesMs),
    queueTimes: viewPercentiles(figures.queueMs),
    days: days.map(({ date }, index) => {
      const day = viewGroup(figures.days[index]);
      return { date, total: day.total, succeeded: day.succeeded, failed: day.failed, medianDuration: day.medianDuration };
    }),
    workflows: figures.workflows.map((group) => viewWorkflow(group, workflowNames.get(group.workflowId))),
    runs: runs.map(viewRunSummary),
  };
}

/** Teams with the most runs, for the insights of the instance. */
export function viewTopTeams({ figures, teamNames }: Insights): InsightTeam[] {
  return figures.teams.map((group) => {
    const known = teamNames.get(group.teamId);
    return { teamRef: group.teamId, ...(known && { teamName: known.name, teamDisplayName: known.displayName }), ...viewGroup(group) };
  });
}

function viewWorkflow(group: WorkflowFigures, known: InsightName | undefined): InsightWorkflow {
  return {
    workflowRef: group.workflowId,
    teamRef: group.teamId,
    ...(known?.name != null && { workflowName: known.name }),
    ...(known?.displayName != null && { workflowDisplayName: known.displayName }),
    isDeleted: known?.isDeleted ?? true,
    ...(known && viewLimits(known)),
    ...viewGroup(group),
  };
}

function viewLimits(texts: InsightName): Pick<InsightWorkflow, "expectedDuration" | "deadline"> {
  const { deadline, expectedMs } = runLimits(texts);
  return { ...(expectedMs !== undefined && { expectedDuration: expectedMs }), ...(typeof deadline === "number" && { deadline }) };
}

function viewGroup(group: InsightFigures | undefined): InsightGroup {
  const { total = 0, succeeded = 0, failed = 0, totalMs = 0, percentilesMs } = group ?? {};
  const decided = succeeded + failed;
  return {
    total,
    succeeded,
    failed,
    successRate: decided === 0 ? null : Math.round((succeeded / decided) * 1e4) / 1e4,
    totalDuration: totalMs,
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

type SummaryRow = Omit<InsightRunRow, "workflowName"> & { workflowName?: string | null; waitKinds?: WaitKind[] };

export function viewRunSummary(row: SummaryRow): WorkflowRunSummary {
  const isOver = row.startedAt !== null && row.endedAt !== null && isFinal(row.status);
  return {
    id: row.id,
    creationDate: row.createdAt.toISOString(),
    duration: isOver ? Math.max(0, row.endedAt!.getTime() - row.startedAt!.getTime()) : 0,
    status: row.status,
    ...(row.waitKinds && row.waitKinds.length > 0 && { waitKinds: row.waitKinds }),
    workflowRef: row.workflowId,
    ...(row.workflowName != null && { workflowName: row.workflowName }),
  };
}
