import { type LocalDay, localDays } from "../../../core/cron/local-days.ts";
import { type AllFigures, InsightCollector } from "../../../core/insight/insight-figures.ts";
import { readClock } from "../../../store/database/clock.ts";
import type { Queryable } from "../../../store/database/database.ts";
import {
  findInsightBounds,
  findInsightWorkflows,
  type InsightName,
  type InsightRunRow,
  type InsightScope,
  type InsightTeamName,
  listInsightRuns,
  listInsightTeamNames,
  listInsightWorkflowNames,
  readPackedRuns,
} from "../../../store/run/tallies/run-insights.ts";

export interface InsightRequest {
  teamId: string | undefined;
  /** Default: 30 days before the end. */
  from: Date | undefined;
  /** Exclusive; default: now. */
  to: Date | undefined;
  timeZone: string;
  workflows: readonly string[] | undefined;
  statuses: readonly string[] | undefined;
  /** The requested number of single runs. */
  runLimit: number;
}

export interface Insights {
  from: Date;
  to: Date;
  days: LocalDay[];
  figures: AllFigures;
  /** The workflows that the figures are about. */
  workflowNames: ReadonlyMap<string, InsightName>;
  teamNames: ReadonlyMap<string, InsightTeamName>;
  runs: InsightRunRow[];
}

const dayMs = 86_400_000;
const defaultRangeMs = 30 * dayMs;
/** A longer range is cut to the days from its first run to its last one. */
const longestWholeRangeMs = 366 * dayMs;

/** In a transaction, so that all figures are of the same moment. */
export async function readInsights(db: Queryable, request: InsightRequest): Promise<Insights> {
  const { teamId, workflows, statuses, to } = request;
  const end = to ?? (await readClock(db));
  const from = request.from ?? new Date(Math.max(0, end.getTime() - defaultRangeMs));
  const scope: InsightScope = { teamId, from, to, workflows, statuses };
  const days = await listDays(db, scope, end, request.timeZone);
  const figures = await addUp(db, scope, days);
  const workflowNames = await listInsightWorkflowNames(db, figures.workflows);
  const teamIds = figures.teams.map((team) => team.teamId);
  const teamNames = teamIds.length === 0 ? new Map<string, InsightTeamName>() : await listInsightTeamNames(db, teamIds);
  const runs = request.runLimit === 0 ? [] : await listInsightRuns(db, scope, request.runLimit);
  return { from, to: end, days, figures, workflowNames, teamNames, runs };
}

/** How long it computes before it lets other requests run. */
const turnMs = 10;

async function addUp(db: Queryable, scope: InsightScope, days: readonly LocalDay[]): Promise<AllFigures> {
  const workflowIds = await findInsightWorkflows(db, scope);
  const filter = {
    fromMs: scope.from.getTime(),
    toMs: scope.to?.getTime() ?? Number.POSITIVE_INFINITY,
    workflowIds: workflowIds && new Set(workflowIds),
    // Waiting runs are found under either word (run-filter.ts).
    statuses: scope.statuses && new Set([...scope.statuses, ...(scope.statuses.includes("running") ? ["waiting"] : [])]),
    dayStartsMs: days.map(({ startsAt }) => startsAt.getTime()),
  };
  const collector = new InsightCollector(filter, scope.teamId === undefined);
  const packed = await readPackedRuns(db, scope, workflowIds);
  await inTurns(packed.values(), (runs) => collector.add(runs));
  await inTurns(collector.sorting());
  return collector.figures();
}

async function inTurns<Item>(steps: Iterable<Item>, work?: (step: Item) => void): Promise<void> {
  let since = performance.now();
  for (const step of steps) {
    work?.(step);
    if (performance.now() - since < turnMs) continue;
    await new Promise((resolve) => setImmediate(resolve));
    since = performance.now();
  }
}

async function listDays(db: Queryable, scope: InsightScope, to: Date, timeZone: string): Promise<LocalDay[]> {
  const { from } = scope;
  if (to <= from) return [];
  if (to.getTime() - from.getTime() <= longestWholeRangeMs) return localDays(from, new Date(to.getTime() - 1), timeZone);
  const { first, last } = await findInsightBounds(db, scope);
  return first && last ? localDays(first, last, timeZone) : [];
}
