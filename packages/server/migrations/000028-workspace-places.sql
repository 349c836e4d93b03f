-- Tasks go to the workspaces of their run. A workspace is in one place: the folder of workspaces of a machine (or of several that share it),
-- named by the id that is kept in that folder, or the cluster ("cluster"). Whoever claims the first task of a run takes its workspaces into
-- its own place, in the same transaction; from then on only workers with that place claim tasks of the run.

-- Folders of workspaces, and when a worker that has one was last seen.
create table place (
  id text primary key,
  host text not null,
  path text not null,                             -- on that host
  seen_at timestamptz(3) not null default db_now()
);

-- Which place has the workspaces of a run or a workflow. Tasks of the kinds "process" and "container" share folders of a machine; "image" is where
-- tasks that run in either a container or the cluster find theirs. Removed when the run is over or the workflow is deleted.
create table workspace_place (
  team_id uuid not null,                          -- no reference: a claim must not wait for a lock of the team
  owner_id uuid not null,                         -- a run or a workflow
  kind text not null check (kind in ('folder', 'image')),
  scope text not null check (scope in ('workflow', 'workflowrun')),
  place text not null,
  taken_at timestamptz(3) not null default db_now(),
  primary key (team_id, owner_id, kind)
);

alter table worker
  add column place text;                          -- null: it has no folder of workspaces

-- '' can be claimed by any worker; '?' has workspaces that nobody has taken yet; else by workers with that place.
alter table task_run
  add column place text not null default '';

-- A task that waits for one place costs the claims of other places nothing: each reads its own stretch of the index.
drop index task_run_claimable;
create index task_run_claimable on task_run (team_id, place, claimable_at, id) where claimable_at is not null;

-- Where a task of that run and need must go; null where its workspaces are in no place yet, or it is not recorded yet which one. Tasks that run in either
-- a container or the cluster go where the first of them went, else to the folder of the run if a worker there runs containers.
create function find_place(team uuid, owners uuid[], need text) returns text
  language plpgsql stable
  set plan_cache_mode = force_generic_plan
  as $$
  declare
    folder text;
    image text;
  begin
    select min(w.place) filter (where w.kind = 'folder'), min(w.place) filter (where w.kind = 'image') into folder, image
    from workspace_place w where w.team_id = team and w.owner_id = any(owners);
    if need = 'kubernetes' then
      return case when image is not null then 'cluster' end;
    elsif need <> 'image' then
      return folder;
    end if;
    return coalesce(image, (select folder where exists (select from worker v where v.place = folder and 'container' = any(v.configured))));
  end
  $$;

-- Whose the workspaces of a run are: always the run itself, so that its tasks stay together, and its workflow if they are kept across runs.
create function workspace_owners(workspaces json, run uuid, workflow uuid) returns uuid[]
  language sql immutable
  as $$
    select case when count(*) = 0 then '{}' when bool_or(type = 'workflow') then array[run, workflow] else array[run] end
    from (select coalesce(w->>'type', w->>'name') as type from json_array_elements(workspaces) as w) as declared
    where type in ('workflow', 'workflowrun')
  $$;

-- Says of task runs that have just become ready where they must go. Their run is locked, or was inserted by this transaction.
create function place_ready_tasks(tasks json, runs uuid[]) returns void
  language plpgsql
  set plan_cache_mode = force_generic_plan
  as $$
  begin
    update task_run t
    set place = coalesce(find_place(t.team_id, o.owners, t.executor), '?')
    from json_to_recordset(tasks) as c(team_id uuid, run_id uuid, id uuid, claimable_at timestamptz)
    join run r on r.team_id = c.team_id and r.id = c.run_id
    cross join lateral (select workspace_owners(r.workspaces, r.id, r.workflow_id) as owners) o
    where c.run_id = any(runs) and c.claimable_at is not null and cardinality(o.owners) > 0
      and t.team_id = c.team_id and t.id = c.id and t.claimable_at is not null;
  end
  $$;

-- Where a task with workspaces must go; takes them into the claimer's place ("mine", '' where it has none) when nobody has them. Null: somebody else
-- decides that right now. Nobody waits for a lock here: two claims that take workspaces in different orders would wait for each other.
create function take_workspaces(team uuid, run_of_task uuid, need text, mine text) returns text
  language plpgsql
  set plan_cache_mode = force_generic_plan
  as $$
  declare
    of_workflow uuid;
    all_owners uuid[];
    found_place text;
    owner uuid;
  begin
    select r.workflow_id, workspace_owners(r.workspaces, r.id, r.workflow_id) into of_workflow, all_owners
    from run r where r.team_id = team and r.id = run_of_task;
    found_place := find_place(team, all_owners, need);
    if found_place is not null or mine = '' then
      return found_place;
    end if;
    foreach owner in array coalesce(all_owners, '{}') loop
      if not pg_try_advisory_xact_lock(hashtextextended('workspaces of ' || owner, 0)) then
        return null;
      end if;
    end loop;
    found_place := coalesce(find_place(team, all_owners, need), mine);
    if found_place = mine then
      insert into workspace_place (team_id, owner_id, kind, scope, place)
      select team, o.id, k.kind, case when o.id = of_workflow then 'workflow' else 'workflowrun' end, mine
      from unnest(all_owners) as o(id), unnest(case
        when need = 'process' then array['folder']
        when mine = 'cluster' then array['image']
        else array['folder', 'image'] end) as k(kind)
      on conflict do nothing;
    end if;
    return found_place;
  end
  $$;

-- As before (000018), and places the task runs that become ready.
create or replace function apply_run_changes(changes json) returns uuid[]
  language plpgsql
  set plan_cache_mode = force_generic_plan
  as $$
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
          started_at = c.started_at, ended_at = c.ended_at, due_at = c.due_at, state_version = r.state_version + 1
      from json_to_recordset(changes->'runs') as c(team_id uuid, id uuid, expected bigint, status text, phase text, reason text,
        status_message text, status_override text, results json, awaiting_approval boolean, started_at timestamptz,
        ended_at timestamptz, due_at timestamptz)
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
  $$;

-- As before (000024). "places" says for each of "can_run" in which place the claimer would run it.
drop function complete_and_claim(json, uuid, int, text[], text[], int);
drop function claim_task_runs(uuid, int, text[], text[], int);
create function claim_task_runs(claimer uuid, wanted int, can_run text[], labels text[], reserved int default 0, places text[] default '{}')
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
    is_shared boolean := reserved > 0 and (select count(*) from (select from team t where t.status = 'active' limit 2) active) > 1;
    all_slots int;
    busy int;
    held int;
    other_holders int;
    room int;
    list text;
    lists text[];
    task record;
    goes_to text;
    decided uuid[];
    is_more boolean;
    in_all int;
  begin
    if is_shared then
      perform pg_advisory_xact_lock(hashtextextended('slots of worker ' || claimer, 0));
    end if;
    select w.slots into all_slots from worker w where w.id = claimer and w.lease_until > db_now();
    if not found then
      return;
    end if;
    for candidate in
      -- The order has it read one row of the index for each team; "exists" may read the whole table when much is waiting.
      select rt.team_id from ready_team rt
      cross join lateral (select 1 from task_run q where q.team_id = rt.team_id and q.claimable_at is not null
                          order by q.place, q.claimable_at, q.id limit 1) waiting
      order by rt.last_claim_at
    loop
      exit when remaining <= 0;
      room := least(share, remaining);
      if is_shared then
        select count(*), count(*) filter (where t.team_id = candidate), count(distinct t.team_id) filter (where t.team_id <> candidate)
        into busy, held, other_holders
        from task_run t where t.worker_id = claimer and t.status = 'running';
        room := least(room, all_slots - reserved - held,
          greatest(all_slots - busy - (reserved + other_holders) / (other_holders + 1), case when held = 0 and busy < all_slots then 1 else 0 end));
        continue when room <= 0;
      end if;
      -- The oldest work first, wherever it must go; most teams have none with workspaces.
      lists := array[''];
      if (select q.place from task_run q where q.team_id = candidate and q.place > '' and q.claimable_at is not null
          order by q.place, q.claimable_at, q.id limit 1) is not null then -- the order has it read the index
        select array_agg(head.place order by head.at, head.place) into lists
        from (select p.place, (select q.claimable_at from task_run q where q.team_id = candidate and q.place = p.place and q.claimable_at is not null
                               order by q.claimable_at, q.id limit 1) as at
              from (select '' as place union select '?' union select unnest(places)) p) head
        where head.at is not null;
      end if;
      in_all := 0;
      foreach list in array coalesce(lists, '{}') loop
        exit when room <= 0;
        if list <> '?' then
          return query
            update task_run t
            set status = 'running', phase = 'running', attempt = t.attempt + 1, claimable_at = null, worker_id = claimer, reason = null, status_message = null,
                started_at = moment.at, deadline_at = moment.at + make_interval(mins => t.timeout_minutes),
                due_at = moment.at + make_interval(mins => t.timeout_minutes)
            from (select db_now() as at) moment,
                 (select q.id from task_run q
                  where q.team_id = candidate and q.place = list and q.claimable_at is not null and q.executor = any(can_run) and q.runs_on <@ labels
                    and (list = '' or exists (select from unnest(can_run, places) as c(need, place) where c.need = q.executor and c.place = list))
                  order by q.claimable_at, q.id limit room for update skip locked) picked
            where t.team_id = candidate and t.id = picked.id
            returning t.team_id, t.run_id, t.id, t.node, t.item, t.attempt, t.deadline_at, moment.at, t.executor, t.losses;
          get diagnostics taken = row_count;
          remaining := remaining - taken;
          room := room - taken;
          in_all := in_all + taken;
          continue;
        end if;
        -- Of each that is looked at it is decided where it goes: here, or to another place, where it leaves this list.
        is_more := true;
        while is_more and room > 0 loop
          is_more := false;
          decided := '{}';
          for task in
            select q.id, q.run_id, q.executor, coalesce(mine.place, '') as mine
            from task_run q join unnest(can_run, places) as mine(need, place) on mine.need = q.executor
            where q.team_id = candidate and q.place = '?' and q.claimable_at is not null and q.runs_on <@ labels
            order by q.claimable_at, q.id limit room for update of q skip locked
          loop
            goes_to := take_workspaces(candidate, task.run_id, task.executor, task.mine);
            if goes_to is null then
              continue;
            end if;
            is_more := true;
            update task_run t set place = goes_to where t.team_id = candidate and t.id = task.id;
            if goes_to = task.mine then
              decided := decided || task.id;
            end if;
          end loop;
          return query
            update task_run t
            set status = 'running', phase = 'running', attempt = t.attempt + 1, claimable_at = null, worker_id = claimer, reason = null, status_message = null,
                started_at = moment.at, deadline_at = moment.at + make_interval(mins => t.timeout_minutes),
                due_at = moment.at + make_interval(mins => t.timeout_minutes)
            from (select db_now() as at) moment,
                 unnest(decided) as picked(id)
            where t.team_id = candidate and t.id = picked.id
            returning t.team_id, t.run_id, t.id, t.node, t.item, t.attempt, t.deadline_at, moment.at, t.executor, t.losses;
          get diagnostics taken = row_count;
          remaining := remaining - taken;
          room := room - taken;
          in_all := in_all + taken;
        end loop;
      end loop;
      taken := in_all;
      if taken > 0 then
        update ready_team rt set last_claim_at = db_now(), last_work_at = db_now()
        where rt.team_id = (select seen.team_id from ready_team seen where seen.team_id = candidate for update skip locked);
      end if;
    end loop;
  end
  $$;

create function complete_and_claim(changes json, claimer uuid, wanted int, can_run text[], labels text[], reserved int default 0, places text[] default '{}')
  returns table (applied uuid[], claims json)
  language plpgsql
  set plan_cache_mode = force_generic_plan
  as $$
  begin
    applied := apply_run_changes(changes);
    if wanted > 0 then
      select json_agg(c) into claims from claim_task_runs(claimer, wanted, can_run, labels, reserved, places) c;
    end if;
    return next;
  end
  $$;
