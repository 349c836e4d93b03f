import { hostname } from "node:os";
import { type QueueNeed, type QueueTeam, type Worker, type WorkerExecutor, type Workers, workers } from "@millrace/contract/worker.ts";
import { mayDoEverything } from "../../policy/users.ts";
import { countQueuedRuns, countReady, listWorkers as list, type ReadyGroup, type WorkerRow } from "../../store/run/queue/work-queue.ts";
import { listTeamNames } from "../../store/team/directory.ts";
import type { LiveWorker } from "../../store/worker/workers.ts";
import { listPlaces, type PlaceRow } from "../../store/worker/workspace-places.ts";
import { defineEndpoint, type ExecutorState } from "../endpoint.ts";
import { whyNotClaimed } from "../run/why-not-claimed.ts";

const maxWorkers = 500;
/** So many that wait are examined. */
const maxWaiting = 10_000;

export const listWorkers = defineEndpoint({
  method: "GET",
  path: "/api/v2/system/workers",
  summary: "List the workers and the queue",
  description:
    "Every process that runs tasks, with its executors and slots. Also the task runs that no worker has claimed, by requirement and by team, with the reason. " +
    "At most 10,000 waiting task runs are counted. How an executor isolates steps, and why one is off, is known only for the process that responds.",
  tag: "System",
  permission: "system/read",
  transaction: "read",
  response: workers,
  async handle({ db, principal, services }) {
    const rows = await list(db, maxWorkers);
    const ready = await countReady(db, maxWaiting + 1);
    const queued = await countQueuedRuns(db, maxWaiting + 1);
    const places = new Map((await listPlaces(db, [...new Set(ready.map(({ place }) => place))])).map((place) => [place.id, place]));
    const teams = await listTeamNames(db, [...new Set([...ready, ...queued].map(({ teamId }) => teamId))]);
    return {
      workers: viewWorkers(rows, services.executors?.() ?? [], mayDoEverything(principal)),
      queue: viewQueue({ workers: rows.filter(({ isAlive }) => isAlive), places, ready, queued, teams, maxWaiting }),
    };
  },
});

/** Lines of each list of the queue. */
const maxLines = 20;

/** @param own the executors of this process, about which more is known than about others */
function viewWorkers(rows: readonly WorkerRow[], own: readonly ExecutorState[], maySeeDetail: boolean): Worker[] {
  return rows.map((row) => {
    const answering = row.isAlive && row.host === hostname() && row.pid === process.pid;
    const { id, host, pid, roles, labels, slots, busy, isAlive } = row;
    return {
      ...{ id, host, pid, roles, labels, slots },
      executors: row.configured.map((kind) => viewExecutor(kind, row, answering ? own : [], maySeeDetail)),
      busySlots: busy,
      startDate: row.startedAt.toISOString(),
      leaseUntilDate: row.leaseUntil.toISOString(),
      alive: isAlive,
      answering,
    };
  });
}

function viewExecutor(
  kind: string,
  { executors, faults, isAlive }: WorkerRow,
  own: readonly ExecutorState[],
  maySeeDetail: boolean,
): WorkerExecutor {
  const known = own.find((state) => state.kind === kind);
  const fault = known ? known.fault : (faults as Record<string, string>)[kind];
  return {
    kind,
    available: isAlive && (known?.available ?? executors.some((working) => working === kind)),
    ...(isAlive && fault !== undefined && { fault }),
    ...(known && { isolation: known.isolation }),
    ...(known && maySeeDetail && { detail: known.detail }),
  };
}

interface QueueFacts {
  /** The live ones. */
  workers: readonly LiveWorker[];
  /** By id: those that task runs wait for. */
  places: ReadonlyMap<string, PlaceRow>;
  ready: readonly ReadyGroup[];
  queued: readonly { teamId: string; runs: number }[];
  teams: readonly { id: string; name: string; displayName: string }[];
  maxWaiting: number;
}

function viewQueue({ workers, places, ready, queued, teams, maxWaiting }: QueueFacts): Workers["queue"] {
  const waiting = ready.reduce((sum, group) => sum + group.waiting, 0);
  return {
    waiting: Math.min(waiting, maxWaiting),
    isMore: waiting > maxWaiting,
    needs: viewNeeds(workers, ready, places),
    teams: viewTeams(ready, queued, teams),
  };
}

function viewNeeds(workers: readonly LiveWorker[], ready: readonly ReadyGroup[], places: QueueFacts["places"]): QueueNeed[] {
  const needs = new Map<string, ReadyGroup[]>();
  for (const group of ready) {
    const need = JSON.stringify([group.executor, [...group.runsOn].sort(), group.place]);
    needs.set(need, [...(needs.get(need) ?? []), group]);
  }
  const counted = [...needs.values()].map((groups) => ({ first: groups[0] as ReadyGroup, ...sumOf(groups) }));
  counted.sort((a, b) => b.waiting - a.waiting);
  return counted.slice(0, maxLines).map(({ first: { executor, runsOn, place }, waiting, oldestAt }) => ({
    ...{ executor, labels: runsOn, waiting },
    oldestDate: (oldestAt as Date).toISOString(),
    why: whyNotClaimed({ runsOn, place }, executor, workers, places),
  }));
}

function viewTeams(ready: readonly ReadyGroup[], queued: QueueFacts["queued"], teams: QueueFacts["teams"]): QueueTeam[] {
  const lines = teams.map((team) => {
    const { waiting, oldestAt } = sumOf(ready.filter(({ teamId }) => teamId === team.id));
    const queuedRuns = queued.find(({ teamId }) => teamId === team.id)?.runs ?? 0;
    return { ...team, waiting, oldestDate: oldestAt?.toISOString() ?? null, queuedRuns };
  });
  return lines.sort((a, b) => b.waiting - a.waiting || b.queuedRuns - a.queuedRuns || (a.name < b.name ? -1 : 1)).slice(0, maxLines);
}

function sumOf(groups: readonly ReadyGroup[]): { waiting: number; oldestAt: Date | undefined } {
  const times = groups.map(({ oldestAt }) => oldestAt.getTime());
  return {
    waiting: groups.reduce((sum, group) => sum + group.waiting, 0),
    oldestAt: times.length === 0 ? undefined : new Date(times.reduce((first, time) => Math.min(first, time))),
  };
}
