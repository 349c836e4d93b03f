import { type LocalDay, localDays } from "../../core/cron/local-days.ts";
import type { Queryable } from "../../store/database/database.ts";
import {
  allowLargeSorts,
  findInsightBounds,
  type InsightRows,
  type InsightRunRow,
  type InsightScope,
  listInsightRuns,
  readInsightRows,
} from "../../store/run/run-insights.ts";

export interface InsightRequest {
  teamId: string | undefined;
  /** Default: 30 days before the end. */
  from: Date | undefined;
  /** Exclusive; default: now. */
  to: Date | undefined;
  timeZone: string;
  workflows: readonly string[] | undefined;
  statuses: readonly string[] | undefined;
  /** How many single runs are wanted. */
  runLimit: number;
}

export interface Insights {
  from: Date;
  to: Date;
  days: LocalDay[];
  rows: InsightRows;
  runs: InsightRunRow[];
}

const dayMs = 86_400_000;
const defaultRangeMs = 30 * dayMs;
/** A longer range has the days from its first run to its last one only. */
const longestWholeRangeMs = 366 * dayMs;

/** In a transaction: what is set for its sorts ends with it. */
export async function readInsights(db: Queryable, request: InsightRequest): Promise<Insights> {
  const { teamId, workflows, statuses, to } = request;
  const given: InsightScope = { teamId, from: request.from ?? new Date(0), to, workflows, statuses };
  const { now, first, last } = await findInsightBounds(db, given);
  const end = to ?? now;
  const scope = { ...given, from: request.from ?? new Date(Math.max(0, end.getTime() - defaultRangeMs)) };
  const days = daysOf(scope.from, end, { first, last }, request.timeZone);
  await allowLargeSorts(db);
  const rows = await readInsightRows(
    db,
    scope,
    days.map(({ startsAt }) => startsAt),
  );
  const runs = request.runLimit === 0 ? [] : await listInsightRuns(db, scope, request.runLimit);
  return { from: scope.from, to: end, days, rows, runs };
}

function daysOf(from: Date, to: Date, runs: { first: Date | null; last: Date | null }, timeZone: string): LocalDay[] {
  if (to <= from) return [];
  const lastMoment = new Date(to.getTime() - 1);
  if (to.getTime() - from.getTime() <= longestWholeRangeMs) return localDays(from, lastMoment, timeZone);
  return runs.first && runs.last ? localDays(runs.first, runs.last, timeZone) : [];
}
