-- Gives ready task runs to a worker: a new attempt each, with its deadline. At most half of what is asked goes to one team at a time,
-- least recently served team first, so that one team's burst cannot take every slot. A worker whose lease is over gets nothing: its row
-- may go at any time, and an attempt without it would never be found lost.
--
-- The slots of a worker are shared between teams: "reserved" slots are kept for other teams, 0: none. The rule is that of
-- core/worker/slot-shares.ts, where it is explained; a test compares the two. Two claims of one worker at once would each count without the
-- other, so with a reserve they are made one after the other; the lock is the last one that is taken, and its holder waits for nobody.
--
-- "places" says for each of "can_run" in which place the claimer would run it. It may end with 'store', which belongs to none of the needs: the
-- claimer can restore workspaces.
create or replace function claim_task_runs(claimer uuid, wanted int, can_run text[], labels text[], reserved int default 0, places text[] default '{}')
  returns table (team_id uuid, run_id uuid, id uuid, node int, item int, attempt int, deadline_at timestamptz, claimed_at timestamptz,
                need text, losses int)
  language plpgsql
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  as $$
  declare
    picked uuid[];
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
          picked := array(
            select q.id from task_run q
            where q.team_id = candidate and q.place = list and q.claimable_at is not null and q.executor = any(can_run) and q.runs_on <@ labels
              and (list = '' or exists (select from unnest(can_run, places) as c(need, place) where c.need = q.executor and c.place = list))
            order by q.claimable_at, q.id limit room for update skip locked);
          continue when picked = '{}';
          return query
            update task_run t
            set status = 'running', phase = 'running', attempt = t.attempt + 1, claimable_at = null, worker_id = claimer, reason = null, status_message = null,
                started_at = moment.at, deadline_at = moment.at + make_interval(mins => t.timeout_minutes),
                due_at = moment.at + make_interval(mins => t.timeout_minutes)
            from (select db_now() as at) moment, (select u.id from unnest(picked) as u(id) limit cardinality(picked)) p
            where t.id = any(array[p.id]) and (t.team_id = candidate) is true -- see apply_run_changes
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
            update task_run t set place = goes_to where t.id = task.id and (t.team_id = candidate) is true;
            if goes_to = task.mine then
              decided := decided || task.id;
            end if;
          end loop;
          return query
            update task_run t
            set status = 'running', phase = 'running', attempt = t.attempt + 1, claimable_at = null, worker_id = claimer, reason = null, status_message = null,
                started_at = moment.at, deadline_at = moment.at + make_interval(mins => t.timeout_minutes),
                due_at = moment.at + make_interval(mins => t.timeout_minutes)
            from (select db_now() as at) moment, (select u.id from unnest(decided) as u(id) limit cardinality(decided)) p
            where t.id = any(array[p.id]) and (t.team_id = candidate) is true -- see apply_run_changes
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

-- The end of attempts, the release of what follows and the next claims of the same worker, in one round trip: between two tasks of a
-- chain nothing else happens. Each function locks first and reads in a new statement, so the claims see what the changes made ready.
--
-- "at_once": the changes mark the next task runs of the claimer (core/worker/tasks-at-once.ts). They become running in the statement that ends the ones
-- before where nothing waits that would have its turn first, nobody wants to hear that they are ready, and the slots are not shared between teams. Whoever
-- looks at the same moment sees neither; as between two claims, that decides nothing but the order.
drop function if exists complete_and_claim(json, uuid, int, text[], text[], int, text[]);
create or replace function complete_and_claim(changes json, claimer uuid, wanted int, can_run text[], labels text[], reserved int default 0,
                                              places text[] default '{}', at_once boolean default false)
  returns table (applied uuid[], claims json)
  language plpgsql
  set plan_cache_mode = force_generic_plan
  as $$
  begin
    at_once := at_once and not is_kind_wanted('taskrun')
      and (reserved = 0 or (select count(*) from (select from team t where t.status = 'active' limit 2) active) < 2)
      and exists (select from worker w where w.id = claimer and w.lease_until > db_now())
      and not exists (
        select from ready_team rt
        cross join lateral (select 1 from task_run q where q.team_id = rt.team_id and q.claimable_at is not null
                            order by q.place, q.claimable_at, q.id limit 1) waiting);
    select c.applied, c.claims into applied, claims from apply_and_claim(changes, case when at_once then claimer end) c;
    if claims is null and wanted > 0 then
      select json_agg(c) into claims from claim_task_runs(claimer, wanted, can_run, labels, reserved, places) c;
    end if;
    return next;
  end
  $$;
