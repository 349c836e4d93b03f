import type { AbstractParam, WorkflowWorkspace } from "@millrace/contract/common.ts";
import type { Trigger } from "@millrace/contract/inbound/trigger.ts";
import { AppError } from "../../base/error/app-error.ts";
import { SharedBatches } from "../../base/process/shared-batches.ts";
import type { Database, Queryable, Transaction } from "../database/database.ts";
import { isOutage } from "../database/database-error.ts";
import { isTransaction } from "../database/transaction.ts";
import { isId } from "../team/directory.ts";
import { isOpenToTeam, type ProtectedSecret, protectedSecrets } from "../team/secret-protections.ts";
import { isNoTrial } from "../workflow/hidden-workflows.ts";
import { type EncodedRun, encodeRun, insertPlacedRuns, insertRuns, type NewRun } from "./new-runs.ts";

/** Everything that a submission must know, read in one statement. */
export interface Submission {
  teamId: string;
  teamName: string;
  teamStatus: "active" | "inactive";
  teamParameters: AbstractParam[];
  globalParameters: AbstractParam[];
  maxConcurrentRuns: number | null;
  maxWaitingRuns: number | null;
  maxWorkflowRunDuration: number | null;
  maxWorkflowRunMonthly: number | null;
  maxWorkflowStorage: number | null;
  maxWorkflowRunStorage: number | null;
  workflowId: string;
  workflowName: string;
  workflowDisplayName: string;
  workflowStatus: "active" | "inactive";
  isArchived: boolean;
  workflowLabels: Record<string, string>;
  triggers: Record<string, Partial<Trigger> | undefined>;
  latestVersion: number;
  /** Runs of the team wait in the queue, or have started and wait for a slot. */
  hasWaitingRuns: boolean;
  /** Null if the workflow has no such version. */
  workflowVersionId: string | null;
  version: number | null;
  params: AbstractParam[] | null;
  workspaces: WorkflowWorkspace[] | null;
  timeoutMinutes: number | null;
  retries: number | null;
  taskVersionIds: string[];
  /** Of the team. */
  protectedSecrets: ProtectedSecret[];
  /** The database's time. */
  now: Date;
  /** One id for the run and one for each node, oldest first. */
  ids: string[];
}

/** The most ids that one statement creates for several submissions. */
const maxIds = 2_000;

interface SubmissionKey {
  teamId: string;
  /** Id or name of the workflow. */
  ref: string;
  /** Undefined: the latest. */
  version: number | undefined;
}

/** @returns undefined if the team has no such workflow */
export async function findSubmission(db: Queryable, key: SubmissionKey): Promise<Submission | undefined> {
  const [found] = await findSubmissions(db, key, 1);
  return found;
}

/** The same for so many submissions at once, or for the first ones if there would be too many ids: each has its own. */
async function findSubmissions(db: Queryable, { teamId, ref, version }: SubmissionKey, count: number): Promise<(Submission | undefined)[]> {
  const id = isId(ref) ? ref : null;
  const [row] = await db<(Submission & { idsEach: number })[]>`
    select t.id as "teamId", t.name as "teamName", t.status as "teamStatus", t.parameters as "teamParameters",
           coalesce((select json_agg(g.document) from global_parameter g where ${isOpenToTeam(db, teamId)}), '[]') as "globalParameters",
           t.max_concurrent_runs as "maxConcurrentRuns", t.max_waiting_runs as "maxWaitingRuns", t.max_workflow_run_duration as "maxWorkflowRunDuration",
           t.max_workflow_run_monthly as "maxWorkflowRunMonthly",
           t.max_workflow_storage as "maxWorkflowStorage", t.max_workflow_run_storage as "maxWorkflowRunStorage", w.id as "workflowId", w.name as "workflowName", w.display_name as "workflowDisplayName", w.status as "workflowStatus", w.archived_at is not null as "isArchived",
           exists (select from run q where q.team_id = t.id and q.phase in ('pending', 'queued') and q.held_for is null)
             or exists (select from run q where q.team_id = t.id and q.activity = 'wanted') as "hasWaitingRuns",
           w.labels as "workflowLabels", w.triggers, w.latest_version as "latestVersion",
           v.id as "workflowVersionId", v.version, v.document->'params' as params, v.document->'workspaces' as workspaces,
           (v.document->>'timeout')::int as "timeoutMinutes", (v.document->>'retries')::int as retries,
           array(select u.task_version_id from workflow_version_task u
                 where u.team_id = w.team_id and u.workflow_version_id = v.id order by u.task_version_id) as "taskVersionIds",
           ${protectedSecrets(db)} as "protectedSecrets",
           db_now() as now,
           n.ids as "idsEach",
           array(select new_id() from generate_series(1, n.ids * greatest(1, least(${count}::int, ${maxIds}::int / n.ids)))) as ids
    from team t
    join workflow w on w.team_id = t.id and w.deleted_at is null and (w.name = ${ref} or w.id = ${id})
    left join workflow_version v on v.team_id = w.team_id and v.workflow_id = w.id and v.replaced_at is null
      and v.version = coalesce(${version ?? null}::int, w.latest_version)
    cross join lateral (select 1 + coalesce(json_array_length(v.document->'tasks'), 0) as ids) n
    where t.id = ${teamId} and t.deleted_at is null
    order by (w.name = ${ref}) desc limit 1`;
  if (!row) return Array.from({ length: count }, () => undefined);
  const { idsEach: each, ids, ...submission } = row;
  ids.sort();
  return Array.from({ length: ids.length / each }, (_, index) => ({ ...submission, ids: ids.slice(index * each, (index + 1) * each) }));
}

export interface TeamLimits {
  name: string;
  status: "active" | "inactive";
  maxConcurrentRuns: number | null;
  maxWaitingRuns: number | null;
  maxWorkflowRunDuration: number | null;
  maxWorkflowRunMonthly: number | null;
  maxWorkflowStorage: number | null;
  maxWorkflowRunStorage: number | null;
}

/** What a rerun must know about its team. @throws TEAM_INVALID_REF if it was deleted in the meantime */
export async function findTeamLimits(db: Queryable, teamId: string): Promise<TeamLimits> {
  const [row] = await db<TeamLimits[]>`
    select name, status, max_concurrent_runs as "maxConcurrentRuns", max_waiting_runs as "maxWaitingRuns", max_workflow_run_duration as "maxWorkflowRunDuration",
           max_workflow_run_monthly as "maxWorkflowRunMonthly", max_workflow_storage as "maxWorkflowStorage",
           max_workflow_run_storage as "maxWorkflowRunStorage"
    from team where id = ${teamId} and deleted_at is null`;
  if (!row) throw new AppError("TEAM_INVALID_REF", [teamId]);
  return row;
}

/**
 * Locks the team, so that counts in the following statements stay valid.
 *
 * @throws TEAM_INVALID_REF if it was deleted in the meantime, WORKFLOW_TEAM_INACTIVE
 */
export async function lockLiveTeam(db: Queryable, teamId: string): Promise<void> {
  const [team] = await db<{ name: string; status: string }[]>`
    select name, status from team where id = ${teamId} and deleted_at is null for no key update`;
  if (!team) throw new AppError("TEAM_INVALID_REF", [teamId]);
  if (team.status !== "active") throw new AppError("WORKFLOW_TEAM_INACTIVE", [team.name]);
}

/** Waits for open submissions to the team; later ones wait for this transaction, and see its changes. */
export async function holdSubmissions(db: Queryable, teamId: string): Promise<void> {
  await db`select hold_submissions(${teamId})`;
}

/**
 * Runs that were submitted in this calendar month (UTC), including those of deleted workflows, without trials; not counted beyond `max`.
 */
export async function countMonthlyRuns(db: Queryable, teamId: string, max: number): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from (
      select 1 from run r where team_id = ${teamId} and ${isNoTrial(db)}
        and id >= id_floor(date_trunc('month', (select db_now()) at time zone 'UTC') at time zone 'UTC')
      limit ${max}) as counted`;
  return row?.count ?? 0;
}

/**
 * Runs that have started and only wait: a range of an index, read to its end or to `max`. Not for every submission: see check-quotas.ts.
 */
export async function countWaitingRuns(db: Queryable, teamId: string, max: number): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from (
      select 1 from run where team_id = ${teamId} and phase = 'running' and activity = 'none' limit ${max}) as counted`;
  return row?.count ?? 0;
}

/**
 * Locks the team and counts its active runs in a new statement (index run_active): for a run that needs a slot at once.
 *
 * @throws TEAM_INVALID_REF if the team was deleted in the meantime, WORKFLOW_TEAM_INACTIVE
 */
export async function countActiveLocked(db: Queryable, teamId: string): Promise<number> {
  await lockLiveTeam(db, teamId);
  return countActive(db, teamId);
}

/** The same without waiting for the lock. @returns undefined if another transaction holds it, or the team may no longer run anything */
export async function countActiveUnlessLocked(tx: Transaction, teamId: string): Promise<number | undefined> {
  const held = await tx`
    select 1 from team where id = ${teamId} and deleted_at is null and status = 'active' for no key update skip locked`;
  return held.length === 0 ? undefined : countActive(tx, teamId);
}

async function countActive(db: Queryable, teamId: string): Promise<number> {
  const [row] = await db<{ count: number }[]>`select count(*)::int as count from run where team_id = ${teamId} and activity = 'active'`;
  return row?.count ?? 0;
}

/** The most submissions that one statement records, and that one statement reads the data for. */
const maxTogether = 50;
/** A run with more characters is recorded alone, so that no other one waits for it. */
const maxCharacters = 32 * 1024;

/**
 * Submissions of a team that arrive while another one is in progress share their statements (ADR 0091): those of the same workflow share
 * the one that reads what they must know, and all without a transaction share the one that records them. A statement that reads for a
 * submission begins after the submission arrived, so it sees everything that was acknowledged before.
 */
export class SubmissionBatches {
  readonly #reads = new SharedBatches<Asked, Submission | undefined>(maxTogether, async (_, asked) => {
    const [{ db, key }] = asked as readonly [Asked];
    const found: (Submission | undefined)[] = [];
    while (found.length < asked.length) found.push(...(await findSubmissions(db, key, asked.length - found.length)));
    return found;
  });
  readonly #writes = new SharedBatches<Recorded, undefined | { error: unknown }>(maxTogether, (_, recorded) => insertTogether(recorded));
  readonly #begun = new SharedBatches<Begun, boolean>(maxTogether, (_, recorded) => beginTogether(recorded));

  find(db: Queryable, key: SubmissionKey): Promise<Submission | undefined> {
    if (isTransaction(db)) return findSubmission(db, key);
    return this.#reads.join(`${key.teamId} ${key.version ?? ""} ${key.ref}`, { db, key });
  }

  /** @throws what `insertRuns` throws */
  async insert(db: Queryable, run: NewRun): Promise<void> {
    const encoded = await encodeRun(run);
    if (isTransaction(db) || run.kept || isLarge(encoded)) return insertRuns(db, [encoded], run.kept);
    const failed = await this.#writes.join(encoded.teamId, { db, run: encoded });
    if (failed) throw failed.error;
  }

  /**
   * Records a run that takes one of a limited number of slots of its team. Runs that would have to wait for the lock of the team anyway
   * share one statement, which takes it once for all of them.
   * @returns false if it has to be recorded by itself, which finds out why
   */
  async begin(db: Database, run: NewRun, most: number): Promise<boolean> {
    const encoded = await encodeRun(run);
    if (run.kept || isLarge(encoded)) return false;
    return this.#begun.join(encoded.teamId, { db, run: encoded, most });
  }
}

function isLarge({ row, tasks }: EncodedRun): boolean {
  return row.length + tasks.length > maxCharacters;
}

interface Asked {
  db: Database;
  key: SubmissionKey;
}

interface Recorded {
  db: Database;
  run: EncodedRun;
}

interface Begun extends Recorded {
  /** Slots of the team. */
  most: number;
}

/** A refusal of one run must not refuse the others: none was recorded, so each is then recorded by itself. */
async function insertTogether(recorded: readonly Recorded[]): Promise<(undefined | { error: unknown })[]> {
  const [{ db }] = recorded as readonly [Recorded];
  try {
    const runs = recorded.map(({ run }) => run);
    await insertRuns(db, runs);
    return runs.map(() => undefined);
  } catch (error) {
    if (recorded.length === 1 || isOutage(error)) throw error;
  }
  return Promise.all(
    recorded.map(({ run }) =>
      insertRuns(db, [run]).then(
        () => undefined,
        (error: unknown) => ({ error }),
      ),
    ),
  );
}

/** All of them, or none. */
async function beginTogether(recorded: readonly Begun[]): Promise<boolean[]> {
  const [{ db }] = recorded as readonly [Begun];
  const runs = recorded.map(({ run }) => run);
  const most = Math.min(...recorded.map((one) => one.most));
  const areBegun = await insertPlacedRuns(db, runs, most).catch((error: unknown) => {
    if (isOutage(error)) throw error;
    return false;
  });
  return recorded.map(() => areBegun);
}
