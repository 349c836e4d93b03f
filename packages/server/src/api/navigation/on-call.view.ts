import type { Overview } from "@millrace/contract/overview.ts";
import type { AlertLimits } from "../../core/alert/run-lateness.ts";
import { type LateRunOfTeam, listLateRuns } from "../../domain/alert/list-late-runs.ts";
import type { Queryable } from "../../store/database/database.ts";
import { type InstanceHealth, readInstanceHealth } from "../../store/settings/instance-health.ts";
import { countWaits, type FailedWorkflowRow, listFailedWorkflows, listNextRuns, type NextRunRow } from "../../store/team/on-call.ts";
import { type FavouriteRow, listFavourites } from "../../store/workflow/favourites.ts";
import type { Principal } from "../endpoint.ts";

interface OnCall {
  waits: Awaited<ReturnType<typeof countWaits>>;
  failures: FailedWorkflowRow[];
  late: LateRunOfTeam[];
  nextRuns: NextRunRow[];
  favourites: FavouriteRow[];
  health: InstanceHealth;
}

/** Ids of the teams of which the caller may read them. */
interface ReadableTeams {
  runs: readonly string[];
  schedules: readonly string[];
  workflows: readonly string[];
}

const mostFavourites = 20;

/** What needs attention, and the state of the instance. */
export async function readOnCall(
  db: Queryable,
  { runs, schedules, workflows }: ReadableTeams,
  limits: AlertLimits,
  { userId }: Principal,
  limit: number,
): Promise<OnCall> {
  const [waits, failures, late, nextRuns, favourites, health] = await Promise.all([
    countWaits(db, runs),
    listFailedWorkflows(db, runs, limit),
    listLateRuns(db, runs, limits, limit),
    listNextRuns(db, schedules, limit),
    userId === undefined ? [] : listFavourites(db, userId, workflows, runs, mostFavourites),
    readInstanceHealth(db),
  ]);
  return { waits, failures, late, nextRuns, favourites, health };
}

type Place = Pick<FavouriteRow, "teamId" | "workflowName" | "workflowDisplayName">;

export function viewOnCall(
  { waits, failures, late, nextRuns, favourites }: OnCall,
  nameOf: (teamId: string) => string,
): Pick<Overview, "waits" | "failures" | "late" | "nextRuns" | "favourites"> {
  const place = ({ teamId, workflowName, workflowDisplayName }: Place) => ({ teamName: nameOf(teamId), workflowName, workflowDisplayName });
  return {
    waits: Object.fromEntries(waits.map(({ kind, count }) => [kind, count])),
    failures: failures.map((row) => ({
      ...place(row),
      failed: row.failed,
      run: row.runId,
      status: row.status,
      ...(row.statusMessage && { message: row.statusMessage }),
      endDate: row.endedAt.toISOString(),
    })),
    late: late.map(({ run, limit, dueAt, usualMs, expectedMs }) => ({
      ...place(run),
      run: run.runId,
      limit,
      dueDate: dueAt.toISOString(),
      ...(run.startedAt && { startTime: run.startedAt.toISOString() }),
      ...(limit === "usual" && usualMs !== undefined && { usualDuration: Math.round(usualMs) }),
      ...(limit === "expected" && expectedMs !== undefined && { expectedDuration: expectedMs }),
    })),
    nextRuns: nextRuns.map((row) => ({ ...place(row), schedule: row.name, date: row.at.toISOString() })),
    favourites: favourites.map((row) => ({
      ...place(row),
      ...(row.run && {
        run: { id: row.run.id, status: row.run.status, waitKinds: row.run.waitKinds, creationDate: row.run.createdAt },
      }),
    })),
  };
}

export function viewHealth(health: InstanceHealth, queueMinutes: number, outage: "full" | "away" | undefined): Overview["health"] {
  return { ...health, queue: health.oldestSeconds > queueMinutes * 60 ? "late" : "healthy", database: outage ?? "healthy" };
}
