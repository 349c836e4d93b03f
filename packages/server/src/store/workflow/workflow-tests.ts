import type { TestOutcome, WorkflowTestInput } from "@millrace/contract/workflow/workflow-test.ts";
import type { Queryable } from "../database/database.ts";

/** Tests of workflows. A change inserts a new row: earlier rows stay with the versions of the workflow that they were run with. */

/** The written content, without the columns of the row. */
export type WorkflowTestDocument = Omit<WorkflowTestInput, "id" | "name" | "workflow" | "version" | "changeDate">;

export interface WorkflowTestRow {
  /** Of this version of the test. */
  id: string;
  name: string;
  version: number;
  document: WorkflowTestDocument;
  author: string;
  changedAt: Date;
}

const columns = (db: Queryable) => db`t.id, t.name, t.version, t.document, t.author, t.changed_at as "changedAt"`;

const isCurrent = (db: Queryable, teamId: string, workflowId: string) =>
  db`t.team_id = ${teamId} and t.workflow_id = ${workflowId} and t.replaced_at is null`;

/** All tests of a workflow, by name (index workflow_test_current); as many as workflowTestLimits allows. */
export async function listWorkflowTests(db: Queryable, teamId: string, workflowId: string): Promise<WorkflowTestRow[]> {
  return db<WorkflowTestRow[]>`select ${columns(db)} from workflow_test t where ${isCurrent(db, teamId, workflowId)} order by t.name`;
}

export interface ListedTestRow extends Omit<WorkflowTestRow, "document"> {
  description: string | null;
  /** With the latest version that was tested with it; null: with none. */
  outcome: TestOutcome | null;
  message: string | null;
  testedAt: Date | null;
  workflowVersion: number | null;
}

/** The same without their documents, each with its last outcome. */
export async function listTestOutcomes(db: Queryable, teamId: string, workflowId: string): Promise<ListedTestRow[]> {
  return db<ListedTestRow[]>`
    select t.id, t.name, t.version, t.author, t.changed_at as "changedAt", t.document->>'description' as description,
      last.outcome, last.message, last.tested_at as "testedAt", last.version as "workflowVersion"
    from workflow_test t
    left join lateral (
      select r.outcome, r.message, r.tested_at, v.version from workflow_version_test r
      join workflow_version v on v.team_id = r.team_id and v.id = r.workflow_version_id
      where r.team_id = t.team_id and r.workflow_test_id = t.id order by v.replaced_at is null desc, v.version desc, r.tested_at desc limit 1
    ) last on true
    where ${isCurrent(db, teamId, workflowId)} order by t.name`;
}

export async function findWorkflowTest(
  db: Queryable,
  teamId: string,
  workflowId: string,
  name: string,
): Promise<WorkflowTestRow | undefined> {
  const [row] = await db<WorkflowTestRow[]>`
    select ${columns(db)} from workflow_test t where ${isCurrent(db, teamId, workflowId)} and t.name = ${name}`;
  return row;
}

export async function countWorkflowTests(db: Queryable, teamId: string, workflowId: string): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from workflow_test t where ${isCurrent(db, teamId, workflowId)}`;
  return row!.count;
}

/** The workflow is locked, so that no other test of that name is written meanwhile. */
export async function insertWorkflowTest(
  db: Queryable,
  teamId: string,
  test: Pick<WorkflowTestRow, "name" | "version" | "document" | "author"> & { workflowId: string },
): Promise<WorkflowTestRow> {
  const [row] = await db<WorkflowTestRow[]>`
    insert into workflow_test as t (team_id, workflow_id, name, version, document, author)
    values (${teamId}, ${test.workflowId}, ${test.name}, ${test.version}, ${JSON.stringify(test.document)}::json, ${test.author})
    returning ${columns(db)}`;
  return row!;
}

/** Copies all tests of a workflow to a copy of it, with their outcomes for the copied version. */
export async function copyWorkflowTests(
  db: Queryable,
  teamId: string,
  from: { workflowId: string; versionId: string },
  to: { workflowId: string; versionId: string; author: string },
): Promise<void> {
  await db`
    with copied as (
      insert into workflow_test as c (team_id, workflow_id, name, version, document, author)
      select t.team_id, ${to.workflowId}, t.name, 1, t.document, ${to.author} from workflow_test t where ${isCurrent(db, teamId, from.workflowId)}
      returning c.id, c.name
    )
    insert into workflow_version_test (team_id, workflow_version_id, workflow_test_id, outcome, message, tested_at)
    select r.team_id, ${to.versionId}, c.id, r.outcome, r.message, r.tested_at
    from workflow_test t join copied c on c.name = t.name
      join workflow_version_test r on r.team_id = t.team_id and r.workflow_version_id = ${from.versionId} and r.workflow_test_id = t.id
    where ${isCurrent(db, teamId, from.workflowId)}`;
}

/** Removes it from the workflow; versions that were tested with it keep it. */
export async function retireWorkflowTest(db: Queryable, teamId: string, id: string): Promise<void> {
  await db`update workflow_test set replaced_at = (select db_now()) where team_id = ${teamId} and id = ${id} and replaced_at is null`;
}

export interface TestOutcomeRow {
  testId: string;
  outcome: TestOutcome;
  message: string | null;
}

export async function recordTestOutcomes(
  db: Queryable,
  teamId: string,
  workflowVersionId: string,
  outcomes: readonly TestOutcomeRow[],
): Promise<void> {
  if (outcomes.length === 0) return;
  await db`
    insert into workflow_version_test (team_id, workflow_version_id, workflow_test_id, outcome, message)
    select ${teamId}, ${workflowVersionId}, r.test_id, r.outcome, r.message
    from unnest(${outcomes.map(({ testId }) => testId)}::uuid[], ${outcomes.map(({ outcome }) => outcome)}::text[],
      ${outcomes.map(({ message }) => message)}::text[]) as r (test_id, outcome, message)
    on conflict (team_id, workflow_version_id, workflow_test_id)
      do update set outcome = excluded.outcome, message = excluded.message, tested_at = (select db_now())`;
}

/** Task versions that a version of the workflow uses. */
export async function listVersionTaskIds(db: Queryable, teamId: string, workflowVersionId: string): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select u.task_version_id as id from workflow_version_task u
    where u.team_id = ${teamId} and u.workflow_version_id = ${workflowVersionId} order by u.task_version_id`;
  return rows.map(({ id }) => id);
}

/** The parameters of the team and the instance that a run was given, secrets masked. */
export async function findRunParameters(
  db: Queryable,
  teamId: string,
  runId: string,
): Promise<Record<"team" | "global", Record<string, unknown>> | undefined> {
  const [row] = await db<Record<"team" | "global", Record<string, unknown>>[]>`
    select coalesce(layers->'team', '{}') as team, coalesce(layers->'global', '{}') as global from run where team_id = ${teamId} and id = ${runId}`;
  return row;
}
