import type { RunNeed } from "../../core/task/place-task.ts";
import { tasksAtOnce } from "../../core/worker/slot-shares.ts";
import type { Queryable } from "../database/database.ts";
import { type ClaimJson, claimOf, encodeChanges, type PlannedChange } from "../run/run-changes.ts";
import type { Claim } from "../worker/workers.ts";

/** External workers: programs of users that claim task runs of one team. Their rows are leases as those of other workers (schema: worker). */

export interface ExternalWorkerKey {
  teamId: string;
  id: string;
  /** The credential that it was registered with; for any other one it does not exist. */
  owner: string;
}

export interface NewExternalWorker {
  teamId: string;
  owner: string;
  /** Its display name. */
  name: string;
  leaseSeconds: number;
}

/**
 * @param atMost workers of the team, and of one credential in it
 * @returns its id; undefined if the team or the credential has reached its limit
 */
export async function insertExternalWorker(
  db: Queryable,
  worker: NewExternalWorker,
  atMost: { ofTeam: number; ofCredential: number },
): Promise<string | undefined> {
  const [row] = await db<{ id: string }[]>`
    insert into worker (host, pid, roles, executors, slots, lease_until, team_id, owner, lease_seconds)
    select ${worker.name}, 0, '{external}', '{}', 0, db_now() + make_interval(secs => ${worker.leaseSeconds}), ${worker.teamId}, ${worker.owner},
           ${worker.leaseSeconds}
    from (select count(*) as all_workers, count(*) filter (where w.owner = ${worker.owner}) as own_workers
          from worker w where w.team_id = ${worker.teamId}) as known
    where known.all_workers < ${atMost.ofTeam} and known.own_workers < ${atMost.ofCredential}
    returning id`;
  return row?.id;
}

export async function countExternalWorkers(db: Queryable, teamId: string, owner: string): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from worker w where w.team_id = ${teamId} and w.owner = ${owner}`;
  return row!.count;
}

/**
 * Records that the worker is alive, and what it asks for and how long: a waiting claim. Its lease is valid from now on, even if it had
 * expired; attempts that it lost in the meantime stay lost, by their fences. It counts as asking for a third of its lease longer, because
 * its next claims need not repeat it within that time.
 * @returns the seconds of its lease; undefined if it doesn't exist: it was lost long ago
 */
export async function noteAsking(
  db: Queryable,
  key: ExternalWorkerKey,
  tasks: readonly string[],
  seconds: number,
): Promise<number | undefined> {
  const [row] = await db<{ seconds: number }[]>`
    update worker w set lease_until = db_now() + make_interval(secs => w.lease_seconds), tasks = ${[...tasks]},
      asks_until = db_now() + make_interval(secs => greatest(w.lease_seconds, ${Math.ceil(seconds)} + w.lease_seconds / 3.0))
    where w.id = ${key.id} and w.team_id = ${key.teamId} and w.owner = ${key.owner} returning w.lease_seconds as seconds`;
  return row?.seconds;
}

/** A heartbeat. @returns the seconds for which it counts; undefined if there is no such worker */
export async function extendExternalLease(db: Queryable, { teamId, id, owner }: ExternalWorkerKey): Promise<number | undefined> {
  const [row] = await db<{ seconds: number }[]>`
    update worker w set lease_until = db_now() + make_interval(secs => w.lease_seconds)
    where w.id = ${id} and w.team_id = ${teamId} and w.owner = ${owner} returning lease_seconds as seconds`;
  return row?.seconds;
}

/** Ends its lease at once, and it asks for nothing any more. @returns false if there is no such worker */
export async function endExternalWorker(db: Queryable, { teamId, id, owner }: ExternalWorkerKey): Promise<boolean> {
  const rows = await db`
    update worker w set lease_until = least(w.lease_until, db_now()), asks_until = null
    where w.id = ${id} and w.team_id = ${teamId} and w.owner = ${owner} returning 1`;
  return rows.length > 0;
}

/** Claims ready task runs for an external worker, each as a new attempt (schema: claim_external_task_runs). @param needs of its tasks */
export async function claimExternalTaskRuns(
  db: Queryable,
  key: ExternalWorkerKey,
  wanted: number,
  needs: readonly string[],
): Promise<Claim[]> {
  return db<Claim[]>`
    select team_id as "teamId", run_id as "runId", id, node, item, attempt, deadline_at as "deadlineAt", claimed_at as "claimedAt", need, losses
    from claim_external_task_runs(${key.teamId}, ${key.id}, ${key.owner}, ${wanted}, ${[...needs]})`;
}

/** `applyRunChanges` and the next claims of an external worker in one round trip. */
export async function completeAndClaimExternal(
  db: Queryable,
  changes: readonly PlannedChange[],
  key: ExternalWorkerKey,
  wanted: number,
  needs: readonly RunNeed[],
): Promise<{ applied: Set<string>; claims: Claim[] }> {
  const atOnce = tasksAtOnce(changes, { most: wanted, needs });
  const text = await encodeChanges(changes, atOnce);
  const [row] = await db<{ applied: string[]; claims: ClaimJson[] | null }[]>`
    select applied, claims
    from complete_and_claim_external(${text}::json, ${key.teamId}, ${key.id}, ${key.owner}, ${wanted}, ${[...needs]}, ${atOnce.size > 0})`;
  return { applied: new Set(row?.applied ?? []), claims: (row?.claims ?? []).map(claimOf) };
}

/** Attempts that the worker currently holds, with the data of their claims, and for how long. */
export interface HeldClaim extends Claim {
  heldSeconds: number;
}

/** @param ids of task runs; by default all that it holds */
export async function listHeldClaims(db: Queryable, key: ExternalWorkerKey, ids?: readonly string[]): Promise<HeldClaim[]> {
  return db<HeldClaim[]>`
    select t.team_id as "teamId", t.run_id as "runId", t.id, t.node, t.item, t.attempt, t.deadline_at as "deadlineAt",
      t.started_at as "claimedAt", t.executor as need, t.losses, extract(epoch from db_now() - t.started_at)::float8 as "heldSeconds"
    from worker w join task_run t on t.worker_id = w.id and t.team_id = w.team_id
    where w.id = ${key.id} and w.team_id = ${key.teamId} and w.owner = ${key.owner} and t.status = 'running'
      and (${ids === undefined} or t.id = any(${[...(ids ?? [])]}::uuid[]))`;
}

/** How those of these attempts ended that have. */
export async function listAttemptEnds(
  db: Queryable,
  teamId: string,
  attempts: readonly { id: string; attempt: number }[],
): Promise<{ id: string; attempt: number; status: string }[]> {
  if (attempts.length === 0) return [];
  return db<{ id: string; attempt: number; status: string }[]>`
    select a.task_run_id as id, a.attempt, a.status
    from unnest(${attempts.map(({ id }) => id)}::uuid[], ${attempts.map(({ attempt }) => attempt)}::int[]) as wanted(id, attempt)
    cross join lateral (
      select q.task_run_id, q.attempt, q.status from task_run_attempt q
      where q.team_id = ${teamId} and q.task_run_id = wanted.id and q.attempt = wanted.attempt offset 0) a`;
}

export interface ExternalWorkerRow {
  id: string;
  name: string;
  /** What it asked for last. */
  tasks: string[];
  isAlive: boolean;
  isAsking: boolean;
  /** Attempts that it holds. */
  running: number;
  startedAt: Date;
  leaseUntil: Date;
}

/** External workers of the team: the live ones first, then by name. @param task only those that asked for it last */
export async function listExternalWorkers(db: Queryable, teamId: string, task: string | undefined): Promise<ExternalWorkerRow[]> {
  return db<ExternalWorkerRow[]>`
    select w.id, w.host as name, w.tasks, w.lease_until > (select db_now()) as "isAlive",
      coalesce(w.asks_until > (select db_now()) and w.lease_until > (select db_now()), false) as "isAsking",
      (select count(*)::int from task_run t where t.worker_id = w.id and t.team_id = w.team_id and t.status = 'running') as running,
      w.started_at as "startedAt", w.lease_until as "leaseUntil"
    from worker w where w.team_id = ${teamId} and (${task === undefined} or w.tasks @> array[${task ?? ""}]::text[])
    order by w.lease_until > (select db_now()) desc, w.host, w.id`;
}

/** Tasks that an external worker of the team currently asks for. */
export async function listAskedTasks(db: Queryable, teamId: string): Promise<Set<string>> {
  const rows = await db<{ name: string }[]>`
    select distinct unnest(w.tasks) as name from worker w
    where w.team_id = ${teamId} and w.asks_until > (select db_now()) and w.lease_until > (select db_now())`;
  return new Set(rows.map(({ name }) => name));
}

/** Of these names, those of external tasks that the team can use. */
export async function listExternalTasks(db: Queryable, teamId: string, names: readonly string[]): Promise<Set<string>> {
  const rows = await db<{ name: string }[]>`
    select t.name from task t
    where t.name = any(${[...names]}) and (t.team_id = ${teamId} or t.team_id is null) and t.deleted_at is null
      and t.annotations->>'millrace.dev/executor' = 'external'`;
  return new Set(rows.map(({ name }) => name));
}
