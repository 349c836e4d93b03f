import type { Database } from "../../../src/store/database/database.ts";
import { allowLongStatements, transaction } from "../../../src/store/database/transaction.ts";

/** The number of rows of each kind, over all teams. */
export interface Amounts {
  workflows: number;
  runs: number;
  tasks: number;
  actions: number;
  /** Tokens, users and audit records, each. */
  others: number;
}

/**
 * Fills a database as if after long use, with a few statements instead of requests. The rows are distributed evenly over these teams, and
 * there are other teams with nothing. IDs contain the time at which the row was created, as if the database had generated them. Afterwards
 * the tables are vacuumed and analysed, as autovacuum does in a database that is in use.
 */
export async function fillDatabase(sql: Database, teamIds: readonly string[], amounts: Amounts): Promise<void> {
  await sql.unsafe(`
    create or replace function test_id(at timestamptz, n bigint, salt uuid) returns uuid language sql parallel safe as $$
      select (substr(id_floor(at)::text, 1, 14) || '7' || lpad(to_hex(n % 4096), 3, '0') || '-a' || substr(md5(n::text || salt), 1, 3) || '-' || substr(md5(n::text || salt), 4, 12))::uuid
    $$`);
  const share = Object.fromEntries(Object.entries(amounts).map(([name, count]) => [name, count / teamIds.length])) as unknown as Amounts;
  await Promise.all([...teamIds.map((teamId) => fillTeam(sql, teamId, share)), fillInstance(sql, teamIds, amounts.others)]);
  await sql.unsafe(`vacuum (analyze) ${filledTables.join(", ")}`);
  await sql.unsafe("drop function test_id");
}

/** Tables that are large afterwards. */
const filledTables = [
  ...["workflow", "workflow_version", "run", "task_run", "action"],
  ...["task", "task_version", "token", "app_user", "audit", "team", "team_member"],
] as const;

/** As it is stored: a workflow that does nothing. */
function workflowDocument(): string {
  const node = { dependencies: [], labels: {}, annotations: {}, params: [], results: [] };
  const tasks = [
    { ...node, name: "start", type: "start" },
    { ...node, name: "end", type: "end", dependencies: [{ taskRef: "start", executionCondition: "always" }] },
  ];
  return JSON.stringify({ tasks, params: [], workspaces: [] });
}

const triggers = JSON.stringify(
  Object.fromEntries(
    ["manual", "schedule", "webhook", "event", "codehost", "workflow"].map((kind) => [kind, { enabled: true, conditions: [] }]),
  ),
);

async function fillTeam(sql: Database, teamId: string, { workflows, runs, tasks, actions }: Amounts): Promise<void> {
  await sql`
    with made as (
      insert into workflow (team_id, id, name, display_name, labels, triggers, latest_version, created_at)
      select ${teamId}, test_id(m.at, n, ${teamId}::uuid), 'workflow-' || n, 'Workflow ' || n, jsonb_build_object('stage', 's' || n % 10), ${triggers}::json, 1, m.at
      from generate_series(1, ${workflows}::int) n, lateral (select now() - make_interval(secs => ${workflows}::int - n)) m(at)
      returning team_id, id
    )
    insert into workflow_version (team_id, workflow_id, version, document) select team_id, id, 1, ${workflowDocument()}::json from made`;
  await sql`
    with made as (
      insert into task (team_id, id, name, type, latest_version, labels, created_at)
      select ${teamId}, test_id(m.at, n, ${teamId}::uuid), 'task-' || n, 'template', 1, jsonb_build_object('stage', 's' || n % 10), m.at
      from generate_series(1, ${tasks}::int) n, lateral (select now() - make_interval(secs => ${tasks}::int - n)) m(at)
      returning id, name
    )
    insert into task_version (task_id, version, display_name, spec) select id, 1, name, '{"params":[],"results":[]}' from made`;
  await fillRuns(sql, teamId, runs);
  await sql`
    insert into action (team_id, workflow_id, run_id, task_run_id, type, status, created_at)
    select t.team_id, r.workflow_id, r.id, t.id, case when n % 2 = 0 then 'manual' else 'approval' end,
      case when n % 100 = 0 then 'submitted' else (array['approved', 'rejected', 'cancelled'])[1 + n % 3] end, r.created_at
    from (select *, row_number() over (order by id) as n from task_run where team_id = ${teamId} order by id limit ${actions}) t
      join run r on r.team_id = t.team_id and r.id = t.run_id`;
}

/** Nearly all of them have finished; each has one task run. The newest is from this moment, all are from this month. */
async function fillRuns(sql: Database, teamId: string, runs: number): Promise<void> {
  await transaction(sql, async (tx) => {
    await allowLongStatements(tx);
    await tx`
    with own as materialized (
      select array_agg(workflow_id order by id) as ids, array_agg(id order by id) as versions from workflow_version where team_id = ${teamId}
    )
    insert into run (id, team_id, workflow_id, workflow_version_id, workflow_version, task_version_ids, status, phase, trigger, labels, layers,
      task_count, created_at, started_at, ended_at)
    select test_id(m.at, n, ${teamId}::uuid), ${teamId}, w.id, w.version, 1, '{}',
      case when n % 1000 = 0 then 'running' when n % 20 = 1 then 'failed' else 'succeeded' end,
      case when n % 1000 = 0 then 'running' else 'completed' end, (array['manual', 'schedule', 'webhook'])[1 + n % 3],
      jsonb_build_object('stage', 's' || n % 10), '{}', 1, m.at, m.at,
      case when n % 1000 <> 0 then m.at + make_interval(secs => n % 60) end
    from generate_series(1, ${runs}::int) n, own,
      lateral (select greatest(date_trunc('month', now() at time zone 'UTC') at time zone 'UTC', now() - make_interval(secs => ${runs}::int - n))) m(at),
      lateral (select own.ids[1 + n % cardinality(own.ids)], own.versions[1 + n % cardinality(own.ids)]) w(id, version)`;
    await tx`
    insert into task_run (id, team_id, run_id, node, name, type, status, phase, created_at, started_at, ended_at)
    select new_id(), team_id, id, 0, 'start', 'start', status, phase, created_at, started_at, ended_at from run where team_id = ${teamId}`;
  });
}

async function fillInstance(sql: Database, teamIds: readonly string[], count: number): Promise<void> {
  await sql`
    insert into team (name, display_name, labels)
    select 'team-' || n, 'Team ' || n, jsonb_build_object('stage', 's' || n % 10) from generate_series(1, ${count}::int / 10) n`;
  await sql`
    insert into app_user (email, name, labels, status)
    select 'user-' || n || '@example.com', 'User ' || n, jsonb_build_object('stage', 's' || n % 10), case when n % 10 = 0 then 'inactive' else 'active' end
    from generate_series(1, ${count}::int) n`;
  await sql`
    insert into team_member (team_id, user_id, role)
    select (${[...teamIds]}::uuid[])[1 + n % ${teamIds.length}::int], id, 'reader'
    from (select id, row_number() over (order by email) as n from app_user limit 100) u`;
  await sql`
    insert into token (kind, hash, name, team_id, user_id, permissions, created_at)
    select case when n % 2 = 0 then 'team' else 'user' end, sha256(n::text::bytea), 'token-' || n,
      case when n % 2 = 0 then (${[...teamIds]}::uuid[])[1 + n / 2 % ${teamIds.length}::int] end,
      case when n % 2 = 1 then u.id end, '{**/**}', now() - make_interval(secs => ${count}::int - n)
    from (select id, row_number() over (order by id) as n from app_user) u`;
  await sql`
    insert into audit (team_id, principal_kind, principal_id, action, object_kind, object_id)
    select case when n % 10 > 0 then (${[...teamIds]}::uuid[])[1 + n % ${teamIds.length}::int] end, 'user', 'user:' || n % 100, 'PUT /x', 'workflow', n::text
    from generate_series(1, ${count}::int) n`;
}
