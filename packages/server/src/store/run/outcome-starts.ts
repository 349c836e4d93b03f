import type { FollowUpOutcome } from "@millrace/contract/run/run.ts";
import type { Queryable } from "../database/database.ts";

/** The runs that the ends of other runs have started, by `workflow` triggers. */

/** A run that ended, and how it was started. */
export interface EndedRun {
  retries: number;
  retryCount: number;
  /** Its lineage, with its own workflow at the end. */
  chain: string[];
}

/** @returns undefined if the run no longer exists */
export async function findEndedRun(db: Queryable, teamId: string, runId: string): Promise<EndedRun | undefined> {
  const [run] = await db<EndedRun[]>`
    select r.retries, r.retry_count as "retryCount", lineage_after(r.lineage, r.workflow_id) as chain
    from run r where r.id = ${runId} and (r.team_id = ${teamId}) is true`;
  return run;
}

export interface NewOutcomeStart {
  workflowId: string;
  outcome: FollowUpOutcome;
  /** Set exactly when a run was submitted. */
  runId: string | null;
  message: string | null;
}

/** The key refuses a second record for the same run and workflow: then the transaction is rolled back, with the runs in it. */
export async function insertOutcomeStarts(
  db: Queryable,
  teamId: string,
  causeRunId: string,
  chain: readonly string[],
  starts: readonly NewOutcomeStart[],
): Promise<void> {
  await db`
    insert into outcome_start (team_id, cause_run_id, chain, workflow_id, outcome, run_id, message)
    select ${teamId}, ${causeRunId}, ${[...chain]}::uuid[], s."workflowId", s.outcome, s."runId", s.message
    from json_to_recordset(${JSON.stringify(starts)}::json) as s("workflowId" uuid, outcome text, "runId" uuid, message text)`;
}

export interface OutcomeStartRow extends NewOutcomeStart {
  /** Null if the workflow no longer exists. */
  workflowName: string | null;
  at: Date;
}

/** One page, in the order in which it happened. */
export async function listOutcomeStarts(
  db: Queryable,
  teamId: string,
  causeRunId: string,
  page: { limit: number; offset: number },
): Promise<{ rows: OutcomeStartRow[]; total: number }> {
  const rows = await db<OutcomeStartRow[]>`
    select s.workflow_id as "workflowId", w.name as "workflowName", s.outcome, s.run_id as "runId", s.message, s.at
    from outcome_start s left join workflow w on w.team_id = s.team_id and w.id = s.workflow_id and w.deleted_at is null
    where s.team_id = ${teamId} and s.cause_run_id = ${causeRunId}
    order by s.at, s.workflow_id limit ${page.limit} offset ${page.offset}`;
  const [count] = await db<{ total: number }[]>`
    select count(*)::int as total from outcome_start where team_id = ${teamId} and cause_run_id = ${causeRunId}`;
  return { rows, total: count?.total ?? 0 };
}

/** Names of workflows by id; purged ones are missing. */
export async function findWorkflowNames(db: Queryable, teamId: string, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db<{ id: string; name: string }[]>`
    select id, name from workflow where team_id = ${teamId} and id = any(${[...ids]}::uuid[])`;
  return new Map(rows.map(({ id, name }) => [id, name]));
}
