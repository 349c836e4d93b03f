-- The schema after all migrations, made by `npm run generate`. To change a table, add a migration; functions are in store/functions.

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
          active_ms = coalesce(c.active_ms, r.active_ms), warning_count = coalesce(c.warning_count, r.warning_count)
      from json_to_recordset(changes->'runs') as c(team_id uuid, id uuid, expected bigint, status text, phase text, reason text,
        status_message text, status_override text, results json, awaiting_approval boolean, started_at timestamptz,
        ended_at timestamptz, due_at timestamptz, activity text, active_since timestamptz, active_ms bigint, warning_count int)
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
  $function$
;

CREATE OR REPLACE FUNCTION arm_reminder()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  begin
    new.remind_at := next_reminder(new.created_at, new.reminder_minutes, 0, new.deadline_at);
    return new;
  end
  $function$
;

CREATE OR REPLACE FUNCTION claim_active_runs(wanted integer, default_concurrent integer, is_unlimited boolean DEFAULT false)
 RETURNS TABLE(team_id uuid, id uuid, is_new boolean, has_place boolean)
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION claim_queued_runs(wanted integer, default_concurrent integer, is_unlimited boolean DEFAULT false)
 RETURNS TABLE(team_id uuid, id uuid)
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
  declare
    candidate uuid;
    room int;
    taken int;
    more int;
    remaining int := wanted;
  begin
    for candidate in
      select rt.team_id from ready_team rt
      where exists (select from run q where q.team_id = rt.team_id and q.phase in ('pending', 'queued'))
      order by rt.last_claim_at
    loop
      exit when remaining <= 0;
      select case when is_unlimited then 2147483647 else coalesce(t.max_concurrent_runs, default_concurrent) end into room
      from team t where t.id = candidate and t.deleted_at is null and t.status = 'active' for no key update skip locked;
      continue when not found;
      return query
        select q.team_id, q.id from run q
        where q.team_id = candidate and q.phase in ('pending', 'queued') and q.parent_task_run_id is not null
        order by q.id limit remaining for update skip locked;
      get diagnostics taken = row_count;
      select room - count(*) into room from run r
      where r.team_id = candidate and r.phase = 'running' and r.parent_task_run_id is null;
      if least(room, remaining - taken) > 0 then
        return query
          select q.team_id, q.id from run q
          where q.team_id = candidate and q.phase in ('pending', 'queued') and q.parent_task_run_id is null
          order by q.id limit least(room, remaining - taken) for update skip locked;
        get diagnostics more = row_count;
        taken := taken + more;
      end if;
      remaining := remaining - taken;
      if taken > 0 then
        update ready_team rt set last_claim_at = db_now(), last_work_at = db_now()
        where rt.team_id = (select seen.team_id from ready_team seen where seen.team_id = candidate for update skip locked);
      end if;
    end loop;
  end
  $function$
;

CREATE OR REPLACE FUNCTION claim_task_runs(claimer uuid, wanted integer, can_run text[], labels text[], reserved integer DEFAULT 0, places text[] DEFAULT '{}'::text[])
 RETURNS TABLE(team_id uuid, run_id uuid, id uuid, node integer, item integer, attempt integer, deadline_at timestamp with time zone, claimed_at timestamp with time zone, need text, losses integer)
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
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
        if list not in ('?', 'store') then
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
            where q.team_id = candidate and q.place = list and q.claimable_at is not null and q.runs_on <@ labels
            order by q.claimable_at, q.id limit room for update of q skip locked
          loop
            goes_to := take_workspaces(candidate, task.run_id, task.executor, task.mine, 'store' = any(places));
            if goes_to is null or goes_to = list then
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
  $function$
;

CREATE OR REPLACE FUNCTION complete_and_claim(changes json, claimer uuid, wanted integer, can_run text[], labels text[], reserved integer DEFAULT 0, places text[] DEFAULT '{}'::text[])
 RETURNS TABLE(applied uuid[], claims json)
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
  begin
    applied := apply_run_changes(changes);
    if wanted > 0 then
      select json_agg(c) into claims from claim_task_runs(claimer, wanted, can_run, labels, reserved, places) c;
    end if;
    return next;
  end
  $function$
;

CREATE OR REPLACE FUNCTION db_now()
 RETURNS timestamp with time zone
 LANGUAGE sql
 PARALLEL SAFE
RETURN date_trunc('milliseconds'::text, clock_timestamp())
;

CREATE OR REPLACE FUNCTION duration_ms(started_at timestamp with time zone, ended_at timestamp with time zone)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (COALESCE(GREATEST((0)::numeric, round((EXTRACT(epoch FROM (ended_at - started_at)) * (1000)::numeric))), (0)::numeric))::bigint
;

CREATE OR REPLACE FUNCTION ensure_partitions(months_ahead integer)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
  declare
    parent text;
    month timestamptz;
    partition_name text;
  begin
    perform pg_advisory_xact_lock(hashtext('millrace.ensure_partitions'));
    for parent in select name from partitioned_table order by name loop
      for month in select generate_series(date_trunc('month', clock_timestamp() at time zone 'UTC') at time zone 'UTC',
                                          (date_trunc('month', clock_timestamp() at time zone 'UTC') + make_interval(months => months_ahead)) at time zone 'UTC',
                                          interval '1 month') loop
        partition_name := parent || '_' || to_char(month at time zone 'UTC', 'YYYYMM');
        if to_regclass(partition_name) is null then
          execute format('create table %I partition of %I for values from (%L) to (%L)', partition_name, parent,
                         id_floor(month), id_floor((month at time zone 'UTC' + interval '1 month') at time zone 'UTC'));
        end if;
      end loop;
    end loop;
  end
  $function$
;

CREATE OR REPLACE FUNCTION find_place(team uuid, owners uuid[], need text)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
  declare
    folder text;
    image text;
  begin
    select coalesce(min(w.place) filter (where w.kind = 'folder' and w.place <> 'store'), min(w.place) filter (where w.kind = 'folder')),
           coalesce(min(w.place) filter (where w.kind = 'image' and w.place <> 'store'), min(w.place) filter (where w.kind = 'image'))
    into folder, image
    from workspace_place w where w.team_id = team and w.owner_id = any(owners);
    if need = 'kubernetes' then
      return case when image is not null then 'cluster' end;
    elsif need <> 'image' then
      return folder;
    end if;
    return coalesce(image, (select folder where folder = 'store' or exists (select from worker v where v.place = folder and 'container' = any(v.configured))));
  end
  $function$
;

CREATE OR REPLACE FUNCTION id_date(id uuid)
 RETURNS timestamp with time zone
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
    select to_timestamp((('x' || lpad(substr(replace(id::text, '-', ''), 1, 12), 16, '0'))::bit(64)::bigint) / 1000.0)
  $function$
;

CREATE OR REPLACE FUNCTION id_floor(at timestamp with time zone)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
    select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid
  $function$
;

CREATE OR REPLACE FUNCTION initiator_id(stored text)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE STRICT
RETURN CASE WHEN (initiator_ref(stored) ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'::text) THEN (initiator_ref(stored))::uuid ELSE NULL::uuid END
;

CREATE OR REPLACE FUNCTION initiator_name(of_team uuid, stored text)
 RETURNS text
 LANGUAGE plpgsql
 STABLE STRICT
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
  declare
    found_name text;
  begin
    if stored = 'token:admin' then
      return 'admin token';
    elsif stored = 'token:local' then
      return 'local administrator';
    elsif stored like 'integration:%' then
      return initiator_ref(stored);
    elsif stored like 'user:%' then
      select coalesce(u.name, u.email) into found_name from app_user u where u.id = initiator_id(stored);
    elsif stored like 'token:%' then
      select t.name into found_name from token t where t.id = initiator_id(stored);
    elsif stored like 'schedule:%' then
      select s.name into found_name from schedule s where s.team_id = of_team and s.id = initiator_id(stored);
    elsif stored like 'run:%' then
      select w.name into found_name from run r join workflow w on w.team_id = r.team_id and w.id = r.workflow_id
      where r.team_id = of_team and r.id = initiator_id(stored);
    end if;
    return found_name;
  end
$function$
;

CREATE OR REPLACE FUNCTION initiator_ref(stored text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE STRICT
RETURN NULLIF(split_part(stored, ':'::text, 2), ''::text)
;

CREATE OR REPLACE FUNCTION initiator_type(stored text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE STRICT
RETURN CASE split_part(stored, ':'::text, 1) WHEN 'user'::text THEN 'user'::text WHEN 'token'::text THEN 'token'::text WHEN 'schedule'::text THEN 'schedule'::text WHEN 'run'::text THEN 'workflow'::text ELSE 'instance'::text END
;

CREATE OR REPLACE FUNCTION insert_task_runs(tasks json, runs uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
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
  $function$
;

CREATE OR REPLACE FUNCTION is_change_wanted(of_team uuid, of_kind text)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
  begin
    return exists (select from subscription s where s.team_id = of_team and s.is_active and of_kind = any(s.kinds))
      or exists (select from subscription s where s.team_id is null and s.is_active and of_kind = any(s.kinds))
      or (of_kind = 'workflowrun' and (
        exists (select from workflow w where w.team_id = of_team and w.deleted_at is null and w.triggers -> 'workflow' ->> 'enabled' = 'true')
        or exists (select from codehost_report c where c.team_id = of_team)));
  end
  $function$
;

CREATE OR REPLACE FUNCTION is_kind_wanted(of_kind text)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
AS $function$
  begin
    return exists (select from subscription s where s.is_active and of_kind = any(s.kinds))
      or (of_kind = 'workflowrun' and (
        exists (select from workflow w where w.deleted_at is null and w.triggers -> 'workflow' ->> 'enabled' = 'true')
        or exists (select from codehost_report)));
  end
  $function$
;

CREATE OR REPLACE FUNCTION iso_time(at timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE STRICT
RETURN to_char((at AT TIME ZONE 'UTC'::text), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'::text)
;

CREATE OR REPLACE FUNCTION keep_origin()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  declare
    origin record;
  begin
    select * into origin from origin_of_run(new.team_id, initiator_id(new.initiated_by));
    if origin.requester is null and new.retry_of is not null then
      select * into origin from origin_of_run(new.team_id, new.retry_of);
    end if;
    if origin.requester not like 'run:%' then
      new.origin_requester := origin.requester;
      new.origin_workflow_id := origin.workflow;
    end if;
    return new;
  end
  $function$
;

CREATE OR REPLACE FUNCTION keep_voters()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  begin
    new.voter_ids := array(
      select v.user_id from approver v where v.team_id = new.team_id and v.group_id = new.approver_group_id order by v.user_id);
    return new;
  end
  $function$
;

CREATE OR REPLACE FUNCTION lineage_after(lineage uuid[], workflow uuid)
 RETURNS uuid[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (workflow = ANY (lineage)) THEN lineage ELSE array_append(lineage, workflow) END
;

CREATE OR REPLACE FUNCTION new_id()
 RETURNS uuid
 LANGUAGE plpgsql
 PARALLEL SAFE
AS $function$
  declare
    micros bigint := (extract(epoch from clock_timestamp()) * 1000000)::bigint;
    id bytea := uuid_send(gen_random_uuid());
  begin
    id := overlay(id placing substring(int8send(micros / 1000) from 3 for 6) from 1 for 6);
    id := overlay(id placing substring(int8send(28672 + (micros % 1000) * 4096 / 1000) from 7 for 2) from 7 for 2); -- 28672: version 7
    return encode(id, 'hex')::uuid;
  end
  $function$
;

CREATE OR REPLACE FUNCTION next_reminder(created_at timestamp with time zone, reminder_minutes integer, after integer, deadline_at timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
RETURN (SELECT CASE WHEN ((next_reminder.deadline_at IS NULL) OR (n.at < next_reminder.deadline_at)) THEN n.at ELSE NULL::timestamp with time zone END AS "case" FROM (SELECT (next_reminder.created_at + make_interval(mins => (next_reminder.reminder_minutes * (next_reminder.after + 1)))) AS "?column?") n(at))
;

CREATE OR REPLACE FUNCTION note_action_changes()
 RETURNS trigger
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
  declare
    teams uuid[] := array(select c.team_id from (select distinct team_id from changed) c where is_change_wanted(c.team_id, 'action'));
    actions uuid[];
    reminded uuid[] := '{}';
  begin
    if teams = '{}' then
      return null;
    end if;
    if tg_op = 'UPDATE' then
      reminded := array(select c.id from changed c join before b using (team_id, id) where c.reminders_sent > b.reminders_sent);
      actions := reminded || array(select c.id from changed c join before b using (team_id, id)
                                   where c.status <> b.status and c.id <> all(reminded));
    else
      actions := array(select c.id from changed c);
    end if;
    insert into change_event (team_id, kind, status, object_id, lane_id, team_name, workflow_id, workflow_name, initiator_context, lineage, data)
    select a.team_id, 'action', case when a.id = any(reminded) then 'reminder' else a.status end, a.id, a.run_id, t.name, w.id, w.name, r.labels ->> 'initiatorContext',
      coalesce(lineage_after(r.lineage, r.workflow_id), '{}'), json_strip_nulls(json_build_object(
      'id', a.id, 'workflowRef', a.workflow_id, 'workflowName', w.name, 'workflowRunRef', a.run_id, 'taskRunRef', a.task_run_id,
      'taskName', k.name, 'teamName', t.name, 'type', a.type, 'status', a.status, 'instructions', a.instructions,
      'creationDate', iso_time(a.created_at), 'deadline', iso_time(a.deadline_at), 'reminder', a.reminder_minutes, 'reminderCount', a.reminders_sent,
      'requesterMayNotApprove', a.bars_requester, 'numberOfApprovers', a.approvers_wanted, 'approvalsRequired', a.approvers_wanted,
      'numberOfApprovals', (select count(*) from action_vote v where v.team_id = a.team_id and v.action_id = a.id and v.approved),
      'approverGroupRef', a.approver_group_id, 'link', '/api/v2/team/' || a.team_id || '/action/' || a.id))
    from unnest(actions) as n(id)
    join changed a on a.id = n.id
    join team t on t.id = a.team_id
    left join run r on r.team_id = a.team_id and r.id = a.run_id
    left join task_run k on k.team_id = a.team_id and k.id = a.task_run_id
    left join workflow w on w.team_id = a.team_id and w.id = a.workflow_id
    where a.team_id = any(teams)
    order by a.id;
    return null;
  end
  $function$
;

CREATE OR REPLACE FUNCTION note_new_run()
 RETURNS trigger
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
  begin
    if is_change_wanted(new.team_id, 'workflowrun') then
      insert into change_event (team_id, kind, status, object_id, lane_id, team_name, workflow_id, workflow_name, initiator_context, lineage, data)
      select new.team_id, 'workflowrun', new.status, new.id, new.id, t.name, w.id, w.name, new.labels ->> 'initiatorContext', lineage_after(new.lineage, new.workflow_id),
             run_event_data(new, w.name, w.display_name)
      from team t left join workflow w on w.team_id = t.id and w.id = new.workflow_id
      where t.id = new.team_id;
    end if;
    return new;
  end
  $function$
;

CREATE OR REPLACE FUNCTION note_run_changes()
 RETURNS trigger
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
  declare
    teams uuid[] := array(select c.team_id from (select distinct team_id from changed) c where is_change_wanted(c.team_id, 'workflowrun'));
  begin
    if teams = '{}' then
      return null;
    end if;
    insert into change_event (team_id, kind, status, object_id, lane_id, team_name, workflow_id, workflow_name, initiator_context, lineage, data)
    select r.team_id, 'workflowrun', r.status, r.id, r.id, t.name, w.id, w.name, r.labels ->> 'initiatorContext',
           lineage_after(r.lineage, r.workflow_id), run_event_data(r, w.name, w.display_name)
    from changed c
    join before b using (team_id, id)
    join run r on r.team_id = c.team_id and r.id = c.id
    join team t on t.id = r.team_id
    left join workflow w on w.team_id = r.team_id and w.id = r.workflow_id
    where c.team_id = any(teams) and (c.status <> b.status or (c.phase <> b.phase and c.phase <> 'finalized'))
      and (exists (select from subscription s where s.is_active and 'workflowrun' = any(s.kinds) and (s.team_id = r.team_id or s.team_id is null))
           or exists (select from workflow o where o.team_id = r.team_id and o.deleted_at is null and o.triggers -> 'workflow' ->> 'enabled' = 'true')
           or exists (select from codehost_report c where c.team_id = r.team_id and c.run_id = r.id))
    order by r.id;
    return null;
  end
  $function$
;

CREATE OR REPLACE FUNCTION note_schedule_changes()
 RETURNS trigger
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
  declare
    teams uuid[] := array(select c.team_id from (select distinct team_id from changed) c where is_change_wanted(c.team_id, 'schedule'));
    schedules uuid[];
  begin
    if teams = '{}' then
      return null;
    end if;
    if tg_op = 'UPDATE' then
      schedules := array(select c.id from changed c join before b using (team_id, id) where c.status <> b.status);
    else
      schedules := array(select c.id from changed c);
    end if;
    insert into change_event (team_id, kind, status, object_id, lane_id, team_name, workflow_id, workflow_name, lineage, data)
    select s.team_id, 'schedule', s.status, s.id, s.id, t.name, w.id, w.name, s.lineage, json_strip_nulls(json_build_object(
      'id', s.id, 'workflowRef', w.name, 'name', s.name, 'description', s.description, 'creationDate', iso_time(s.created_at),
      'type', s.type, 'status', s.status, 'statusMessage', s.status_message, 'labels', s.labels, 'cronSchedule', s.cron,
      'dateSchedule', iso_time(s.date_at), 'timezone', s.timezone, 'overlapPolicy', s.overlap_policy, 'catchUpPolicy', s.catch_up_policy,
      'catchUpWindow', s.catch_up_window_minutes, 'jitter', s.jitter_seconds, 'exclusions', s.exclusions,
      'nextScheduleDate', iso_time(s.next_at), 'lastScheduleDate', iso_time(s.last_at), 'lastRunRef', s.last_run_id,
      'link', '/api/v2/team/' || s.team_id || '/schedule/' || s.id))
    from unnest(schedules) as n(id)
    join changed s on s.id = n.id
    join team t on t.id = s.team_id
    left join workflow w on w.team_id = s.team_id and w.id = s.workflow_id
    where s.team_id = any(teams)
    order by s.id;
    return null;
  end
  $function$
;

CREATE OR REPLACE FUNCTION note_sealed_columns()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  declare
    content text;
    keys text[];
  begin
    for i in 0 .. tg_nargs - 1 by 2 loop
      execute format('select ($1).%I::text', tg_argv[i]) into content using new;
      keys := sealed_keys(content, tg_argv[i + 1]);
      if keys <> '{}' then
        perform note_sealed_keys(tg_table_name || '.' || tg_argv[i], keys);
      end if;
    end loop;
    return null;
  end
$function$
;

CREATE OR REPLACE FUNCTION note_sealed_keys(of_place text, keys text[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
  declare
    one text;
  begin
    foreach one in array keys loop
      perform pg_advisory_xact_lock_shared(hashtext('millrace.sealed_key'), hashtext(one));
      if exists (select from encryption_key k where k.key_id = one and k.retired_at is not null) then
        raise exception 'a secret is sealed with the encryption key %, which is retired', one using errcode = '40001';
      end if;
      if not exists (select from sealed_key k where k.place = of_place and k.key_id = one) then
        insert into sealed_key (place, key_id) values (of_place, one) on conflict do nothing;
      end if;
    end loop;
  end
$function$
;

CREATE OR REPLACE FUNCTION note_sealed_run()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  begin
    perform note_sealed_keys('run.secrets', array[sealed_bytes_key(new.secrets)]);
    return null;
  end
$function$
;

CREATE OR REPLACE FUNCTION note_task_run_changes()
 RETURNS trigger
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
  declare
    teams uuid[] := array(select c.team_id from (select distinct team_id from changed) c where is_change_wanted(c.team_id, 'taskrun'));
    tasks uuid[];
  begin
    if teams = '{}' then
      return null;
    end if;
    if tg_op = 'UPDATE' then
      tasks := array(select c.id from changed c join before b using (team_id, id) where c.status <> b.status);
    else
      tasks := array(select c.id from changed c where c.status <> 'notstarted');
    end if;
    insert into change_event (team_id, kind, status, object_id, lane_id, team_name, workflow_id, workflow_name, initiator_context, lineage, data)
    select k.team_id, 'taskrun', k.status, k.id, k.run_id, t.name, w.id, w.name, r.labels ->> 'initiatorContext',
      coalesce(lineage_after(r.lineage, r.workflow_id), '{}'), json_strip_nulls(json_build_object(
      'id', k.id, 'type', k.type, 'name', k.name, 'labels', r.labels, 'creationDate', iso_time(k.created_at),
      'startTime', iso_time(k.started_at), 'duration', duration_ms(k.started_at, k.ended_at), 'timeout', k.timeout_minutes,
      'status', k.status, 'phase', k.phase, 'statusMessage', k.status_message, 'reason', k.reason, 'attempt', k.attempt, 'item', k.item,
      'taskRef', k.task_id, 'taskVersion', k.task_version, 'workflowRef', r.workflow_id, 'workflowName', w.name,
      'workflowRevisionRef', r.workflow_version_id, 'workflowRunRef', k.run_id, 'agentRef', k.worker_id,
      'link', '/api/v2/team/' || k.team_id || '/taskrun/' || k.id))
    from unnest(tasks) as n(id)
    join changed k on k.id = n.id
    join team t on t.id = k.team_id
    left join run r on r.team_id = k.team_id and r.id = k.run_id
    left join workflow w on w.team_id = k.team_id and w.id = r.workflow_id
    where k.team_id = any(teams)
    order by k.ended_at, k.id;
    return null;
  end
  $function$
;

CREATE OR REPLACE FUNCTION note_work(teams uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
  begin
      insert into ready_team (team_id)
      select distinct wanted.team_id
      from unnest(teams) as wanted(team_id)
      where not exists (select from ready_team r where r.team_id = wanted.team_id and r.last_work_at > db_now() - interval '1 minute')
      on conflict (team_id) do update set last_work_at = db_now();
  end
  $function$
;

CREATE OR REPLACE FUNCTION origin_of_run(of_team uuid, of_run uuid, OUT requester text, OUT workflow uuid)
 RETURNS record
 LANGUAGE plpgsql
 STABLE
AS $function$
  declare
    cause uuid := of_run;
    known record;
  begin
    while cause is not null loop
      select coalesce(r.origin_requester, r.initiated_by) as requester, coalesce(r.origin_workflow_id, r.workflow_id) as workflow,
             case when r.origin_requester is null and r.initiated_by like 'run:%' then initiator_id(r.initiated_by) end as cause
      into known from run r where r.team_id = of_team and r.id = cause;
      exit when not found;
      requester := known.requester;
      workflow := known.workflow;
      cause := known.cause;
    end loop;
  end
  $function$
;

CREATE OR REPLACE FUNCTION people_of(principal text)
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE
AS $function$
  begin
    if principal ~ '^user:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then
      return array[substr(principal, 6)::uuid];
    end if;
    if principal ~ '^token:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then
      return array(select m.user_id from token_maker m where m.token_id = substr(principal, 7)::uuid order by m.user_id);
    end if;
    return '{}';
  end
  $function$
;

CREATE OR REPLACE FUNCTION people_of_run(of_team uuid, of_run uuid)
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE
AS $function$
  declare
    origin record;
  begin
    select * into origin from origin_of_run(of_team, of_run);
    if origin.requester like 'schedule:%' then
      return array(select s.user_id from start_author s
        where s.team_id = of_team and s.kind = 'schedule' and s.ref::text = substr(origin.requester, 10) order by s.user_id);
    end if;
    if origin.requester = 'integration:webhook' then
      return array(select s.user_id from start_author s
        where s.team_id = of_team and s.kind = 'webhook' and s.ref = origin.workflow order by s.user_id);
    end if;
    return people_of(origin.requester);
  end
  $function$
;

CREATE OR REPLACE FUNCTION place_ready_tasks(tasks json, runs uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
  begin
    update task_run t
    set place = coalesce(find_place(t.team_id, o.owners, t.executor), '?')
    from json_to_recordset(tasks) as c(team_id uuid, run_id uuid, id uuid, claimable_at timestamptz)
    join run r on r.team_id = c.team_id and r.id = c.run_id
    cross join lateral (select workspace_owners(r.workspaces, r.id, r.workflow_id) as owners) o
    where c.run_id = any(runs) and c.claimable_at is not null and cardinality(o.owners) > 0
      and t.team_id = c.team_id and t.id = c.id and t.claimable_at is not null;
  end
  $function$
;

CREATE OR REPLACE FUNCTION release_locks(releases json, runs uuid[], ended uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
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
  $function$
;

CREATE OR REPLACE FUNCTION requester_of_run(of_team uuid, of_run uuid)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
AS $function$
  begin
    return (select o.requester from origin_of_run(of_team, of_run) o);
  end
  $function$
;

CREATE OR REPLACE FUNCTION run_event_data(r run, workflow_name text, workflow_display_name text)
 RETURNS json
 LANGUAGE sql
 STABLE
RETURN json_strip_nulls(json_build_object('id', (r).id, 'creationDate', iso_time((r).created_at), 'startTime', iso_time((r).started_at), 'duration', duration_ms((r).started_at, (r).ended_at), 'status', (r).status, 'phase', (r).phase, 'statusMessage', (r).status_message, 'reason', (r).reason, 'timeout', (r).timeout_minutes, 'retries', (r).retries, 'debug', (r).debug, 'awaitingApproval', (r).awaiting_approval, 'workflowRef', (r).workflow_id, 'workflowName', workflow_name, 'workflowDisplayName', workflow_display_name, 'workflowVersion', (r).workflow_version, 'workflowRevisionRef', (r).workflow_version_id, 'trigger', (r).trigger, 'initiatedByType', initiator_type((r).initiated_by), 'initiatedByRef', initiator_ref((r).initiated_by), 'initiatedByName', initiator_name((r).team_id, (r).initiated_by), 'labels', (r).labels, 'retryOf', (r).retry_of, 'parentRunRef', (r).parent_run_id, 'link', ((('/api/v2/team/'::text || (r).team_id) || '/workflowrun/'::text) || (r).id)))
;

CREATE OR REPLACE FUNCTION sealed_bytes_key(content bytea)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select encode(substring(content from 2 for 8), 'hex')
$function$
;

CREATE OR REPLACE FUNCTION sealed_keys(content text, shape text)
 RETURNS text[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
  declare
    document json;
  begin
    if content is null or position('mrsealed:v1:' in content) = 0 then
      return '{}';
    end if;
    if shape = 'text' then
      return array_remove(array[sealed_text_key(content)], null);
    end if;
    document := content::json;
    if shape = 'target' then
      return array_remove(array[sealed_text_key(document ->> 'sealedUrl')], null);
    end if;
    if shape = 'param' then
      document := json_build_array(document);
    elsif shape in ('spec', 'document') then
      document := document -> 'params';
    end if;
    return array(
      select distinct k from (
        select sealed_param_keys(document, shape <> 'given')
        union all
        select sealed_param_keys(t -> 'params', false)
        from json_array_elements(case when shape = 'document' and json_typeof(content::json -> 'tasks') = 'array' then content::json -> 'tasks' else '[]' end) t
      ) found(k)
      where k is not null order by k);
  end
$function$
;

CREATE OR REPLACE FUNCTION sealed_param_keys(params json, are_declared boolean)
 RETURNS SETOF text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select sealed_text_key(v.content)
  from json_array_elements(case json_typeof(params) when 'array' then params else '[]' end) p
  cross join lateral (values (p ->> 'value'), (p ->> 'default')) v(content)
  where v.content like 'mrsealed:v1:%' and case when are_declared then lower(p ->> 'type') = 'password' else p ->> 'hiddenValue' = 'true' end
$function$
;

CREATE OR REPLACE FUNCTION sealed_text_key(content text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select case when content ~ '^mrsealed:v1:[A-Za-z0-9_-]{12}'
    then encode(substring(decode(translate(substring(content from 13 for 12), '-_', '+/'), 'base64') from 2 for 8), 'hex') end
$function$
;

CREATE OR REPLACE FUNCTION take_workspaces(team uuid, run_of_task uuid, need text, mine text, has_store boolean)
 RETURNS text
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
  declare
    of_workflow uuid;
    all_owners uuid[];
    found_place text;
    owner uuid;
  begin
    select r.workflow_id, workspace_owners(r.workspaces, r.id, r.workflow_id) into of_workflow, all_owners
    from run r where r.team_id = team and r.id = run_of_task;
    found_place := find_place(team, all_owners, need);
    if mine = '' or found_place is not null and (found_place <> 'store' or mine = 'cluster' or not has_store) then
      return found_place;
    end if;
    foreach owner in array coalesce(all_owners, '{}') loop
      if not pg_try_advisory_xact_lock(hashtextextended('workspaces of ' || owner, 0)) then
        return null;
      end if;
    end loop;
    found_place := find_place(team, all_owners, need);
    if found_place = 'store' then
      update workspace_place w set place = mine, taken_at = db_now()
      where w.team_id = team and w.owner_id = any(all_owners) and w.place = 'store';
      found_place := mine;
    end if;
    found_place := coalesce(found_place, mine);
    if found_place = mine then
      with made as (
        insert into workspace_place (team_id, owner_id, kind, scope, place)
        select team, o.id, k.kind, case when o.id = of_workflow then 'workflow' else 'workflowrun' end, mine
        from unnest(all_owners) as o(id), unnest(case
          when need = 'process' then array['folder']
          when mine = 'cluster' then array['image']
          else array['folder', 'image'] end) as k(kind)
        on conflict do nothing
        returning owner_id, workspace_place.scope
      )
      -- The folder of a run is new; that of a workflow may be older than its first row here.
      insert into workspace_archive (team_id, owner_id, state)
      select distinct team, m.owner_id, 'empty' from made m
      where has_store and mine <> 'cluster' and m.scope = 'workflowrun'
        and not exists (select from workspace_place w where w.team_id = team and w.owner_id = m.owner_id) -- as it was before this statement
      on conflict do nothing;
    end if;
    return found_place;
  end
  $function$
;

CREATE OR REPLACE FUNCTION workspace_owners(workspaces json, run uuid, workflow uuid)
 RETURNS uuid[]
 LANGUAGE sql
 IMMUTABLE
AS $function$
    select case when count(*) = 0 then '{}' when bool_or(type = 'workflow') then array[run, workflow] else array[run] end
    from (select coalesce(w->>'type', w->>'name') as type from json_array_elements(workspaces) as w) as declared
    where type in ('workflow', 'workflowrun')
  $function$
;

create table action (
  team_id uuid not null,
  id uuid default new_id() not null,
  workflow_id uuid not null,
  run_id uuid not null,
  task_run_id uuid not null,
  type text not null,
  status text default 'submitted'::text not null,
  instructions text,
  approver_group_id uuid,
  approvers_wanted integer default 1 not null,
  created_at timestamp(3) with time zone default db_now() not null,
  decided_at timestamp(3) with time zone,
  deadline_at timestamp(3) with time zone,
  reminder_minutes integer,
  bars_requester boolean default false not null,
  reminders_sent integer default 0 not null,
  remind_at timestamp(3) with time zone,
  voter_ids uuid[],
  constraint action_pkey PRIMARY KEY (team_id, id),
  constraint action_team_id_fkey FOREIGN KEY (team_id) REFERENCES team(id) ON DELETE CASCADE,
  constraint action_approvers_wanted_check CHECK ((approvers_wanted >= 1)),
  constraint action_reminder_minutes_check CHECK ((reminder_minutes >= 1)),
  constraint action_status_check CHECK ((status = ANY (ARRAY['submitted'::text, 'approved'::text, 'rejected'::text, 'cancelled'::text]))),
  constraint action_type_check CHECK ((type = ANY (ARRAY['approval'::text, 'manual'::text])))
);
CREATE INDEX action_created ON action USING btree (team_id, created_at, id);
CREATE INDEX action_remind ON action USING btree (remind_at) WHERE ((remind_at IS NOT NULL) AND (status = 'submitted'::text));
CREATE INDEX action_run ON action USING btree (team_id, run_id);
CREATE INDEX action_status ON action USING btree (team_id, status, created_at, id) INCLUDE (type, workflow_id);
CREATE INDEX action_workflow ON action USING btree (team_id, workflow_id, created_at, id);
CREATE TRIGGER action_voters BEFORE INSERT ON action FOR EACH ROW WHEN ((new.approver_group_id IS NOT NULL)) EXECUTE FUNCTION keep_voters();
CREATE TRIGGER arm_reminder BEFORE INSERT ON action FOR EACH ROW WHEN ((new.reminder_minutes IS NOT NULL)) EXECUTE FUNCTION arm_reminder();
CREATE TRIGGER note_changed_actions AFTER UPDATE ON action REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT WHEN (is_kind_wanted('action'::text)) EXECUTE FUNCTION note_action_changes();
CREATE TRIGGER note_new_actions AFTER INSERT ON action REFERENCING NEW TABLE AS changed FOR EACH STATEMENT WHEN (is_kind_wanted('action'::text)) EXECUTE FUNCTION note_action_changes();

create table action_vote (
  team_id uuid not null,
  action_id uuid not null,
  principal text not null,
  name text,
  email text,
  approved boolean not null,
  comments text,
  at timestamp(3) with time zone default db_now() not null,
  constraint action_vote_pkey PRIMARY KEY (team_id, action_id, principal),
  constraint action_vote_team_id_action_id_fkey FOREIGN KEY (team_id, action_id) REFERENCES action(team_id, id) ON DELETE CASCADE
);

create table app_user (
  id uuid default new_id() not null,
  email text not null,
  name text,
  display_name text,
  type text default 'user'::text not null,
  status text default 'active'::text not null,
  password_hash text,
  labels jsonb default '{}'::jsonb not null,
  settings json default '{}'::json not null,
  created_at timestamp(3) with time zone default db_now() not null,
  last_login_at timestamp(3) with time zone,
  is_invited boolean default false not null,
  reset_code_hash bytea,
  reset_code_until timestamp(3) with time zone,
  issuer text,
  subject text,
  requested_issuer text,
  requested_subject text,
  requested_at timestamp(3) with time zone,
  constraint app_user_pkey PRIMARY KEY (id),
  constraint app_user_email_check CHECK ((email = lower(email))),
  constraint app_user_identity CHECK (((issuer IS NULL) = (subject IS NULL))),
  constraint app_user_invited CHECK (((NOT is_invited) OR (status = 'inactive'::text))),
  constraint app_user_requested CHECK ((((requested_issuer IS NULL) = (requested_subject IS NULL)) AND ((requested_issuer IS NULL) = (requested_at IS NULL)))),
  constraint app_user_reset_code CHECK (((reset_code_hash IS NULL) = (reset_code_until IS NULL))),
  constraint app_user_status_check CHECK ((status = ANY (ARRAY['active'::text, 'inactive'::text, 'pending_deletion'::text, 'deleted'::text, 'archived'::text]))),
  constraint app_user_type_check CHECK ((type = ANY (ARRAY['user'::text, 'admin'::text, 'operator'::text, 'sponsor'::text, 'auditor'::text, 'author'::text, 'partner'::text, 'advisor'::text])))
);
CREATE INDEX app_user_created ON app_user USING btree (created_at, id);
CREATE UNIQUE INDEX app_user_email ON app_user USING btree (email);
CREATE UNIQUE INDEX app_user_identity ON app_user USING btree (issuer, subject) WHERE (issuer IS NOT NULL);
CREATE INDEX app_user_labels ON app_user USING gin (labels);
CREATE INDEX app_user_name ON app_user USING btree (COALESCE(name, email), id);
CREATE INDEX app_user_status ON app_user USING btree (status, COALESCE(name, email), id);
CREATE INDEX app_user_type ON app_user USING btree (type, COALESCE(name, email), id);

create table approver (
  team_id uuid not null,
  group_id uuid not null,
  user_id uuid not null,
  constraint approver_pkey PRIMARY KEY (team_id, group_id, user_id),
  constraint approver_team_id_group_id_fkey FOREIGN KEY (team_id, group_id) REFERENCES approver_group(team_id, id) ON DELETE CASCADE,
  constraint approver_team_id_user_id_fkey FOREIGN KEY (team_id, user_id) REFERENCES team_member(team_id, user_id) ON DELETE CASCADE
);

create table approver_group (
  team_id uuid not null,
  id uuid default new_id() not null,
  name text not null,
  created_at timestamp(3) with time zone default db_now() not null,
  constraint approver_group_pkey PRIMARY KEY (team_id, id),
  constraint approver_group_team_id_fkey FOREIGN KEY (team_id) REFERENCES team(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX approver_group_name ON approver_group USING btree (team_id, lower(name));

create table audit (
  id uuid default new_id() not null,
  team_id uuid,
  at timestamp(3) with time zone default db_now() not null,
  principal_kind text not null,
  principal_id text not null,
  principal_name text,
  token_id uuid,
  action text not null,
  object_kind text not null,
  object_id text,
  object_name text,
  request_id text,
  before json,
  after json,
  constraint audit_pkey PRIMARY KEY (id)
) partition by range (id);
CREATE INDEX audit_actor ON audit USING btree (principal_id, id);
CREATE INDEX audit_object ON audit USING btree (object_id, id);
CREATE INDEX audit_object_name ON audit USING btree (lower(object_name), id) WHERE (object_kind <> 'workflowrun'::text);
CREATE INDEX audit_team ON audit USING btree (team_id, id);

create table change_event (
  id uuid default new_id() not null,
  seq bigint default nextval('change_event_seq'::regclass) not null,
  team_id uuid,
  kind text not null,
  status text not null,
  object_id uuid not null,
  lane_id uuid not null,
  team_name text,
  workflow_id uuid,
  workflow_name text,
  initiator_context text,
  data json not null,
  at timestamp(3) with time zone default db_now() not null,
  dispatched_at timestamp(3) with time zone,
  lineage uuid[] default '{}'::uuid[] not null,
  constraint change_event_pkey PRIMARY KEY (id)
) partition by range (id);
CREATE INDEX change_event_open ON change_event USING btree (seq) WHERE (dispatched_at IS NULL);

create table chat_user (
  workspace_id uuid not null,
  ref text not null,
  email text,
  checked_at timestamp(3) with time zone,
  welcomed_at timestamp(3) with time zone,
  constraint chat_user_pkey PRIMARY KEY (workspace_id, ref),
  constraint chat_user_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES chat_workspace(id) ON DELETE CASCADE
);

create table chat_workspace (
  id uuid default new_id() not null,
  ref text not null,
  name text,
  app_id text,
  token text,
  scopes text[] default '{}'::text[] not null,
  created_at timestamp(3) with time zone default db_now() not null,
  changed_at timestamp(3) with time zone default db_now() not null,
  vouched_at timestamp(3) with time zone,
  api_url text,
  constraint chat_workspace_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX chat_workspace_ref ON chat_workspace USING btree (ref);
CREATE TRIGGER note_sealed_keys AFTER INSERT OR UPDATE OF token ON chat_workspace FOR EACH ROW EXECUTE FUNCTION note_sealed_columns('token', 'text');

create table codehost_report (
  team_id uuid not null,
  run_id uuid not null,
  installation_ref text not null,
  repository_owner text not null,
  repository_name text not null,
  head_sha text not null,
  name text not null,
  check_run_id bigint,
  constraint codehost_report_pkey PRIMARY KEY (team_id, run_id),
  constraint codehost_report_team_id_fkey FOREIGN KEY (team_id) REFERENCES team(id) ON DELETE CASCADE
);

create table delivery (
  id uuid default new_id() not null,
  team_id uuid,
  subscription_id uuid,
  channel text not null,
  target json,
  event_id uuid not null,
  event_seq bigint not null,
  receiver_id uuid not null,
  lane_id uuid not null,
  status text not null,
  attempts integer default 0 not null,
  due_at timestamp(3) with time zone,
  expires_at timestamp(3) with time zone default (db_now() + '24:00:00'::interval) not null,
  created_at timestamp(3) with time zone default db_now() not null,
  attempted_at timestamp(3) with time zone,
  ended_at timestamp(3) with time zone,
  last_status integer,
  last_answer text,
  last_error text,
  constraint delivery_pkey PRIMARY KEY (id),
  constraint delivery_subscription_id_fkey FOREIGN KEY (subscription_id) REFERENCES subscription(id) ON DELETE CASCADE,
  constraint delivery_channel_check CHECK ((channel = ANY (ARRAY['webhook'::text, 'email'::text, 'chat'::text, 'codehost'::text]))),
  constraint delivery_check CHECK (((status = 'pending'::text) = (due_at IS NOT NULL))),
  constraint delivery_check1 CHECK (((status = ANY (ARRAY['delivered'::text, 'dead'::text])) = (ended_at IS NOT NULL))),
  constraint delivery_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'pending'::text, 'delivered'::text, 'dead'::text])))
) with (autovacuum_analyze_scale_factor=0.0, autovacuum_analyze_threshold=5000, autovacuum_vacuum_cost_delay=0, autovacuum_vacuum_scale_factor=0.0, autovacuum_vacuum_threshold=5000);
CREATE INDEX delivery_ended ON delivery USING btree (status, ended_at) WHERE (ended_at IS NOT NULL);
CREATE INDEX delivery_event ON delivery USING btree (event_id);
CREATE INDEX delivery_lane ON delivery USING btree (receiver_id, lane_id, event_seq) WHERE (status = ANY (ARRAY['waiting'::text, 'pending'::text]));
CREATE UNIQUE INDEX delivery_lane_pending ON delivery USING btree (receiver_id, lane_id) WHERE (status = 'pending'::text);
CREATE INDEX delivery_pending ON delivery USING btree (receiver_id, due_at) WHERE (status = 'pending'::text);
CREATE INDEX delivery_subscription ON delivery USING btree (subscription_id, id) WHERE (subscription_id IS NOT NULL);
CREATE INDEX delivery_team_ended ON delivery USING btree (team_id, ended_at) WHERE (ended_at IS NOT NULL);

create table encryption_key (
  key_id text not null,
  retired_at timestamp(3) with time zone,
  forgotten_at timestamp(3) with time zone,
  constraint encryption_key_pkey PRIMARY KEY (key_id)
);

create table failed_attempt (
  id uuid default new_id() not null,
  subject bytea not null,
  at timestamp(3) with time zone default db_now() not null,
  constraint failed_attempt_pkey PRIMARY KEY (id)
);
CREATE INDEX failed_attempt_at ON failed_attempt USING btree (at);
CREATE INDEX failed_attempt_subject ON failed_attempt USING btree (subject, at);

create table failed_sign_in (
  hour timestamp(3) with time zone not null,
  network text not null,
  way text not null,
  reason text not null,
  account text default ''::text not null,
  count bigint not null,
  first_at timestamp(3) with time zone not null,
  last_at timestamp(3) with time zone not null,
  constraint failed_sign_in_pkey PRIMARY KEY (hour, network, way, reason, account)
);

create table function_file (
  name text not null,
  sha256 text not null,
  revision integer not null,
  applied_at timestamp(3) with time zone default clock_timestamp() not null,
  constraint function_file_pkey PRIMARY KEY (name)
);

create table global_parameter (
  name text not null,
  document json not null,
  created_at timestamp(3) with time zone default db_now() not null,
  constraint global_parameter_pkey PRIMARY KEY (name)
);
CREATE TRIGGER note_sealed_keys AFTER INSERT OR UPDATE OF document ON global_parameter FOR EACH ROW EXECUTE FUNCTION note_sealed_columns('document', 'param');

create table history_removal (
  is_only boolean default true not null,
  due_at timestamp(3) with time zone not null,
  begun_at timestamp(3) with time zone,
  noted_at timestamp(3) with time zone,
  ended_at timestamp(3) with time zone,
  removed json default '{}'::json not null,
  leaving_months text[] default '{}'::text[] not null,
  constraint history_removal_pkey PRIMARY KEY (is_only),
  constraint history_removal_is_only_check CHECK (is_only)
);

create table idempotency (
  principal text not null,
  method text not null,
  path text not null,
  key text not null,
  request_hash bytea not null,
  status integer,
  response text,
  created_at timestamp(3) with time zone default db_now() not null,
  constraint idempotency_pkey PRIMARY KEY (principal, method, path, key)
);
CREATE INDEX idempotency_created ON idempotency USING btree (created_at);

create table installation (
  id uuid default new_id() not null,
  type text not null,
  ref text not null,
  data json not null,
  repositories text[] default '{}'::text[] not null,
  status text default 'active'::text not null,
  created_at timestamp(3) with time zone default db_now() not null,
  changed_at timestamp(3) with time zone default db_now() not null,
  linkable_until timestamp(3) with time zone,
  constraint installation_pkey PRIMARY KEY (id),
  constraint installation_status_check CHECK ((status = ANY (ARRAY['active'::text, 'suspended'::text]))),
  constraint installation_type_check CHECK ((type = 'codehost_app'::text))
);
CREATE UNIQUE INDEX installation_ref ON installation USING btree (type, ref);

create table instance (
  singleton boolean default true not null,
  activated_at timestamp(3) with time zone,
  one_time_code_hash bytea,
  key_fingerprint text,
  seeded_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone default db_now() not null,
  settings_revision bigint default 0 not null,
  constraint instance_pkey PRIMARY KEY (singleton),
  constraint instance_singleton_check CHECK (singleton)
);

create table log_chunk (
  id uuid default new_id() not null,
  team_id uuid not null,
  task_run_id uuid not null,
  attempt integer not null,
  seq integer not null,
  first_line bigint not null,
  line_count integer not null,
  raw_bytes integer not null,
  data bytea storage external not null,
  constraint log_chunk_pkey PRIMARY KEY (team_id, id)
) partition by range (id);
CREATE INDEX log_chunk_task ON log_chunk USING btree (team_id, task_run_id, attempt, seq);

create table outcome_start (
  team_id uuid not null,
  cause_run_id uuid not null,
  workflow_id uuid not null,
  outcome text not null,
  run_id uuid,
  message text,
  chain uuid[] not null,
  at timestamp(3) with time zone default db_now() not null,
  constraint outcome_start_pkey PRIMARY KEY (team_id, cause_run_id, workflow_id),
  constraint outcome_start_team_id_fkey FOREIGN KEY (team_id) REFERENCES team(id) ON DELETE CASCADE,
  constraint outcome_start_check CHECK (((outcome = 'submitted'::text) = (run_id IS NOT NULL))),
  constraint outcome_start_outcome_check CHECK ((outcome = ANY (ARRAY['submitted'::text, 'refused'::text, 'loop'::text, 'tooLong'::text])))
);
CREATE INDEX outcome_start_at ON outcome_start USING btree (at);
CREATE INDEX outcome_start_run ON outcome_start USING btree (team_id, run_id) WHERE (run_id IS NOT NULL);

create table partitioned_table (
  name text not null,
  constraint partitioned_table_pkey PRIMARY KEY (name)
);

create table place (
  id text not null,
  host text not null,
  path text not null,
  seen_at timestamp(3) with time zone default db_now() not null,
  constraint place_pkey PRIMARY KEY (id)
);

create table ready_team (
  team_id uuid not null,
  last_work_at timestamp(3) with time zone default db_now() not null,
  last_claim_at timestamp(3) with time zone default '1970-01-01 00:00:00+00'::timestamp with time zone not null,
  constraint ready_team_pkey PRIMARY KEY (team_id),
  constraint ready_team_team_id_fkey FOREIGN KEY (team_id) REFERENCES team(id) ON DELETE CASCADE
) with (autovacuum_analyze_scale_factor=0.0, autovacuum_analyze_threshold=1000, autovacuum_vacuum_cost_delay=0, autovacuum_vacuum_scale_factor=0.0, autovacuum_vacuum_threshold=1000);

create table run (
  id uuid default new_id() not null,
  team_id uuid not null,
  workflow_id uuid not null,
  workflow_version_id uuid not null,
  workflow_version integer not null,
  task_version_ids uuid[] not null,
  state_version bigint default 1 not null,
  status text not null,
  phase text not null,
  reason text,
  status_message text,
  status_override text,
  trigger text not null,
  initiated_by text,
  labels jsonb default '{}'::jsonb not null,
  annotations json default '{}'::json not null,
  params json default '[]'::json not null,
  layers json not null,
  secrets bytea,
  workspaces json default '[]'::json not null,
  results json default '[]'::json not null,
  timeout_minutes integer,
  retries integer default 0 not null,
  retry_count integer default 0 not null,
  retry_of uuid,
  parent_run_id uuid,
  parent_task_run_id uuid,
  depth integer default 0 not null,
  debug boolean default false not null,
  task_count integer not null,
  awaiting_approval boolean default false not null,
  created_at timestamp(3) with time zone default db_now() not null,
  started_at timestamp(3) with time zone,
  ended_at timestamp(3) with time zone,
  due_at timestamp(3) with time zone,
  default_image text,
  activity text default 'none'::text not null,
  active_since timestamp(3) with time zone,
  active_ms bigint default 0 not null,
  max_active_minutes integer,
  origin_requester text,
  origin_workflow_id uuid,
  warning_count integer default 0 not null,
  lineage uuid[] default '{}'::uuid[] not null,
  constraint run_pkey PRIMARY KEY (team_id, id),
  constraint run_active_since CHECK (((activity = 'active'::text) OR (active_since IS NULL))),
  constraint run_activity_check CHECK ((activity = ANY (ARRAY['none'::text, 'wanted'::text, 'active'::text]))),
  constraint run_activity_while_running CHECK (((activity = 'none'::text) OR (phase = 'running'::text))),
  constraint run_check CHECK (((phase = ANY (ARRAY['completed'::text, 'finalized'::text])) = (ended_at IS NOT NULL))),
  constraint run_check1 CHECK (((phase <> 'running'::text) OR (started_at IS NOT NULL))),
  constraint run_phase_check CHECK ((phase = ANY (ARRAY['pending'::text, 'queued'::text, 'running'::text, 'completed'::text, 'finalized'::text]))),
  constraint run_status_check CHECK ((status = ANY (ARRAY['notstarted'::text, 'ready'::text, 'running'::text, 'waiting'::text, 'succeeded'::text, 'failed'::text, 'invalid'::text, 'cancelled'::text, 'timedout'::text]))),
  constraint run_status_override_check CHECK ((status_override = ANY (ARRAY['succeeded'::text, 'failed'::text])))
) partition by range (id);
CREATE INDEX run_active ON run USING btree (team_id) WHERE (activity = 'active'::text);
CREATE INDEX run_by_id ON run USING btree (id) INCLUDE (team_id);
CREATE INDEX run_due ON run USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX run_finalized ON run USING btree (team_id, id) WHERE (phase = 'finalized'::text);
CREATE INDEX run_labels ON run USING gin (labels);
CREATE INDEX run_of_schedule ON run USING btree (team_id, initiated_by) WHERE ((trigger = 'schedule'::text) AND (phase = ANY (ARRAY['pending'::text, 'queued'::text, 'running'::text])));
CREATE INDEX run_parent ON run USING btree (team_id, parent_run_id) WHERE (parent_run_id IS NOT NULL);
CREATE INDEX run_queued ON run USING btree (team_id, id) WHERE (phase = ANY (ARRAY['pending'::text, 'queued'::text]));
CREATE INDEX run_queued_child ON run USING btree (team_id, id) WHERE ((phase = ANY (ARRAY['pending'::text, 'queued'::text])) AND (parent_task_run_id IS NOT NULL));
CREATE INDEX run_running ON run USING btree (team_id, id) WHERE (phase = 'running'::text);
CREATE INDEX run_sealed ON run USING btree (sealed_bytes_key(secrets), team_id, id) WHERE (secrets IS NOT NULL);
CREATE INDEX run_status ON run USING btree (team_id, status, id);
CREATE INDEX run_trigger ON run USING btree (team_id, trigger, id);
CREATE INDEX run_wanted ON run USING btree (team_id, id) WHERE (activity = 'wanted'::text);
CREATE INDEX run_workflow ON run USING btree (team_id, workflow_id, id);
CREATE TRIGGER note_changed_runs AFTER UPDATE ON run REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT WHEN (is_kind_wanted('workflowrun'::text)) EXECUTE FUNCTION note_run_changes();
CREATE TRIGGER note_new_run BEFORE INSERT ON run FOR EACH ROW WHEN (is_kind_wanted('workflowrun'::text)) EXECUTE FUNCTION note_new_run();
CREATE TRIGGER note_sealed_keys AFTER INSERT OR UPDATE OF secrets ON run FOR EACH ROW WHEN ((new.secrets IS NOT NULL)) EXECUTE FUNCTION note_sealed_run();
CREATE TRIGGER run_origin BEFORE INSERT ON run FOR EACH ROW WHEN ((new.initiated_by ~~ 'run:%'::text)) EXECUTE FUNCTION keep_origin();

create table run_event (
  team_id uuid not null,
  id uuid default new_id() not null,
  run_id uuid not null,
  topic text not null,
  status text not null,
  payload json,
  at timestamp(3) with time zone default db_now() not null,
  constraint run_event_pkey PRIMARY KEY (team_id, id),
  constraint run_event_status_check CHECK ((status = ANY (ARRAY['succeeded'::text, 'failed'::text])))
);
CREATE INDEX run_event_topic ON run_event USING btree (team_id, run_id, topic, id);

create table run_signal (
  id bigint generated always as identity not null,
  team_id uuid not null,
  run_id uuid not null,
  kind text not null,
  data json default '{}'::json not null,
  created_at timestamp(3) with time zone default db_now() not null,
  constraint run_signal_pkey PRIMARY KEY (id),
  constraint run_signal_kind_check CHECK ((kind = ANY (ARRAY['cancel'::text, 'event'::text, 'lock'::text, 'child'::text, 'retry'::text])))
) with (autovacuum_analyze_scale_factor=0.0, autovacuum_analyze_threshold=1000, autovacuum_vacuum_cost_delay=0, autovacuum_vacuum_scale_factor=0.0, autovacuum_vacuum_threshold=1000);
CREATE INDEX run_signal_run ON run_signal USING btree (team_id, run_id, id);

create table schedule (
  team_id uuid not null,
  id uuid default new_id() not null,
  workflow_id uuid not null,
  name text not null,
  description text,
  type text not null,
  status text not null,
  status_message text,
  labels jsonb default '{}'::jsonb not null,
  cron text,
  date_at timestamp(3) with time zone,
  timezone text not null,
  params json default '[]'::json not null,
  overlap_policy text not null,
  catch_up_policy text not null,
  catch_up_window_minutes integer,
  jitter_seconds integer not null,
  exclusions text[] default '{}'::text[] not null,
  next_at timestamp(3) with time zone,
  fire_at timestamp(3) with time zone,
  last_at timestamp(3) with time zone,
  last_run_id uuid,
  created_at timestamp(3) with time zone default db_now() not null,
  lineage uuid[] default '{}'::uuid[] not null,
  constraint schedule_pkey PRIMARY KEY (team_id, id),
  constraint schedule_team_id_fkey FOREIGN KEY (team_id) REFERENCES team(id) ON DELETE CASCADE,
  constraint schedule_team_id_workflow_id_fkey FOREIGN KEY (team_id, workflow_id) REFERENCES workflow(team_id, id) ON DELETE CASCADE,
  constraint schedule_catch_up_policy_check CHECK ((catch_up_policy = ANY (ARRAY['none'::text, 'one'::text, 'all'::text]))),
  constraint schedule_catch_up_window_minutes_check CHECK ((catch_up_window_minutes > 0)),
  constraint schedule_check CHECK (((type = 'runOnce'::text) = (cron IS NULL))),
  constraint schedule_check1 CHECK (((type = 'runOnce'::text) = (date_at IS NOT NULL))),
  constraint schedule_check2 CHECK (((status = 'active'::text) = (next_at IS NOT NULL))),
  constraint schedule_check3 CHECK (((next_at IS NULL) = (fire_at IS NULL))),
  constraint schedule_jitter_seconds_check CHECK (((jitter_seconds >= 0) AND (jitter_seconds <= 3600))),
  constraint schedule_overlap_policy_check CHECK ((overlap_policy = ANY (ARRAY['skip'::text, 'queue'::text, 'cancel'::text]))),
  constraint schedule_status_check CHECK ((status = ANY (ARRAY['active'::text, 'archived'::text, 'inactive'::text, 'trigger_disabled'::text, 'error'::text, 'completed'::text]))),
  constraint schedule_type_check CHECK ((type = ANY (ARRAY['cron'::text, 'advancedCron'::text, 'runOnce'::text])))
);
CREATE INDEX schedule_created ON schedule USING btree (team_id, created_at, id);
CREATE INDEX schedule_due ON schedule USING btree (fire_at) WHERE (fire_at IS NOT NULL);
CREATE INDEX schedule_workflow ON schedule USING btree (team_id, workflow_id);
CREATE TRIGGER note_changed_schedules AFTER UPDATE ON schedule REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT WHEN (is_kind_wanted('schedule'::text)) EXECUTE FUNCTION note_schedule_changes();
CREATE TRIGGER note_new_schedules AFTER INSERT ON schedule REFERENCING NEW TABLE AS changed FOR EACH STATEMENT WHEN (is_kind_wanted('schedule'::text)) EXECUTE FUNCTION note_schedule_changes();
CREATE TRIGGER note_sealed_keys AFTER INSERT OR UPDATE OF params ON schedule FOR EACH ROW EXECUTE FUNCTION note_sealed_columns('params', 'given');

create table schedule_firing (
  team_id uuid not null,
  schedule_id uuid not null,
  scheduled_for timestamp(3) with time zone not null,
  fired_at timestamp(3) with time zone default db_now() not null,
  outcome text not null,
  count integer default 1 not null,
  run_id uuid,
  message text,
  constraint schedule_firing_pkey PRIMARY KEY (team_id, schedule_id, scheduled_for),
  constraint schedule_firing_team_id_schedule_id_fkey FOREIGN KEY (team_id, schedule_id) REFERENCES schedule(team_id, id) ON DELETE CASCADE,
  constraint schedule_firing_check CHECK (((outcome = 'submitted'::text) = (run_id IS NOT NULL))),
  constraint schedule_firing_check1 CHECK (((count = 1) OR (outcome = 'missed'::text))),
  constraint schedule_firing_count_check CHECK ((count > 0)),
  constraint schedule_firing_outcome_check CHECK ((outcome = ANY (ARRAY['submitted'::text, 'skipped'::text, 'missed'::text, 'refused'::text])))
);
CREATE INDEX schedule_firing_age ON schedule_firing USING btree (fired_at);

create table schema_migration (
  version integer not null,
  name text not null,
  is_breaking boolean not null,
  applied_at timestamp(3) with time zone default clock_timestamp() not null,
  constraint schema_migration_pkey PRIMARY KEY (version)
);

create table sealed_key (
  place text not null,
  key_id text not null,
  noted_at timestamp(3) with time zone default db_now() not null,
  constraint sealed_key_pkey PRIMARY KEY (place, key_id)
);

create table setting (
  group_key text not null,
  key text not null,
  value text not null,
  changed_at timestamp(3) with time zone default db_now() not null,
  constraint setting_pkey PRIMARY KEY (group_key, key)
);
CREATE TRIGGER note_sealed_keys AFTER INSERT OR UPDATE OF value ON setting FOR EACH ROW EXECUTE FUNCTION note_sealed_columns('value', 'text');

create table setting_group (
  key text not null,
  changed_at timestamp(3) with time zone default db_now() not null,
  constraint setting_group_pkey PRIMARY KEY (key)
);

create table shipped_workflow_template (
  name text not null,
  fingerprint text not null,
  placed_at timestamp(3) with time zone default db_now() not null,
  constraint shipped_workflow_template_pkey PRIMARY KEY (name, fingerprint)
);

create table start_author (
  team_id uuid not null,
  kind text not null,
  ref uuid not null,
  user_id uuid not null,
  constraint start_author_pkey PRIMARY KEY (team_id, kind, ref, user_id),
  constraint start_author_team_id_fkey FOREIGN KEY (team_id) REFERENCES team(id) ON DELETE CASCADE,
  constraint start_author_kind_check CHECK ((kind = ANY (ARRAY['schedule'::text, 'webhook'::text])))
);

create table subscription (
  id uuid default new_id() not null,
  team_id uuid,
  name text not null,
  channel text not null,
  is_active boolean default true not null,
  status_message text,
  filters json default '[]'::json not null,
  kinds text[] default '{workflowrun,taskrun,action,schedule}'::text[] not null,
  target json not null,
  secret text,
  old_secret text,
  old_secret_until timestamp(3) with time zone,
  created_by text,
  created_at timestamp(3) with time zone default db_now() not null,
  changed_at timestamp(3) with time zone default db_now() not null,
  constraint subscription_pkey PRIMARY KEY (id),
  constraint subscription_team_id_fkey FOREIGN KEY (team_id) REFERENCES team(id) ON DELETE CASCADE,
  constraint subscription_channel_check CHECK ((channel = ANY (ARRAY['webhook'::text, 'email'::text, 'chat'::text]))),
  constraint subscription_check CHECK (((old_secret IS NULL) = (old_secret_until IS NULL)))
);
CREATE INDEX subscription_active ON subscription USING btree (team_id) WHERE is_active;
CREATE INDEX subscription_created ON subscription USING btree (team_id, created_at, id);
CREATE UNIQUE INDEX subscription_name ON subscription USING btree (team_id, name) NULLS NOT DISTINCT;
CREATE TRIGGER note_sealed_keys AFTER INSERT OR UPDATE OF secret, old_secret, target ON subscription FOR EACH ROW EXECUTE FUNCTION note_sealed_columns('secret', 'text', 'old_secret', 'text', 'target', 'target');

create table task (
  id uuid default new_id() not null,
  team_id uuid,
  name text not null,
  type text not null,
  status text default 'active'::text not null,
  verified boolean default false not null,
  latest_version integer not null,
  labels jsonb default '{}'::jsonb not null,
  annotations json default '{}'::json not null,
  created_at timestamp(3) with time zone default db_now() not null,
  deleted_at timestamp(3) with time zone,
  constraint task_pkey PRIMARY KEY (id),
  constraint task_team_id_fkey FOREIGN KEY (team_id) REFERENCES team(id) ON DELETE CASCADE,
  constraint task_name_check CHECK ((name ~ '^[0-9A-Za-z-]+$'::text)),
  constraint task_status_check CHECK ((status = ANY (ARRAY['active'::text, 'inactive'::text])))
);
CREATE INDEX task_created ON task USING btree (team_id, created_at, id) WHERE (deleted_at IS NULL);
CREATE INDEX task_labels ON task USING gin (labels);
CREATE UNIQUE INDEX task_name ON task USING btree (team_id, name) NULLS NOT DISTINCT WHERE (deleted_at IS NULL);

create table task_lock (
  team_id uuid not null,
  key text not null,
  run_id uuid not null,
  task_run_id uuid not null,
  acquired_at timestamp(3) with time zone default db_now() not null,
  constraint task_lock_pkey PRIMARY KEY (team_id, key),
  constraint task_lock_team_id_fkey FOREIGN KEY (team_id) REFERENCES team(id) ON DELETE CASCADE
) with (autovacuum_analyze_scale_factor=0.0, autovacuum_analyze_threshold=1000, autovacuum_vacuum_cost_delay=0, autovacuum_vacuum_scale_factor=0.0, autovacuum_vacuum_threshold=1000);
CREATE INDEX task_lock_run ON task_lock USING btree (team_id, run_id);

create table task_run (
  id uuid default new_id() not null,
  team_id uuid not null,
  run_id uuid not null,
  node integer not null,
  item integer,
  name text not null,
  type text not null,
  task_id uuid,
  task_version_id uuid,
  task_version integer,
  status text not null,
  phase text not null,
  reason text,
  status_message text,
  attempt integer default 0 not null,
  retries_used integer default 0 not null,
  losses integer default 0 not null,
  params json default '[]'::json not null,
  results json default '[]'::json not null,
  warnings json default '[]'::json not null,
  decision_value text,
  wait_kind text,
  wait_key text,
  wait_detail text,
  executor text,
  runs_on text[] default '{}'::text[] not null,
  timeout_minutes integer,
  worker_id uuid,
  created_at timestamp(3) with time zone default db_now() not null,
  ready_at timestamp(3) with time zone,
  claimable_at timestamp(3) with time zone,
  started_at timestamp(3) with time zone,
  ended_at timestamp(3) with time zone,
  due_at timestamp(3) with time zone,
  deadline_at timestamp(3) with time zone,
  given_back integer default 0 not null,
  place text default ''::text not null,
  constraint task_run_pkey PRIMARY KEY (team_id, id),
  constraint task_run_check CHECK (((phase = 'completed'::text) = (ended_at IS NOT NULL))),
  constraint task_run_check1 CHECK (((status <> 'waiting'::text) OR (wait_kind IS NOT NULL))),
  constraint task_run_check2 CHECK (((claimable_at IS NULL) OR (status = 'ready'::text))),
  constraint task_run_phase_check CHECK ((phase = ANY (ARRAY['pending'::text, 'queued'::text, 'running'::text, 'completed'::text]))),
  constraint task_run_status_check CHECK ((status = ANY (ARRAY['notstarted'::text, 'ready'::text, 'running'::text, 'waiting'::text, 'succeeded'::text, 'failed'::text, 'invalid'::text, 'skipped'::text, 'cancelled'::text, 'timedout'::text])))
) partition by range (id);
CREATE INDEX task_run_by_id ON task_run USING btree (id) INCLUDE (team_id);
CREATE INDEX task_run_claimable ON task_run USING btree (team_id, place, claimable_at, id) WHERE (claimable_at IS NOT NULL);
CREATE INDEX task_run_due ON task_run USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX task_run_run ON task_run USING btree (team_id, run_id, node, item);
CREATE INDEX task_run_wait ON task_run USING btree (team_id, wait_kind, wait_key) WHERE (wait_key IS NOT NULL);
CREATE INDEX task_run_worker ON task_run USING btree (worker_id) WHERE (worker_id IS NOT NULL);
CREATE TRIGGER note_changed_task_runs AFTER UPDATE ON task_run REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT WHEN (is_kind_wanted('taskrun'::text)) EXECUTE FUNCTION note_task_run_changes();
CREATE TRIGGER note_new_task_runs AFTER INSERT ON task_run REFERENCING NEW TABLE AS changed FOR EACH STATEMENT WHEN (is_kind_wanted('taskrun'::text)) EXECUTE FUNCTION note_task_run_changes();

create table task_run_attempt (
  id uuid default new_id() not null,
  team_id uuid not null,
  task_run_id uuid not null,
  attempt integer not null,
  status text not null,
  reason text,
  status_message text,
  exit_code integer,
  signal text,
  executor text,
  isolation text,
  host text,
  worker_id uuid,
  started_at timestamp(3) with time zone,
  ended_at timestamp(3) with time zone default db_now() not null,
  place json,
  waits json,
  constraint task_run_attempt_pkey PRIMARY KEY (team_id, id),
  constraint task_run_attempt_status_check CHECK ((status = ANY (ARRAY['succeeded'::text, 'failed'::text, 'invalid'::text, 'cancelled'::text, 'timedout'::text, 'lost'::text])))
) partition by range (id);
CREATE INDEX task_run_attempt_task ON task_run_attempt USING btree (team_id, task_run_id, attempt);

create table task_version (
  id uuid default new_id() not null,
  task_id uuid not null,
  version integer not null,
  display_name text not null,
  description text,
  category text,
  icon text,
  spec json not null,
  document json,
  change_author text,
  change_reason text,
  changed_at timestamp(3) with time zone default db_now() not null,
  replaced_at timestamp(3) with time zone,
  constraint task_version_pkey PRIMARY KEY (id),
  constraint task_version_task_id_fkey FOREIGN KEY (task_id) REFERENCES task(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX task_version_current ON task_version USING btree (task_id, version) WHERE (replaced_at IS NULL);
CREATE TRIGGER note_sealed_keys AFTER INSERT OR UPDATE OF spec ON task_version FOR EACH ROW EXECUTE FUNCTION note_sealed_columns('spec', 'spec');

create table team (
  id uuid default new_id() not null,
  name text not null,
  display_name text not null,
  status text default 'active'::text not null,
  type text,
  external_ref text,
  labels jsonb default '{}'::jsonb not null,
  parameters json default '[]'::json not null,
  max_workflow_count integer,
  max_workflow_run_monthly integer,
  max_workflow_storage integer,
  max_workflow_run_storage integer,
  max_workflow_run_duration integer,
  max_concurrent_runs integer,
  created_at timestamp(3) with time zone default db_now() not null,
  deleted_at timestamp(3) with time zone,
  allows_host_network boolean default false not null,
  max_waiting_runs integer,
  retention jsonb default '{}'::jsonb not null,
  constraint team_pkey PRIMARY KEY (id),
  constraint team_status_check CHECK ((status = ANY (ARRAY['active'::text, 'inactive'::text])))
);
CREATE INDEX team_any_name ON team USING btree (name);
CREATE INDEX team_created ON team USING btree (created_at, id) WHERE (deleted_at IS NULL);
CREATE INDEX team_hidden ON team USING btree (id) WHERE (deleted_at IS NOT NULL);
CREATE INDEX team_labels ON team USING gin (labels);
CREATE UNIQUE INDEX team_name ON team USING btree (name) WHERE (deleted_at IS NULL);
CREATE TRIGGER note_sealed_keys AFTER INSERT OR UPDATE OF parameters ON team FOR EACH ROW EXECUTE FUNCTION note_sealed_columns('parameters', 'params');

create table team_chat_workspace (
  team_id uuid not null,
  workspace_id uuid not null,
  created_at timestamp(3) with time zone default db_now() not null,
  constraint team_chat_workspace_pkey PRIMARY KEY (team_id, workspace_id),
  constraint team_chat_workspace_team_id_fkey FOREIGN KEY (team_id) REFERENCES team(id) ON DELETE CASCADE,
  constraint team_chat_workspace_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES chat_workspace(id) ON DELETE CASCADE
);
CREATE INDEX team_chat_workspace_workspace ON team_chat_workspace USING btree (workspace_id);

create table team_installation (
  team_id uuid not null,
  installation_id uuid not null,
  created_at timestamp(3) with time zone default db_now() not null,
  constraint team_installation_pkey PRIMARY KEY (team_id, installation_id),
  constraint team_installation_installation_id_fkey FOREIGN KEY (installation_id) REFERENCES installation(id) ON DELETE CASCADE,
  constraint team_installation_team_id_fkey FOREIGN KEY (team_id) REFERENCES team(id) ON DELETE CASCADE
);
CREATE INDEX team_installation_installation ON team_installation USING btree (installation_id);

create table team_member (
  team_id uuid not null,
  user_id uuid not null,
  role text not null,
  created_at timestamp(3) with time zone default db_now() not null,
  constraint team_member_pkey PRIMARY KEY (team_id, user_id),
  constraint team_member_team_id_fkey FOREIGN KEY (team_id) REFERENCES team(id) ON DELETE CASCADE,
  constraint team_member_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE,
  constraint team_member_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'editor'::text, 'reader'::text])))
);
CREATE INDEX team_member_user ON team_member USING btree (user_id);

create table token (
  id uuid default new_id() not null,
  kind text not null,
  hash bytea not null,
  name text not null,
  description text,
  team_id uuid,
  workflow_id uuid,
  user_id uuid,
  permissions text[] not null,
  created_at timestamp(3) with time zone default db_now() not null,
  created_by text,
  expires_at timestamp(3) with time zone,
  last_used_at timestamp(3) with time zone,
  idle_seconds integer,
  client_address text,
  user_agent text,
  constraint token_pkey PRIMARY KEY (id),
  constraint token_hash_key UNIQUE (hash),
  constraint token_team_id_fkey FOREIGN KEY (team_id) REFERENCES team(id) ON DELETE CASCADE,
  constraint token_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE,
  constraint token_check CHECK (((kind = ANY (ARRAY['team'::text, 'workflow'::text])) = (team_id IS NOT NULL))),
  constraint token_check1 CHECK (((kind = 'workflow'::text) = (workflow_id IS NOT NULL))),
  constraint token_check2 CHECK (((kind = ANY (ARRAY['user'::text, 'session'::text])) = (user_id IS NOT NULL))),
  constraint token_idle_seconds_check CHECK ((idle_seconds > 0)),
  constraint token_kind_check CHECK ((kind = ANY (ARRAY['global'::text, 'team'::text, 'workflow'::text, 'user'::text, 'session'::text]))),
  constraint token_session_columns CHECK (((kind = 'session'::text) OR ((idle_seconds IS NULL) AND (client_address IS NULL) AND (user_agent IS NULL))))
);
CREATE INDEX token_created ON token USING btree (created_at, id) INCLUDE (team_id);
CREATE INDEX token_session_end ON token USING btree (expires_at) WHERE (kind = 'session'::text);
CREATE INDEX token_team ON token USING btree (team_id) WHERE (team_id IS NOT NULL);
CREATE INDEX token_user ON token USING btree (user_id) WHERE (user_id IS NOT NULL);

create table token_maker (
  token_id uuid not null,
  user_id uuid not null,
  constraint token_maker_pkey PRIMARY KEY (token_id, user_id)
);

create table used_state (
  hash bytea not null,
  until timestamp(3) with time zone not null,
  constraint used_state_pkey PRIMARY KEY (hash)
);
CREATE INDEX used_state_until ON used_state USING btree (until);

create table webhook_secret (
  team_id uuid not null,
  workflow_id uuid not null,
  secret text not null,
  previous text,
  previous_until timestamp(3) with time zone,
  created_at timestamp(3) with time zone default db_now() not null,
  constraint webhook_secret_pkey PRIMARY KEY (team_id, workflow_id),
  constraint webhook_secret_team_id_workflow_id_fkey FOREIGN KEY (team_id, workflow_id) REFERENCES workflow(team_id, id) ON DELETE CASCADE,
  constraint webhook_secret_check CHECK (((previous IS NULL) = (previous_until IS NULL)))
);
CREATE TRIGGER note_sealed_keys AFTER INSERT OR UPDATE OF secret, previous ON webhook_secret FOR EACH ROW EXECUTE FUNCTION note_sealed_columns('secret', 'text', 'previous', 'text');

create table worker (
  id uuid default new_id() not null,
  host text not null,
  pid integer not null,
  roles text[] not null,
  executors text[] not null,
  labels text[] default '{}'::text[] not null,
  slots integer not null,
  started_at timestamp(3) with time zone default db_now() not null,
  lease_until timestamp(3) with time zone not null,
  configured text[] default '{}'::text[] not null,
  place text,
  faults jsonb default '{}'::jsonb not null,
  constraint worker_pkey PRIMARY KEY (id)
) with (autovacuum_analyze_scale_factor=0.0, autovacuum_analyze_threshold=1000, autovacuum_vacuum_cost_delay=0, autovacuum_vacuum_scale_factor=0.0, autovacuum_vacuum_threshold=1000);

create table workflow (
  team_id uuid not null,
  id uuid default new_id() not null,
  name text not null,
  display_name text not null,
  status text default 'active'::text not null,
  icon text,
  description text,
  labels jsonb default '{}'::jsonb not null,
  annotations json default '{}'::json not null,
  triggers json not null,
  latest_version integer not null,
  created_at timestamp(3) with time zone default db_now() not null,
  deleted_at timestamp(3) with time zone,
  constraint workflow_pkey PRIMARY KEY (team_id, id),
  constraint workflow_team_id_fkey FOREIGN KEY (team_id) REFERENCES team(id) ON DELETE CASCADE,
  constraint workflow_status_check CHECK ((status = ANY (ARRAY['active'::text, 'inactive'::text])))
);
CREATE INDEX workflow_created ON workflow USING btree (team_id, created_at, id) WHERE (deleted_at IS NULL);
CREATE INDEX workflow_deleted ON workflow USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);
CREATE INDEX workflow_hidden ON workflow USING btree (team_id, deleted_at) WHERE (deleted_at IS NOT NULL);
CREATE INDEX workflow_labels ON workflow USING gin (labels);
CREATE UNIQUE INDEX workflow_name ON workflow USING btree (team_id, name) WHERE (deleted_at IS NULL);
CREATE INDEX workflow_of_any_team ON workflow USING btree (name) WHERE (deleted_at IS NULL);
CREATE INDEX workflow_on_codehost ON workflow USING btree (team_id, id) WHERE ((deleted_at IS NULL) AND (((triggers -> 'codehost'::text) ->> 'enabled'::text) = 'true'::text));
CREATE INDEX workflow_on_event ON workflow USING btree (team_id, id) WHERE ((deleted_at IS NULL) AND (((triggers -> 'event'::text) ->> 'enabled'::text) = 'true'::text));
CREATE INDEX workflow_on_workflow ON workflow USING btree (team_id, id) WHERE ((deleted_at IS NULL) AND (((triggers -> 'workflow'::text) ->> 'enabled'::text) = 'true'::text));

create table workflow_template (
  id uuid default new_id() not null,
  name text not null,
  display_name text not null,
  icon text,
  description text,
  labels jsonb default '{}'::jsonb not null,
  annotations json default '{}'::json not null,
  latest_version integer not null,
  created_at timestamp(3) with time zone default db_now() not null,
  constraint workflow_template_pkey PRIMARY KEY (id),
  constraint workflow_template_name_check CHECK ((name ~ '^[0-9A-Za-z-]+$'::text))
);
CREATE INDEX workflow_template_labels ON workflow_template USING gin (labels);
CREATE UNIQUE INDEX workflow_template_name ON workflow_template USING btree (lower(name));

create table workflow_template_version (
  id uuid default new_id() not null,
  template_id uuid not null,
  version integer not null,
  document json not null,
  change_author text,
  change_reason text,
  changed_at timestamp(3) with time zone default db_now() not null,
  replaced_at timestamp(3) with time zone,
  constraint workflow_template_version_pkey PRIMARY KEY (id),
  constraint workflow_template_version_template_id_fkey FOREIGN KEY (template_id) REFERENCES workflow_template(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX workflow_template_version_current ON workflow_template_version USING btree (template_id, version) WHERE (replaced_at IS NULL);
CREATE INDEX workflow_template_version_template ON workflow_template_version USING btree (template_id);
CREATE TRIGGER note_sealed_keys AFTER INSERT OR UPDATE OF document ON workflow_template_version FOR EACH ROW EXECUTE FUNCTION note_sealed_columns('document', 'document');

create table workflow_version (
  team_id uuid not null,
  id uuid default new_id() not null,
  workflow_id uuid not null,
  version integer not null,
  document json not null,
  change_author text,
  change_reason text,
  changed_at timestamp(3) with time zone default db_now() not null,
  replaced_at timestamp(3) with time zone,
  constraint workflow_version_pkey PRIMARY KEY (team_id, id),
  constraint workflow_version_team_id_workflow_id_fkey FOREIGN KEY (team_id, workflow_id) REFERENCES workflow(team_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX workflow_version_current ON workflow_version USING btree (team_id, workflow_id, version) WHERE (replaced_at IS NULL);
CREATE INDEX workflow_version_workflow ON workflow_version USING btree (team_id, workflow_id);
CREATE TRIGGER note_sealed_keys AFTER INSERT OR UPDATE OF document ON workflow_version FOR EACH ROW EXECUTE FUNCTION note_sealed_columns('document', 'document');

create table workflow_version_task (
  team_id uuid not null,
  workflow_version_id uuid not null,
  task_id uuid not null,
  version integer not null,
  task_version_id uuid not null,
  constraint workflow_version_task_pkey PRIMARY KEY (team_id, workflow_version_id, task_id, version),
  constraint workflow_version_task_task_id_fkey FOREIGN KEY (task_id) REFERENCES task(id),
  constraint workflow_version_task_task_version_id_fkey FOREIGN KEY (task_version_id) REFERENCES task_version(id),
  constraint workflow_version_task_team_id_workflow_version_id_fkey FOREIGN KEY (team_id, workflow_version_id) REFERENCES workflow_version(team_id, id) ON DELETE CASCADE
);
CREATE INDEX workflow_version_task_used ON workflow_version_task USING btree (task_version_id);

create table workspace_archive (
  team_id uuid not null,
  owner_id uuid not null,
  state text not null,
  from_at timestamp(3) with time zone default db_now() not null,
  archive_key text,
  archive_sha256 text,
  archive_bytes bigint,
  archive_place text,
  archive_fingerprint text,
  is_restored boolean default true not null,
  constraint workspace_archive_pkey PRIMARY KEY (team_id, owner_id),
  constraint workspace_archive_state_check CHECK ((state = ANY (ARRAY['empty'::text, 'local'::text, 'stored'::text]))),
  constraint workspace_archive_stored_check CHECK (((state <> 'stored'::text) OR ((archive_key IS NOT NULL) AND (archive_sha256 IS NOT NULL))))
);

create table workspace_place (
  team_id uuid not null,
  owner_id uuid not null,
  kind text not null,
  scope text not null,
  place text not null,
  taken_at timestamp(3) with time zone default db_now() not null,
  constraint workspace_place_pkey PRIMARY KEY (team_id, owner_id, kind),
  constraint workspace_place_kind_check CHECK ((kind = ANY (ARRAY['folder'::text, 'image'::text]))),
  constraint workspace_place_scope_check CHECK ((scope = ANY (ARRAY['workflow'::text, 'workflowrun'::text])))
);
