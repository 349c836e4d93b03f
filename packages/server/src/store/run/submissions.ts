import type { AbstractParam, WorkflowWorkspace } from "@millrace/contract/common.ts";
import type { Trigger } from "@millrace/contract/inbound/trigger.ts";
import { isId } from "../../base/text/uuid.ts";
import type { Database, Queryable } from "../database/database.ts";
import { isTransaction } from "../database/transaction.ts";
import { findWorkflowById, type WorkflowReference } from "../team/directory.ts";
import { findWorkflowsByName } from "../workflow/triggered-workflows.ts";
import { encodeRun, insertPlacedBatch, insertRunBatch, insertRuns, isLarge, type RunToBegin, type RunToInsert } from "./new-runs.ts";
import type { NewRun } from "./run-rows.ts";

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

export interface SubmissionKey {
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
export async function findSubmissions(
  db: Queryable,
  { teamId, ref, version }: SubmissionKey,
  count: number,
): Promise<(Submission | undefined)[]> {
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

export type SecretLayer = "team" | "global";

/** For one version of a workflow. */
export interface ProtectedSecret {
  name: string;
  layer: SecretLayer;
  /** The team may use it. It is withheld even if not, since an earlier run may have it. */
  isOpen: boolean;
  /** Of the instance: the team itself has no parameter of that name. */
  hasShortName: boolean;
  approverGroupName: string;
  isApproved: boolean;
}

/** Of the protection `s` of a secret of the instance, and the team `t`. */
const isOpen = (db: Queryable) => db`
  exists (select from global_parameter g where g.name = s.name
          and (g.document->'teams' is null or t.id::text in (select json_array_elements_text(g.document->'teams'))))`;

const hasShortName = (db: Queryable) => db`
  not exists (select from json_array_elements(t.parameters) as own (document) where own.document->>'name' = s.name)`;

/**
 * The protections of the team `t`, for the version `v`, as a value. Without any it costs one index lookup (secret_protection_pkey), and one
 * in the few protections of the instance.
 */
const protectedSecrets = (db: Queryable) => db`
  coalesce((select json_agg(json_build_object('name', p.name, 'layer', p.layer, 'isOpen', p.is_open, 'hasShortName', p.has_short_name,
                                              'approverGroupName', p.approver_group, 'isApproved', p.is_approved) order by p.layer desc, p.name)
            from (
              select s.name, 'team' as layer, true as is_open, true as has_short_name, g.name as approver_group, a.name is not null as is_approved
              from secret_protection s
                join approver_group g on g.team_id = s.team_id and g.id = s.approver_group_id
                left join secret_approval a on a.team_id = s.team_id and a.workflow_version_id = v.id and a.name = s.name
              where s.team_id = t.id
              union all
              select s.name, 'global', ${isOpen(db)}, ${hasShortName(db)}, s.approver_group, a.name is not null
              from global_secret_protection s
                left join global_secret_approval a on a.team_id = t.id and a.workflow_version_id = v.id and a.name = s.name
            ) p), '[]'::json)`;

export async function listProtectedSecrets(db: Queryable, teamId: string, workflowVersionId: string): Promise<ProtectedSecret[]> {
  const [row] = await db<{ secrets: ProtectedSecret[] }[]>`
    select ${protectedSecrets(db)} as secrets from team t cross join (select ${workflowVersionId}::uuid as id) v where t.id = ${teamId}`;
  return row?.secrets ?? [];
}

/** A condition on `global_parameter g`: may that team use it? */
export const isOpenToTeam = (db: Queryable, teamId: string) => db`
  (g.document->'teams' is null or ${teamId}::text in (select json_array_elements_text(g.document->'teams')))`;

/** The most submissions that one statement records, and that one statement reads the data for. */
export const maxBatch = 50;

/**
 * Submissions of a team that arrive while another one is in progress share their statements (ADR 0091): those of the same workflow share
 * the one that reads what they must know, and all without a transaction share the one that records them. A statement that reads for a
 * submission begins after the submission arrived, so it sees everything that was acknowledged before.
 */
export class SubmissionBatches {
  readonly #reads = new SharedBatches<Asked, Submission | undefined>(maxBatch, async (_, asked) => {
    const [{ db, key }] = asked as readonly [Asked];
    const found: (Submission | undefined)[] = [];
    while (found.length < asked.length) found.push(...(await findSubmissions(db, key, asked.length - found.length)));
    return found;
  });
  readonly #targets = new SharedBatches<() => Promise<WorkflowReference[]>, WorkflowReference[]>(maxBatch, async (_, [find, ...others]) => {
    const found = await find!();
    return [found, ...others.map(() => found)];
  });
  readonly #writes = new SharedBatches<RunToInsert, undefined | { error: unknown }>(maxBatch, (_, recorded) => insertRunBatch(recorded));
  readonly #begun = new SharedBatches<RunToBegin, boolean>(maxBatch, (_, recorded) => insertPlacedBatch(recorded));

  find(db: Queryable, key: SubmissionKey): Promise<Submission | undefined> {
    if (isTransaction(db)) return findSubmission(db, key);
    return this.#reads.join(`${key.teamId} ${key.version ?? ""} ${key.ref}`, { db, key });
  }

  /** The target of an event or a webhook (directory.ts): those that name the same one at the same time share the statement. */
  async findWorkflowById(db: Queryable, id: string): Promise<WorkflowReference | undefined> {
    if (isTransaction(db)) return findWorkflowById(db, id);
    const [found] = await this.#targets.join(id, async () => [await findWorkflowById(db, id)].filter((one) => one !== undefined));
    return found;
  }

  /** The same for a name, which several workflows may have (triggered-workflows.ts). */
  async findWorkflowsByName(
    db: Queryable,
    name: string,
    teamIds: readonly string[] | undefined,
    limit: number,
  ): Promise<WorkflowReference[]> {
    const find = () => findWorkflowsByName(db, name, teamIds, limit);
    return isTransaction(db) ? find() : this.#targets.join(JSON.stringify([name, teamIds, limit]), find);
  }

  /** @throws what `insertRuns` throws */
  async insert(db: Queryable, run: NewRun): Promise<void> {
    const encoded = await encodeRun(run);
    if (isTransaction(db) || isLarge(encoded)) return insertRuns(db, [encoded]);
    const failed = await this.#writes.join(encoded.teamId, { db, run: encoded });
    if (failed) throw failed.error;
  }

  /** Resolves once everything that was recorded can be read: here it can be as soon as it is recorded. */
  async written(): Promise<void> {}

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

interface Asked {
  db: Database;
  key: SubmissionKey;
}

/**
 * Work that costs little more for many items than for one, such as a statement: the first item is processed at once, and items that arrive
 * in the meantime form the next batch. So nothing waits for a timer, and the more there is to do, the less each item costs. A batch has
 * items of one key; those of different keys don't wait for each other.
 */
class SharedBatches<Item, Result> {
  readonly #maxItems: number;
  readonly #run: (key: string, items: readonly Item[]) => Promise<readonly Result[]>;
  /** For each key with a batch in progress: the items of the next one. */
  readonly #waiting = new Map<string, Entry<Item, Result>[]>();

  /** @param run processes a batch. Its results are in the order of the items; an error applies to all of them */
  constructor(maxItems: number, run: (key: string, items: readonly Item[]) => Promise<readonly Result[]>) {
    this.#maxItems = maxItems;
    this.#run = run;
  }

  join(key: string, item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      const entry = { item, resolve, reject };
      const waiting = this.#waiting.get(key);
      if (waiting) waiting.push(entry);
      else {
        this.#waiting.set(key, []);
        void this.#go(key, [entry]);
      }
    });
  }

  async #go(key: string, first: readonly Entry<Item, Result>[]): Promise<void> {
    for (let batch = first; batch.length > 0; batch = this.#next(key)) {
      try {
        const results = await this.#run(
          key,
          batch.map(({ item }) => item),
        );
        for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#waiting.delete(key);
  }

  #next(key: string): readonly Entry<Item, Result>[] {
    return this.#waiting.get(key)?.splice(0, this.#maxItems) ?? [];
  }
}

interface Entry<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}
