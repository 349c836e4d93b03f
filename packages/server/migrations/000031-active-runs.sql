-- A run that only waits takes no place in its team's quota maxConcurrentRuns (core/run/run-activity.ts tells what active and wanted mean).
alter table team add column max_waiting_runs int;

alter table run
  add column activity text not null default 'none' check (activity in ('none', 'wanted', 'active')),
  add column active_since timestamptz(3),
  add column active_ms bigint not null default 0,
  add column max_active_minutes int;

-- What runs when this is applied is active as long as a worker has a task of it or may claim one.
update run r set activity = 'active', active_since = db_now()
where r.phase = 'running' and exists (
  select from task_run t where t.team_id = r.team_id and t.run_id = r.id and (t.status = 'running' or t.claimable_at is not null));

alter table run
  add constraint run_activity_while_running check (activity = 'none' or phase = 'running'),
  add constraint run_active_since check (activity = 'active' or active_since is null);

create index run_active on run (team_id) where activity = 'active';
create index run_wanted on run (team_id, id) where activity = 'wanted';

/*
 * Gives places: locks each team that has work and room, counts its active runs, and takes first the runs that have something to do again,
 * then those that have not begun, the oldest first. Runs that others wait for begin without a place where there is none, so that nobody waits
 * for the place of who waits for him; a task of theirs then waits for a place as any other. claim_queued_runs stays for processes of the
 * version before, beside which this one may run for a while.
 */
create function claim_active_runs(wanted int, default_concurrent int, is_unlimited boolean default false)
returns table (team_id uuid, id uuid, is_new boolean, has_place boolean)
language plpgsql set plan_cache_mode to force_generic_plan as $$
  declare
    candidate uuid;
    room int;
    taken int;
    total int;
    remaining int := wanted;
  begin
    for candidate in
      select rt.team_id from ready_team rt
      where exists (select from run q where q.team_id = rt.team_id and q.phase in ('pending', 'queued'))
        or exists (select from run q where q.team_id = rt.team_id and q.activity = 'wanted')
      order by rt.last_claim_at
    loop
      exit when remaining <= 0;
      select case when is_unlimited then 2147483647 else coalesce(t.max_concurrent_runs, default_concurrent) end into room
      from team t where t.id = candidate and t.deleted_at is null and t.status = 'active' for no key update skip locked;
      continue when not found;
      select greatest(room - count(*), 0) into room from run r where r.team_id = candidate and r.activity = 'active';
      total := 0;

      return query
        select q.team_id, q.id, false, true from run q
        where q.team_id = candidate and q.activity = 'wanted'
        order by q.id limit least(room, remaining) for update skip locked;
      get diagnostics taken = row_count;
      total := total + taken;
      room := room - taken;

      return query
        select c.team_id, c.id, true, row_number() over (order by c.id) <= room
        from (
          select q.team_id, q.id from run q
          where q.team_id = candidate and q.phase in ('pending', 'queued') and q.parent_task_run_id is not null
          order by q.id limit remaining - total for update skip locked) as c;
      get diagnostics taken = row_count;
      total := total + taken;
      room := greatest(room - taken, 0);

      return query
        select q.team_id, q.id, true, true from run q
        where q.team_id = candidate and q.phase in ('pending', 'queued') and q.parent_task_run_id is null
        order by q.id limit least(room, remaining - total) for update skip locked;
      get diagnostics taken = row_count;
      total := total + taken;

      remaining := remaining - total;
      if total > 0 then
        update ready_team rt set last_claim_at = db_now(), last_work_at = db_now()
        where rt.team_id = (select seen.team_id from ready_team seen where seen.team_id = candidate for update skip locked);
      end if;
    end loop;
  end
$$;

-- What the activity of a run is comes with its change. A process of the version before says nothing of it: its run counts as active while it runs.
CREATE OR REPLACE FUNCTION apply_run_changes(changes json)
 RETURNS uuid[]
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
  declare
    applied uuid[];
    ended uuid[];
    placed uuid[];
    wanted int;
    done int;
  begin
    perform 1
    from json_to_recordset(changes->'runs') as c(team_id uuid, id uuid)
    join run r on r.team_id = c.team_id and r.id = c.id
    order by r.team_id, r.id
    for update of r;

    with changed as (
      update run r
      set status = c.status, phase = c.phase, reason = c.reason, status_message = c.status_message,
          status_override = c.status_override, results = coalesce(c.results, r.results), awaiting_approval = c.awaiting_approval,
          started_at = c.started_at, ended_at = c.ended_at, due_at = c.due_at, state_version = r.state_version + 1,
          activity = coalesce(c.activity, case when c.phase = 'running' then 'active' else 'none' end),
          active_since = case when c.activity is not null then c.active_since when c.phase = 'running' then coalesce(r.active_since, db_now()) end,
          active_ms = coalesce(c.active_ms, r.active_ms)
      from json_to_recordset(changes->'runs') as c(team_id uuid, id uuid, expected bigint, status text, phase text, reason text,
        status_message text, status_override text, results json, awaiting_approval boolean, started_at timestamptz,
        ended_at timestamptz, due_at timestamptz, activity text, active_since timestamptz, active_ms bigint)
      where r.team_id = c.team_id and r.id = c.id and r.state_version = c.expected
      returning r.id, r.phase, json_array_length(r.workspaces) > 0 as has_workspaces
    )
    select array_agg(id), array_agg(id) filter (where phase = 'completed'), array_agg(id) filter (where has_workspaces)
    into applied, ended, placed from changed;
    if applied is null then
      return '{}';
    end if;

    select count(*) into wanted from json_to_recordset(changes->'tasks') as t(run_id uuid) where t.run_id = any(applied);
    if wanted > 0 then
      update task_run tr
      set status = t.status, phase = t.phase, reason = t.reason, status_message = t.status_message, attempt = t.attempt,
          retries_used = t.retries_used, losses = t.losses, given_back = coalesce(t.given_back, tr.given_back), decision_value = t.decision_value, wait_kind = t.wait_kind,
          wait_key = t.wait_key, wait_detail = t.wait_detail, executor = t.executor, worker_id = t.worker_id,
          ready_at = t.ready_at, claimable_at = t.claimable_at, started_at = t.started_at, ended_at = t.ended_at, due_at = t.due_at, deadline_at = t.deadline_at,
          params = coalesce(t.params, tr.params), results = coalesce(t.results, tr.results), warnings = coalesce(t.warnings, tr.warnings)
      from json_to_recordset(changes->'tasks') as t(team_id uuid, run_id uuid, id uuid, seen_attempt int, seen_status text,
        status text, phase text, reason text, status_message text, attempt int, retries_used int, losses int, given_back int, decision_value text,
        wait_kind text, wait_key text, wait_detail text, executor text, worker_id uuid, ready_at timestamptz, claimable_at timestamptz, started_at timestamptz,
        ended_at timestamptz, due_at timestamptz, deadline_at timestamptz, params json, results json, warnings json)
      where tr.team_id = t.team_id and tr.id = t.id and t.run_id = any(applied)
        and tr.attempt = t.seen_attempt and tr.status = t.seen_status;
      get diagnostics done = row_count;
      if done <> wanted then
        raise exception 'a task run of the change was claimed meanwhile' using errcode = '40001';
      end if;
    end if;

    if json_array_length(changes->'newTasks') > 0 then
      perform insert_task_runs(changes->'newTasks', applied);
    end if;
    if placed is not null then
      perform place_ready_tasks(changes->'tasks', placed);
      perform place_ready_tasks(changes->'newTasks', placed);
    end if;
    if json_array_length(changes->'attempts') > 0 then
      insert into task_run_attempt (team_id, task_run_id, attempt, status, reason, status_message, exit_code, signal, executor,
                                    isolation, host, place, waits, worker_id, started_at)
      select a.team_id, a.task_run_id, a.attempt, a.status, a.reason, a.status_message, a.exit_code, a.signal, a.executor,
             a.isolation, coalesce(a.host, (select w.host from worker w where w.id = a.worker_id)), a.place, a.waits, a.worker_id, a.started_at
      from json_to_recordset(changes->'attempts') as a(team_id uuid, run_id uuid, task_run_id uuid, attempt int, status text, reason text,
        status_message text, exit_code int, signal text, executor text, isolation text, host text, place json, waits json, worker_id uuid, started_at timestamptz)
      where a.run_id = any(applied);
    end if;
    if json_array_length(changes->'actions') > 0 then
      insert into action (team_id, id, workflow_id, run_id, task_run_id, type, instructions, approver_group_id, approvers_wanted,
                          deadline_at, reminder_minutes, bars_requester)
      select a.team_id, a.id, a.workflow_id, a.run_id, a.task_run_id, a.type, a.instructions, a.approver_group_id, a.approvers_wanted,
             a.deadline_at, a.reminder_minutes, coalesce(a.bars_requester, false)
      from json_to_recordset(changes->'actions') as a(team_id uuid, id uuid, workflow_id uuid, run_id uuid, task_run_id uuid, type text,
        instructions text, approver_group_id uuid, approvers_wanted int, deadline_at timestamptz, reminder_minutes int, bars_requester boolean)
      where a.run_id = any(applied);
    end if;
    if json_array_length(changes->'closedActions') > 0 then
      update action a
      set status = 'cancelled', decided_at = db_now()
      from json_to_recordset(changes->'closedActions') as c(team_id uuid, run_id uuid, task_run_id uuid)
      where a.team_id = c.team_id and a.run_id = c.run_id and a.task_run_id = c.task_run_id and a.status = 'submitted'
        and c.run_id = any(applied);
    end if;
    if json_array_length(changes->'signals') > 0 then
      insert into run_signal (team_id, run_id, kind, data)
      select s.team_id, s.run_id, s.kind, s.data
      from json_to_recordset(changes->'signals') as s(team_id uuid, from_run_id uuid, run_id uuid, kind text, data json)
      where s.from_run_id = any(applied);
    end if;
    if json_array_length(changes->'drained') > 0 then
      delete from run_signal s
      using json_to_recordset(changes->'drained') as d(run_id uuid, id bigint)
      where s.id = d.id and d.run_id = any(applied);
    end if;
    perform note_work(array(select value::uuid from json_array_elements_text(changes->'readyTeams')));
    if json_array_length(changes->'releases') > 0 or (changes->>'mayHoldLocks')::boolean then
      perform release_locks(changes->'releases', applied, ended);
    end if;
    return applied;
  end
  $function$;
