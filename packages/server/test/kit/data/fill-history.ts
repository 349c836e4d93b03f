import type { Database } from "../../../src/store/database/database.ts";

/** The tables of history, as the migrations name them. */
const partitioned = ["audit", "change_event", "log_chunk", "run", "task_run", "task_run_attempt"];

/** Creates the partitions of an instance that has run for this many months. */
export async function makePastMonths(sql: Database, months: number): Promise<void> {
  for (const table of partitioned) {
    for (let n = 1; n <= months; n++) {
      await sql.unsafe(`
        do $$ declare begins timestamp := date_trunc('month', now() at time zone 'UTC') - interval '${n} months'; begin
          execute format('create table if not exists %I partition of %I for values from (%L) to (%L)', '${table}_' || to_char(begins, 'YYYYMM'), '${table}',
            id_floor(begins at time zone 'UTC'), id_floor((begins + interval '1 month') at time zone 'UTC'));
        end $$`);
    }
  }
}

export interface MadeHistory {
  /** The interval of the runs in hours. */
  everyHours: number;
  /** The age of the oldest run in days. */
  days: number;
}

/**
 * Runs that took ten minutes, each with two task runs, an attempt and a chunk of log of each, an action, an event, a delivered delivery,
 * and an audit record, with matching times in all tables. The workflow must exist.
 */
export async function fillHistory(sql: Database, teamId: string, workflowId: string, { everyHours, days }: MadeHistory): Promise<void> {
  await sql.unsafe(`
    create or replace function made_id(at timestamptz) returns uuid language sql volatile as $$
      select overlay(id_floor(at)::text placing right(gen_random_uuid()::text, 12) from 25)::uuid $$`);
  await sql`
    insert into run (id, team_id, workflow_id, workflow_version_id, workflow_version, task_version_ids, status, phase, trigger, layers, task_count,
      created_at, started_at, ended_at)
    select made_id(at), ${teamId}, ${workflowId}, new_id(), 1, '{}', 'succeeded', 'completed', 'manual', '{}', 2, at, at, at + interval '10 minutes'
    from generate_series(date_trunc('hour', now()) - interval '30 minutes' - make_interval(days => ${days}), now() - interval '1 hour', make_interval(hours => ${everyHours})) as at`;
  await sql`
    insert into task_run (id, team_id, run_id, node, name, type, status, phase, created_at, started_at, ended_at)
    select made_id(created_at + make_interval(mins => node * 5)), team_id, id, node, 'task-' || node, 'script', 'succeeded', 'completed', created_at, created_at, ended_at
    from run, generate_series(0, 1) as node where team_id = ${teamId}`;
  await sql`
    insert into task_run_attempt (id, team_id, task_run_id, attempt, status, ended_at)
    select made_id(id_date(id) + interval '4 minutes'), team_id, id, 1, 'succeeded', ended_at from task_run where team_id = ${teamId}`;
  await sql`
    insert into log_chunk (id, team_id, task_run_id, attempt, seq, first_line, line_count, raw_bytes, data)
    select made_id(id_date(id) + interval '4 minutes'), team_id, id, 1, 0, 0, 1, 1, '\\x00' from task_run where team_id = ${teamId}`;
  await sql`
    insert into action (team_id, workflow_id, run_id, task_run_id, type, status, created_at)
    select team_id, ${workflowId}, run_id, id, 'approval', 'approved', created_at from task_run where team_id = ${teamId} and node = 1`;
  await sql`
    insert into run_event (team_id, run_id, topic, status, at) select team_id, id, 'done', 'succeeded', created_at from run where team_id = ${teamId}`;
  await sql`
    with event as (
      insert into change_event (id, team_id, kind, status, object_id, lane_id, data, at, dispatched_at)
      select made_id(ended_at), team_id, 'workflowrun', 'succeeded', id, id, '{}', ended_at, ended_at from run where team_id = ${teamId}
      returning id, seq, team_id, lane_id, at
    )
    insert into delivery (team_id, channel, event_id, event_seq, receiver_id, lane_id, status, created_at, ended_at)
    select team_id, 'webhook', id, seq, new_id(), lane_id, 'delivered', at, at from event`;
  await sql`
    insert into audit (id, team_id, at, principal_kind, principal_id, action, object_kind)
    select made_id(created_at), team_id, created_at, 'user', 'user:1', 'POST /x', 'workflowrun' from run where team_id = ${teamId}`;
  await sql`drop function made_id(timestamptz)`;
}
