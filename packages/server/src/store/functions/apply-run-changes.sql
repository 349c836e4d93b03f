-- How the engine speaks with the database. All in PL/pgSQL, which keeps its plans: PostgreSQL before 18 plans an SQL function anew
-- at each call, and a plan over partitions costs more than running it. For the same reason the plans are generic: with lists as
-- parameters PostgreSQL would plan anew for each length.
--
-- Each function locks first and reads in a new statement: under READ COMMITTED
-- every statement of a function has its own snapshot, so what it reads is what the lock protects.

-- Makes changes of runs true, each as a whole or not at all; one call is one transaction and one round trip.
--
-- The fence: a run's row is locked, then its state_version must be the one that the change was computed from. Claims change a
-- ready task run without the run's lock, so each changed task run must also still have the attempt and status it was seen
-- with; if not, the call fails with 40001 and the caller computes again from fresh rows.
-- Returns the runs that were changed; the others had a newer state_version.
--
-- With a claimer the task runs that are marked as its next ones are written as running, each as a new attempt, instead of as ready: the statement that
-- ends a step of a chain then writes the next step once instead of twice. Whether that may be is decided by the caller (complete_and_claim), and here
-- only by the run: one with workspaces decides first where its tasks go. "claims" is null where nothing was claimed.
--
-- A step in the middle of a run changes nothing of its run but the version: then only that is written, and the run comes as three values instead of a
-- row. Its partition is then known before the others are opened, and no record has to be taken apart and joined.
--
-- Rows are found by their keys, one by one, whatever else the planner takes to be cheap: its plans are made while the tables are nearly empty, and
-- with another join each change would read all task runs of the team. So other joins are off, and limits that leave out nothing have it expect
-- one row: of an unknown limit it takes a tenth. In nearly empty tables every index that begins with the team looks as cheap as the one of the id, and
-- would be read for the whole team: a comparison of the team that is no condition of an index ("is true") leaves only the index of the id. A list of
-- one id can't be merged by, so that the whole of that index in its order is no choice either.
--
-- An attempt that somebody else ends knows its host from the row of its worker.
-- A process of an older version may leave out the activity of a run and its warnings: such a run counts as active while it runs, and the number of
-- its warnings stays.
create or replace function apply_and_claim(changes json, claimer uuid, out applied uuid[], out claims json)
  language plpgsql
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  as $$
  declare
    many int;
    ended uuid[];
    ended_teams uuid[];
    placed uuid[];
    wanted int;
    done int;
    parts record;
    moment timestamptz;
  begin
    -- Each look into a document reads all of it again, and one of many items is large: it is taken apart once.
    select * into parts
    from json_to_record(changes) as p(runs json, tasks json, "newTasks" json, "newItems" json, attempts json, actions json, "closedActions" json,
      signals json, drained json, "readyTeams" json, releases json, "mayHoldLocks" boolean, "sameTeam" uuid, "sameRun" uuid, "sameVersion" bigint);

    if parts."sameRun" is not null then
      many := 1;
      update run r set state_version = r.state_version + 1
      where r.id = parts."sameRun" and (r.team_id = parts."sameTeam") is true and r.state_version = parts."sameVersion"
      returning array[r.id], case when json_array_length(r.workspaces) > 0 then array[r.id] end into applied, placed;
    else
      many := json_array_length(parts.runs);
      -- A single one is locked by its update, which looks at the newest row then.
      if many > 1 then
        perform 1
        from (select l.team_id, l.id from (
          select j.team_id, j.id from json_to_recordset(parts.runs) as j(team_id uuid, id uuid) limit many) l order by l.team_id, l.id limit many) c
        cross join lateral (select from run r where r.id = c.id and (r.team_id = c.team_id) is true for update) locked;
      end if;

      with changed as (
        update run r
        set status = c.status, phase = c.phase, reason = c.reason, status_message = c.status_message,
            status_override = c.status_override, results = coalesce(c.results, r.results), awaiting_approval = c.awaiting_approval,
            started_at = c.started_at, ended_at = c.ended_at, due_at = c.due_at, state_version = r.state_version + 1,
            activity = coalesce(c.activity, case when c.phase = 'running' then 'active' else 'none' end),
            active_since = case when c.activity is not null then c.active_since when c.phase = 'running' then coalesce(r.active_since, db_now()) end,
            active_ms = coalesce(c.active_ms, r.active_ms), warning_count = coalesce(c.warning_count, r.warning_count)
        from (select l.* from (select j.* from json_to_recordset(parts.runs) as j(team_id uuid, id uuid, expected bigint, status text, phase text, reason text,
          status_message text, status_override text, results json, awaiting_approval boolean, started_at timestamptz,
          ended_at timestamptz, due_at timestamptz, activity text, active_since timestamptz, active_ms bigint, warning_count int)
          limit many) l limit many) c
        where r.id = any(array[c.id]) and (r.team_id = c.team_id) is true and r.state_version = c.expected
        returning r.team_id, r.id, r.phase, json_array_length(r.workspaces) > 0 as has_workspaces
      )
      select array_agg(id), array_agg(id) filter (where phase = 'completed'), array_agg(team_id) filter (where phase = 'completed'),
             array_agg(id) filter (where has_workspaces)
      into applied, ended, ended_teams, placed from changed;
    end if;
    if applied is null then
      applied := '{}';
      return;
    end if;
    if ended is not null then
      insert into run_search_due (team_id, run_id) select * from unnest(ended_teams, ended);
    end if;

    if cardinality(applied) = many then
      wanted := json_array_length(parts.tasks);
    else
      select count(*) into wanted from json_to_recordset(parts.tasks) as t(run_id uuid) where t.run_id = any(applied);
    end if;
    if wanted > 0 then
      if claimer is not null and placed is null then
        moment := db_now();
      end if;
      with written as (
      update task_run tr
      set status = case when t.is_claimed then 'running' else t.status end, phase = case when t.is_claimed then 'running' else t.phase end,
          reason = case when not t.is_claimed then t.reason end, status_message = case when not t.is_claimed then t.status_message end,
          attempt = t.attempt + t.is_claimed::int, retries_used = t.retries_used, losses = t.losses, given_back = coalesce(t.given_back, tr.given_back),
          decision_value = t.decision_value, wait_kind = t.wait_kind, wait_key = t.wait_key, wait_detail = t.wait_detail, executor = t.executor,
          worker_id = case when t.is_claimed then claimer else t.worker_id end,
          place = case when t.executor like 'external/%' then t.executor else tr.place end,
          ready_at = t.ready_at, claimable_at = case when not t.is_claimed then t.claimable_at end,
          started_at = case when t.is_claimed then moment else t.started_at end, ended_at = t.ended_at,
          due_at = case when t.is_claimed then moment + make_interval(mins => tr.timeout_minutes) else t.due_at end,
          deadline_at = case when t.is_claimed then moment + make_interval(mins => tr.timeout_minutes) else t.deadline_at end,
          params = coalesce(t.params, tr.params), results = coalesce(t.results, tr.results), warnings = coalesce(t.warnings, tr.warnings)
      from (select l.* from (select j.*, j.for_claimer is true and moment is not null as is_claimed
        from json_to_recordset(parts.tasks) as j(team_id uuid, run_id uuid, id uuid, seen_attempt int, seen_status text,
        status text, phase text, reason text, status_message text, attempt int, retries_used int, losses int, given_back int, decision_value text,
        wait_kind text, wait_key text, wait_detail text, executor text, worker_id uuid, ready_at timestamptz, claimable_at timestamptz, started_at timestamptz,
        ended_at timestamptz, due_at timestamptz, deadline_at timestamptz, params json, results json, warnings json, for_claimer boolean)
        where j.run_id = any(applied) limit wanted) l limit wanted) t
      where tr.id = any(array[t.id]) and (tr.team_id = t.team_id) is true
        and tr.attempt = t.seen_attempt and tr.status = t.seen_status
      returning t.is_claimed, tr.team_id, tr.run_id, tr.id, tr.node, tr.item, tr.attempt, tr.deadline_at, tr.started_at as claimed_at, tr.executor as need,
        tr.losses)
      select count(*), json_agg(w) filter (where w.is_claimed) into done, claims from written w;
      if done <> wanted then
        raise exception 'a task run of the change was claimed meanwhile' using errcode = '40001';
      end if;
    end if;

    if json_array_length(parts."newItems") > 0 then
      perform insert_items(parts."newItems", applied);
    end if;
    -- As a process of an older version writes them.
    if json_array_length(parts."newTasks") > 0 then
      perform insert_task_runs(parts."newTasks", applied);
    end if;
    if placed is not null then
      perform place_ready_tasks(parts.tasks, placed);
      perform place_ready_tasks(parts."newTasks", placed);
      perform place_ready_tasks((
        select json_agg(json_build_object('team_id', t.team_id, 'run_id', t.run_id, 'id', r.id, 'claimable_at', t.claimable_at))
        from json_to_recordset(parts."newItems") as g("like" json, rows json)
        cross join json_to_record(g."like") as t(team_id uuid, run_id uuid, claimable_at timestamptz)
        cross join json_to_recordset(g.rows) as r(id uuid)
        where t.claimable_at is not null), placed);
    end if;
    if json_array_length(parts.attempts) > 0 then
      insert into task_run_attempt (team_id, task_run_id, attempt, status, reason, status_message, exit_code, signal, executor,
                                    isolation, host, place, waits, worker_id, started_at)
      select a.team_id, a.task_run_id, a.attempt, a.status, a.reason, a.status_message, a.exit_code, a.signal, a.executor,
             a.isolation, coalesce(a.host, (select w.host from worker w where w.id = a.worker_id)), a.place, a.waits, a.worker_id, a.started_at
      from json_to_recordset(parts.attempts) as a(team_id uuid, run_id uuid, task_run_id uuid, attempt int, status text, reason text,
        status_message text, exit_code int, signal text, executor text, isolation text, host text, place json, waits json, worker_id uuid, started_at timestamptz)
      where a.run_id = any(applied);
    end if;
    if json_array_length(parts.actions) > 0 then
      insert into action (team_id, id, workflow_id, run_id, task_run_id, type, instructions, approver_group_id, approvers_wanted,
                          deadline_at, reminder_minutes, escalate_minutes, escalation_group_id, bars_requester, title, form, attachments)
      select a.team_id, a.id, a.workflow_id, a.run_id, a.task_run_id, a.type, a.instructions, a.approver_group_id, a.approvers_wanted,
             a.deadline_at, a.reminder_minutes, a.escalate_minutes, a.escalation_group_id, coalesce(a.bars_requester, false), a.title, a.form, a.attachments
      from json_to_recordset(parts.actions) as a(team_id uuid, id uuid, workflow_id uuid, run_id uuid, task_run_id uuid, type text,
        instructions text, approver_group_id uuid, approvers_wanted int, deadline_at timestamptz, reminder_minutes int,
        escalate_minutes int, escalation_group_id uuid, bars_requester boolean, title text, form json, attachments json)
      where a.run_id = any(applied);
    end if;
    if json_array_length(parts."closedActions") > 0 then
      update action a
      set status = 'cancelled', decided_at = db_now()
      from json_to_recordset(parts."closedActions") as c(team_id uuid, run_id uuid, task_run_id uuid)
      where a.team_id = c.team_id and a.run_id = c.run_id and a.task_run_id = c.task_run_id and a.status = 'submitted'
        and c.run_id = any(applied);
    end if;
    if json_array_length(parts.signals) > 0 then
      insert into run_signal (team_id, run_id, kind, data)
      select s.team_id, s.run_id, s.kind, s.data
      from json_to_recordset(parts.signals) as s(team_id uuid, from_run_id uuid, run_id uuid, kind text, data json)
      where s.from_run_id = any(applied);
    end if;
    if json_array_length(parts.drained) > 0 then
      delete from run_signal s
      using json_to_recordset(parts.drained) as d(run_id uuid, id bigint)
      where s.id = d.id and d.run_id = any(applied);
    end if;
    -- What is marked is all that became ready.
    if claims is null then
      perform note_work(array(select value::uuid from json_array_elements_text(parts."readyTeams")));
    end if;
    if json_array_length(parts.releases) > 0 or parts."mayHoldLocks" then
      perform release_locks(parts.releases, applied, ended);
    end if;
  end
  $$;

create or replace function apply_run_changes(changes json) returns uuid[]
  language plpgsql
  as $$
  begin
    return (apply_and_claim(changes, null)).applied;
  end
  $$;

-- Task runs that do not exist yet, of the runs that are named.
create or replace function insert_task_runs(tasks json, runs uuid[]) returns void
  language plpgsql
  set plan_cache_mode = force_generic_plan
  as $$
  begin
      insert into task_run (id, team_id, run_id, node, item, name, type, task_id, task_version_id, task_version, status, phase, reason,
        status_message, attempt, retries_used, losses, given_back, decision_value, wait_kind, wait_key, wait_detail, executor, runs_on, timeout_minutes,
        worker_id, ready_at, claimable_at, started_at, ended_at, due_at, deadline_at, params, results, warnings, place)
      select t.id, t.team_id, t.run_id, t.node, t.item, t.name, t.type, t.task_id, t.task_version_id, t.task_version, t.status, t.phase, t.reason,
        t.status_message, t.attempt, t.retries_used, t.losses, coalesce(t.given_back, 0), t.decision_value, t.wait_kind, t.wait_key, t.wait_detail, t.executor, coalesce(t.runs_on, '{}'), t.timeout_minutes,
        t.worker_id, t.ready_at, t.claimable_at, t.started_at, t.ended_at, t.due_at, t.deadline_at, coalesce(t.params, '[]'), coalesce(t.results, '[]'), coalesce(t.warnings, '[]'),
        case when t.executor like 'external/%' then t.executor else '' end
      from json_to_recordset(tasks) as t(id uuid, team_id uuid, run_id uuid, node int, item int, name text, type text, task_id uuid,
        task_version_id uuid, task_version int, status text, phase text, reason text, status_message text, attempt int, retries_used int,
        losses int, given_back int, decision_value text, wait_kind text, wait_key text, wait_detail text, executor text, runs_on text[], timeout_minutes int, worker_id uuid,
        ready_at timestamptz, claimable_at timestamptz, started_at timestamptz, ended_at timestamptz, due_at timestamptz, deadline_at timestamptz, params json,
        results json, warnings json)
      where t.run_id = any(runs);
  end
  $$;

-- Items of forEach nodes that do not exist yet, of the runs that are named, as store/run/run-rows.ts writes them: what the items of a group
-- have in common stands once in each group.
create or replace function insert_items(items json, runs uuid[]) returns void
  language plpgsql
  set plan_cache_mode = force_generic_plan
  as $$
  begin
      insert into task_run (id, team_id, run_id, node, item, name, type, task_id, task_version_id, task_version, status, phase, reason,
        status_message, attempt, retries_used, losses, given_back, decision_value, wait_kind, wait_key, wait_detail, executor, runs_on, timeout_minutes,
        worker_id, ready_at, claimable_at, started_at, ended_at, due_at, deadline_at, params, results, warnings, place)
      select r.id, t.team_id, t.run_id, t.node, r.i, t.name || '[' || r.i || ']', t.type, t.task_id, t.task_version_id, t.task_version, t.status, t.phase, t.reason,
        t.status_message, t.attempt, t.retries_used, t.losses, t.given_back, t.decision_value, t.wait_kind, t.wait_key, t.wait_detail, t.executor, coalesce(t.runs_on, '{}'), t.timeout_minutes,
        t.worker_id, t.ready_at, t.claimable_at, t.started_at, t.ended_at, t.due_at, t.deadline_at, coalesce(r.p, '[]'), coalesce(r.r, '[]'), coalesce(r.w, '[]'),
        case when t.executor like 'external/%' then t.executor else '' end
      from json_to_recordset(items) as g("like" json, rows json)
      cross join json_to_record(g."like") as t(team_id uuid, run_id uuid, node int, name text, type text, task_id uuid,
        task_version_id uuid, task_version int, status text, phase text, reason text, status_message text, attempt int, retries_used int,
        losses int, given_back int, decision_value text, wait_kind text, wait_key text, wait_detail text, executor text, runs_on text[], timeout_minutes int, worker_id uuid,
        ready_at timestamptz, claimable_at timestamptz, started_at timestamptz, ended_at timestamptz, due_at timestamptz, deadline_at timestamptz)
      cross join json_to_recordset(g.rows) as r(id uuid, i int, p json, r json, w json)
      where t.run_id = any(runs);
  end
  $$;

-- Says that teams have something to claim. Written at most once a minute and team: a row that is fresh enough is not even locked,
-- or every submission of a team would wait for the one before it.
create or replace function note_work(teams uuid[]) returns void
  language plpgsql
  set plan_cache_mode = force_generic_plan
  as $$
  begin
      insert into ready_team (team_id)
      select distinct wanted.team_id
      from unnest(teams) as wanted(team_id)
      where not exists (select from ready_team r where r.team_id = wanted.team_id and r.last_work_at > db_now() - interval '1 minute')
      on conflict (team_id) do update set last_work_at = db_now();
  end
  $$;

-- Gives back the named locks and all locks of runs that ended, and tells the longest waiting task run of each. A waiter that is
-- not seen here (its row was not committed yet) looks by itself within seconds.
create or replace function release_locks(releases json, runs uuid[], ended uuid[]) returns void
  language plpgsql
  set plan_cache_mode = force_generic_plan
  as $$
  begin
      with freed as (
        delete from task_lock l
        where l.run_id = any(runs)
          and (l.run_id = any(coalesce(ended, '{}'))
               or exists (select from json_to_recordset(releases) as k(run_id uuid, key text) where k.run_id = l.run_id and k.key = l.key))
        returning l.team_id, l.key
      )
      insert into run_signal (team_id, run_id, kind, data)
      select f.team_id, w.run_id, 'lock', json_build_object('key', f.key)
      from freed f
      cross join lateral (
        select t.run_id from task_run t
        where t.team_id = f.team_id and t.wait_kind = 'lock' and t.wait_key = f.key and t.status = 'waiting'
        order by t.id limit 1
      ) w;
  end
  $$;
