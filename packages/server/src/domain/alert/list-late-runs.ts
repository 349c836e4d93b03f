import { runLimits } from "../../core/alert/deadline.ts";
import { type AlertLimits, type LateLimit, needsUsualDuration, runLateness } from "../../core/alert/run-lateness.ts";
import { findUsualDurations } from "../../store/alert/watched-runs.ts";
import type { Queryable } from "../../store/database/database.ts";
import { listOldRuns, type OldRunRow } from "../../store/team/on-call.ts";

/** A run that is late by the rules of alerts, whether or not its team wants alerts. */
export interface LateRunOfTeam {
  run: OldRunRow;
  limit: LateLimit;
  dueAt: Date;
  usualMs: number | undefined;
  expectedMs: number | undefined;
}

const checkedPerTeam = 20;
const mostChecked = 200;

/** Late ones among the oldest open runs of these teams; the one that has been late longest comes first. */
export async function listLateRuns(db: Queryable, teamIds: readonly string[], limits: AlertLimits, most: number): Promise<LateRunOfTeam[]> {
  const runs = (await listOldRuns(db, teamIds, checkedPerTeam, mostChecked)).map((run) => ({
    run,
    open: { createdAt: run.createdAt, startedAt: run.startedAt, ...runLimits(run) },
  }));
  const asking = runs.filter(({ run, open }) => needsUsualDuration(open, limits, run.now)).map(({ run }) => run);
  const workflows = new Map(asking.map(({ teamId, workflowId }) => [workflowId, { teamId, workflowId }]));
  const found = workflows.size === 0 ? [] : await findUsualDurations(db, [...workflows.values()]);
  const usualOf = new Map(found.flatMap(({ workflowId, ms, runs }) => (ms === null ? [] : [[workflowId, { ms, runs }] as const])));
  const late = runs.flatMap(({ run, open }) => {
    const usual = usualOf.get(run.workflowId);
    const lateness = runLateness(open, usual, limits, run.now);
    return lateness.kind === "late"
      ? [{ run, limit: lateness.limit, dueAt: lateness.dueAt, usualMs: usual?.ms, expectedMs: open.expectedMs }]
      : [];
  });
  return late.sort((one, other) => one.dueAt.getTime() - other.dueAt.getTime()).slice(0, most);
}
