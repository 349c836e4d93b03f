import { type ForecastHour, forecastHours, type PlannedRun, plannedRuns } from "../../core/insight/schedule-forecast.ts";
import { calendarTimes } from "../../core/schedule/timing.ts";
import type { Quotas } from "../../core/team/quota.ts";
import { quotasInForce } from "../../core/team/quota.ts";
import { findUsualDurations } from "../../store/alert/watched-runs.ts";
import { readClock } from "../../store/database/clock.ts";
import type { Queryable } from "../../store/database/database.ts";
import { listSchedules, type ScheduleRow } from "../../store/schedule/schedules.ts";
import { findTeamLimits } from "../../store/team/team-limits.ts";
import { listTeamUsage } from "../../store/team/teams.ts";
import type { LiveSettings } from "../settings/live-settings.ts";

export interface Forecast {
  from: Date;
  to: Date;
  quotas: Quotas;
  runsThisMonth: number;
  totalRuns: number;
  unknownDurations: number;
  isPartial: boolean;
  hours: ForecastHour[];
  schedules: { schedule: ScheduleRow; runs: number; usualMs: number | undefined }[];
}

const mostSchedules = 200;
/** Of all schedules together, and of each: enough for once a minute for a week. */
const mostRuns = 30_000;
const mostTimes = 10_080;
const listed = 20;
/** With fewer successful runs, there is no usual duration. */
const fewestRuns = 5;
const hourMs = 3_600_000;

/** What the active schedules of a team will start in the coming hours. Reads a limited number of schedules, times, and runs. */
export async function forecastRuns(db: Queryable, settings: LiveSettings, teamId: string, hours: number): Promise<Forecast> {
  const now = await readClock(db);
  const from = new Date(Math.floor(now.getTime() / hourMs) * hourMs);
  const to = new Date(from.getTime() + hours * hourMs);
  const found = await listSchedules(db, teamId, { statuses: ["active"] }, { limit: mostSchedules + 1, offset: 0 });
  const usualOf = await usualDurations(db, teamId, found);
  const planned: PlannedRun[] = [];
  const schedules: Forecast["schedules"] = [];
  let isPartial = found.length > mostSchedules;
  let unknownDurations = 0;
  for (const schedule of found.slice(0, mostSchedules)) {
    const left = mostRuns - planned.length;
    const limit = Math.min(mostTimes, left) + 1;
    const times = calendarTimes(schedule, { from: now, to: new Date(to.getTime() - 1) }, now, limit);
    isPartial ||= times.length === limit;
    const usualMs = usualOf.get(schedule.workflowId);
    const runs = plannedRuns(
      times.slice(0, limit - 1).map((time) => time.getTime()),
      usualMs ?? 0,
      schedule.overlapPolicy,
    );
    planned.push(...runs);
    if (usualMs === undefined) unknownDurations += runs.length;
    if (runs.length > 0) schedules.push({ schedule, runs: runs.length, usualMs });
    // Thousands of times take a while, so other requests are served in between.
    await new Promise((resolve) => setImmediate(resolve));
  }
  const quotas = quotasInForce(await findTeamLimits(db, teamId), await settings.load(db));
  const [usage] = await listTeamUsage(db, [teamId]);
  const limits = {
    maxConcurrent: quotas.maxConcurrentRuns,
    maxMonthly: quotas.maxWorkflowRunMonthly,
    usedThisMonth: usage?.runs ?? 0,
  };
  return {
    ...{ from, to, quotas, isPartial, unknownDurations },
    runsThisMonth: limits.usedThisMonth,
    totalRuns: planned.length,
    hours: forecastHours(planned, from.getTime(), hours, limits),
    schedules: schedules.sort((one, other) => other.runs - one.runs).slice(0, listed),
  };
}

async function usualDurations(db: Queryable, teamId: string, schedules: readonly ScheduleRow[]): Promise<Map<string, number>> {
  const workflows = [...new Set(schedules.map(({ workflowId }) => workflowId))].map((workflowId) => ({ teamId, workflowId }));
  const found = workflows.length === 0 ? [] : await findUsualDurations(db, workflows);
  return new Map(
    found.flatMap(({ workflowId, medianMs, runs }) => (medianMs === null || runs < fewestRuns ? [] : [[workflowId, medianMs] as const])),
  );
}
