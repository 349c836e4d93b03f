-- Task runs are placed by what they need, and an attempt says where it ran and for what it waited.

alter table run
  add column default_image text;                  -- for steps without an image, as the setting was at submission

alter table task_run
  add column given_back int not null default 0;   -- of the losses in a row those by workers that ended in good order

alter table task_run_attempt
  add column place json,                          -- {node, unit, images}: where it ran, beside the host
  add column waits json;                          -- {queueMs, quotaMs, schedulingMs, imagePullMs, startMs}

alter table worker
  add column configured text[] not null default '{}'; -- executors that it was told to have; those in "executors" work now

-- From now on task_run.executor says what the task run needs: process, container, kubernetes, or image (one of the last two).

-- As before (000011), with the new columns. An attempt that somebody else ends knows its host from the row of its worker.
create or replace function apply_run_changes(changes json) returns uuid[]
  language plpgsql
  set plan_cache_mode = force_generic_plan
  as $$
  declare
    applied uuid[];
    ended uuid[];
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
          started_at = c.started_at, ended_at = c.ended_at, due_at = c.due_at, state_version = r.state_version + 1
      from json_to_recordset(changes->'runs') as c(team_id uuid, id uuid, expected bigint, status text, phase text, reason text,
        status_message text, status_override text, results json, awaiting_approval boolean, started_at timestamptz,
        ended_at timestamptz, due_at timestamptz)
      where r.team_id = c.team_id and r.id = c.id and r.state_version = c.expected
      returning r.id, r.phase
    )
    select array_agg(id), array_agg(id) filter (where phase = 'completed') into applied, ended from changed;
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
  $$;

-- As before (000005), with what a task run says of its worker.
create or replace function insert_task_runs(tasks json, runs uuid[]) returns void
  language plpgsql
  set plan_cache_mode = force_generic_plan
  as $$
  begin
      insert into task_run (id, team_id, run_id, node, item, name, type, task_id, task_version_id, task_version, status, phase, reason,
        status_message, attempt, retries_used, losses, given_back, decision_value, wait_kind, wait_key, wait_detail, executor, runs_on, timeout_minutes,
        worker_id, ready_at, claimable_at, started_at, ended_at, due_at, deadline_at, params, results, warnings)
      select t.id, t.team_id, t.run_id, t.node, t.item, t.name, t.type, t.task_id, t.task_version_id, t.task_version, t.status, t.phase, t.reason,
        t.status_message, t.attempt, t.retries_used, t.losses, coalesce(t.given_back, 0), t.decision_value, t.wait_kind, t.wait_key, t.wait_detail, t.executor, coalesce(t.runs_on, '{}'), t.timeout_minutes,
        t.worker_id, t.ready_at, t.claimable_at, t.started_at, t.ended_at, t.due_at, t.deadline_at, coalesce(t.params, '[]'), coalesce(t.results, '[]'), coalesce(t.warnings, '[]')
      from json_to_recordset(tasks) as t(id uuid, team_id uuid, run_id uuid, node int, item int, name text, type text, task_id uuid,
        task_version_id uuid, task_version int, status text, phase text, reason text, status_message text, attempt int, retries_used int,
        losses int, given_back int, decision_value text, wait_kind text, wait_key text, wait_detail text, executor text, runs_on text[], timeout_minutes int, worker_id uuid,
        ready_at timestamptz, claimable_at timestamptz, started_at timestamptz, ended_at timestamptz, due_at timestamptz, deadline_at timestamptz, params json,
        results json, warnings json)
      where t.run_id = any(runs);
  end
  $$;

-- As before (000005). A claim says what the task run needs, so that the worker can choose among its executors, and how many attempts
-- before it were lost: what they were may still be running.
drop function claim_task_runs(uuid, int, text[], text[]);
create function claim_task_runs(claimer uuid, wanted int, can_run text[], labels text[])
  returns table (team_id uuid, run_id uuid, id uuid, node int, item int, attempt int, deadline_at timestamptz, claimed_at timestamptz,
                need text, losses int)
  language plpgsql
  set plan_cache_mode = force_generic_plan
  as $$
  declare
    candidate uuid;
    taken int;
    remaining int := wanted;
    share int := greatest(1, (wanted + 1) / 2);
  begin
    if not exists (select from worker w where w.id = claimer and w.lease_until > db_now()) then
      return;
    end if;
    for candidate in
      select rt.team_id from ready_team rt
      where exists (select from task_run q where q.team_id = rt.team_id and q.claimable_at is not null)
      order by rt.last_claim_at
    loop
      exit when remaining <= 0;
      return query
        update task_run t
        set status = 'running', phase = 'running', attempt = t.attempt + 1, claimable_at = null, worker_id = claimer, reason = null, status_message = null,
            started_at = moment.at, deadline_at = moment.at + make_interval(mins => t.timeout_minutes),
            due_at = moment.at + make_interval(mins => t.timeout_minutes)
        from (select db_now() as at) moment,
             (select q.id from task_run q
              where q.team_id = candidate and q.claimable_at is not null and q.executor = any(can_run) and q.runs_on <@ labels
              order by q.claimable_at, q.id limit least(share, remaining) for update skip locked) picked
        where t.team_id = candidate and t.id = picked.id
        returning t.team_id, t.run_id, t.id, t.node, t.item, t.attempt, t.deadline_at, moment.at, t.executor, t.losses;
      get diagnostics taken = row_count;
      remaining := remaining - taken;
      if taken > 0 then
        update ready_team rt set last_claim_at = db_now(), last_work_at = db_now()
        where rt.team_id = (select seen.team_id from ready_team seen where seen.team_id = candidate for update skip locked);
      end if;
    end loop;
  end
  $$;
