import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Database } from "../../../src/store/database/database.ts";
import { migrationsFolder } from "../../../src/store/database/schema/schema-files.ts";

/**
 * Creates a database as the last program before the base left it: the same tables, the rows of its 35 migrations, and functions with their
 * parameters and results of that time. Their bodies are empty, so whatever works afterwards was created by the current program. Triggers
 * don't work before that: write only to tables without triggers, such as `place`.
 */
export async function createSchema35(sql: Database): Promise<void> {
  const base = join(migrationsFolder, "base");
  const tables = readdirSync(base)
    .sort()
    .map((file) => readFileSync(join(base, file), "utf8"));
  await sql.begin(async (tx) => {
    await tx`set local check_function_bodies = off`;
    for (const statements of [functions, ...tables, functionOfRow]) await tx.unsafe(statements);
    await tx`create table schema_migration (
      version int primary key, name text not null, is_breaking boolean not null, applied_at timestamptz(3) not null default clock_timestamp())`;
    await tx`
      insert into schema_migration (version, name, is_breaking)
      select number, name, number = 22 from unnest(${migrations}::text[]) with ordinality as m(name, number)`;
  });
}

const migrations = [
  "clock-and-ids",
  "identity",
  "definitions",
  "runs",
  "engine",
  "schedules",
  "sessions-and-users",
  "settings",
  "templates-and-audit",
  "events-and-integrations",
  "quotas-and-actions",
  "indexes",
  "outbound-events",
  "webhook-secrets",
  "linking-installations",
  "chat",
  "outcomes-and-reminders",
  "placement",
  "user-types",
  "identities",
  "voters-and-token-makers",
  "places-of-secrets",
  "sealed-keys",
  "slot-shares",
  "host-network",
  "delivery-lanes",
  "start-authors",
  "workspace-places",
  "faults-of-machines",
  "workspace-store",
  "active-runs",
  "initiators",
  "retention",
  "run-warnings",
  "lineage",
];

const functionOfRow =
  "create function run_event_data(r run, workflow_name text, workflow_display_name text) returns json language plpgsql stable as '-';";

const functions = `
create function apply_run_changes(changes json) returns uuid[] language plpgsql as '-';
create function arm_reminder() returns trigger language plpgsql as '-';
create function claim_active_runs(wanted int, default_concurrent int, is_unlimited boolean default false) returns table(team_id uuid, id uuid, is_new boolean, has_place boolean) language plpgsql as '-';
create function claim_queued_runs(wanted int, default_concurrent int, is_unlimited boolean default false) returns table(team_id uuid, id uuid) language plpgsql as '-';
create function claim_task_runs(claimer uuid, wanted int, can_run text[], labels text[], reserved int default 0, places text[] default '{}') returns table(team_id uuid, run_id uuid, id uuid, node int, item int, attempt int, deadline_at timestamptz, claimed_at timestamptz, need text, losses int) language plpgsql as '-';
create function complete_and_claim(changes json, claimer uuid, wanted int, can_run text[], labels text[], reserved int default 0, places text[] default '{}') returns table(applied uuid[], claims json) language plpgsql as '-';
create function db_now() returns timestamptz language plpgsql as 'begin return clock_timestamp(); end';
create function duration_ms(started_at timestamptz, ended_at timestamptz) returns bigint language plpgsql immutable as '-';
create function ensure_partitions(months_ahead int) returns void language plpgsql as 'begin end';
create function find_place(team uuid, owners uuid[], need text) returns text language plpgsql stable as '-';
create function id_date(id uuid) returns timestamptz language plpgsql immutable as '-';
create function id_floor(at timestamptz) returns uuid language plpgsql immutable as '-';
create function initiator_id(stored text) returns uuid language plpgsql immutable as '-';
create function initiator_name(of_team uuid, stored text) returns text language plpgsql stable as '-';
create function initiator_ref(stored text) returns text language plpgsql immutable as '-';
create function initiator_type(stored text) returns text language plpgsql immutable as '-';
create function insert_task_runs(tasks json, runs uuid[]) returns void language plpgsql as '-';
create function is_change_wanted(of_team uuid, of_kind text) returns boolean language plpgsql stable as '-';
create function is_kind_wanted(of_kind text) returns boolean language plpgsql stable as '-';
create function iso_time(at timestamptz) returns text language plpgsql stable as '-';
create function keep_origin() returns trigger language plpgsql as '-';
create function keep_voters() returns trigger language plpgsql as '-';
create function lineage_after(lineage uuid[], workflow uuid) returns uuid[] language plpgsql immutable as '-';
create function new_id() returns uuid language plpgsql as '-';
create function next_reminder(created_at timestamptz, reminder_minutes int, after int, deadline_at timestamptz) returns timestamptz language plpgsql stable as '-';
create function note_action_changes() returns trigger language plpgsql as '-';
create function note_new_run() returns trigger language plpgsql as '-';
create function note_run_changes() returns trigger language plpgsql as '-';
create function note_schedule_changes() returns trigger language plpgsql as '-';
create function note_sealed_columns() returns trigger language plpgsql as '-';
create function note_sealed_keys(of_place text, keys text[]) returns void language plpgsql as '-';
create function note_sealed_run() returns trigger language plpgsql as '-';
create function note_task_run_changes() returns trigger language plpgsql as '-';
create function note_work(teams uuid[]) returns void language plpgsql as '-';
create function origin_of_run(of_team uuid, of_run uuid, out requester text, out workflow uuid) returns record language plpgsql stable as '-';
create function people_of(principal text) returns uuid[] language plpgsql stable as '-';
create function people_of_run(of_team uuid, of_run uuid) returns uuid[] language plpgsql stable as '-';
create function place_ready_tasks(tasks json, runs uuid[]) returns void language plpgsql as '-';
create function release_locks(releases json, runs uuid[], ended uuid[]) returns void language plpgsql as '-';
create function requester_of_run(of_team uuid, of_run uuid) returns text language plpgsql stable as '-';
create function sealed_bytes_key(content bytea) returns text language plpgsql immutable as '-';
create function sealed_keys(content text, shape text) returns text[] language plpgsql immutable as '-';
create function sealed_param_keys(params json, are_declared boolean) returns setof text language plpgsql immutable as '-';
create function sealed_text_key(content text) returns text language plpgsql immutable as '-';
create function take_workspaces(team uuid, run_of_task uuid, need text, mine text, has_store boolean) returns text language plpgsql as '-';
create function workspace_owners(workspaces json, run uuid, workflow uuid) returns uuid[] language plpgsql immutable as '-';`;
