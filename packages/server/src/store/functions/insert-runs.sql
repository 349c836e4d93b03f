-- Records runs of one team and their task runs, in whatever state they already are, with the audit records of that. The task runs come after
-- the runs, or an event about one of them would not know its run. Submissions that arrive together are recorded by one call, since most of what
-- a single one costs is the beginning of its statements.
create or replace function insert_runs(runs json, tasks json, audits json, placed uuid[], works boolean) returns void
  language plpgsql
  set plan_cache_mode = force_generic_plan
  as $$
  declare
    added uuid[];
  begin
    perform require_runnable(w.team_id, w.workflow_id, w.begins)
    from (select distinct r.team_id, r.workflow_id, r.phase not in ('pending', 'queued') as begins
          from json_to_recordset(runs) as r(team_id uuid, workflow_id uuid, phase text)) w;

    with new_run as (
      insert into run (id, team_id, workflow_id, workflow_version_id, workflow_version, task_version_ids, status, phase, reason,
        status_message, status_override, trigger, initiated_by, labels, annotations, params, layers, default_image, secrets, workspaces, results,
        timeout_minutes, retries, retry_count, retry_of, parent_run_id, parent_task_run_id, depth, lineage, traceparent, debug, task_count,
        awaiting_approval, created_at, started_at, ended_at, due_at, max_active_minutes, activity, active_since, active_ms, warning_count,
        amended_by, slot_key, held_for, queue_rank)
      select r.id, r.team_id, r.workflow_id, r.workflow_version_id, r.workflow_version, r.task_version_ids, r.status, r.phase, r.reason,
        r.status_message, r.status_override, r.trigger, r.initiated_by, r.labels, r.annotations, r.params, r.layers, r.default_image, r.secrets, r.workspaces, r.results,
        r.timeout_minutes, r.retries, r.retry_count, r.retry_of, r.parent_run_id, r.parent_task_run_id, r.depth, r.lineage, r.traceparent, r.debug, r.task_count,
        r.awaiting_approval, r.created_at, r.started_at, r.ended_at, r.due_at, r.max_active_minutes, r.activity, r.active_since, r.active_ms, r.warning_count,
        r.amended_by, r.slot_key, r.held_for, r.queue_rank
      from json_to_recordset(runs) as r(id uuid, team_id uuid, workflow_id uuid, workflow_version_id uuid, workflow_version int, task_version_ids uuid[],
        status text, phase text, reason text, status_message text, status_override text, trigger text, initiated_by text, labels jsonb,
        annotations json, params json, layers json, default_image text, secrets bytea, workspaces json, results json, timeout_minutes int, retries int,
        retry_count int, retry_of uuid, parent_run_id uuid, parent_task_run_id uuid, depth int, lineage uuid[], traceparent text, debug boolean,
        task_count int, awaiting_approval boolean, created_at timestamptz, started_at timestamptz, ended_at timestamptz, due_at timestamptz,
        max_active_minutes int, activity text, active_since timestamptz, active_ms bigint, warning_count int, amended_by text[], slot_key text,
        held_for text, queue_rank uuid)
      returning team_id, id
    ), noted as (
      insert into run_search_due (team_id, run_id) select team_id, id from new_run
    ), audited as (
      insert into audit (team_id, principal_kind, principal_id, principal_name, token_id, action, object_kind, object_id, object_name, request_id,
        before, after)
      select a.team_id, a.principal_kind, a.principal_id, a.principal_name, a.token_id, a.action, a.object_kind, a.object_id, a.object_name, a.request_id,
        a.before, a.after
      from json_to_recordset(audits) as a(team_id uuid, principal_kind text, principal_id text, principal_name text, token_id uuid, action text,
        object_kind text, object_id text, object_name text, request_id text, before json, after json)
    )
    select array_agg(id) into added from new_run;

    perform insert_task_runs(tasks, added);
    if cardinality(placed) > 0 then
      perform place_ready_tasks(tasks, placed);
    end if;
    if works then
      perform note_work(array(select distinct r.team_id from json_to_recordset(runs) as r(team_id uuid)));
    end if;
  end
  $$;
