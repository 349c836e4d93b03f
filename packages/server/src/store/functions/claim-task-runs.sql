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
--
-- What the claimer can't run may wait in front, for as long as there is no worker for it, and it is not read: where the first of a team's queue is such
-- a task run, its kinds are claimed one after the other, each from its own stretch of an index (waiting_kinds). Each order here is that of an index; where
-- little waits, another index and a sort look as cheap, and would read all that waits later. So sorts are off.
create or replace function claim_task_runs(claimer uuid, wanted int, can_run text[], labels text[], reserved int default 0, places text[] default '{}')
  returns table (team_id uuid, run_id uuid, id uuid, node int, item int, attempt int, deadline_at timestamptz, claimed_at timestamptz,
                need text, losses int)
  language plpgsql
  set plan_cache_mode = force_generic_plan
  set enable_sort = off
  set enable_incremental_sort = off
  set enable_hashjoin = off
  set enable_mergejoin = off
  as $$
  declare
    picked uuid[];
    candidate uuid;
    first record;
    taken int;
    remaining int := wanted;
    share int := greatest(1, (wanted + 1) / 2);
    is_shared boolean := reserved > 0 and (select count(*) from (select from team t where t.status = 'active' limit 2) active) > 1;
    all_slots int;
    busy int;
    held int;
    other_holders int;
    room int;
    is_plain boolean;
    list text[];
    lists text[];
    needed text;
    asked text[];
    task record;
    mine text;
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
    for first in
      -- The order has it read one row of the index for each team; "exists" may read the whole table when much is waiting.
      select rt.team_id, waiting.executor, waiting.runs_on from ready_team rt
      cross join lateral (select q.executor, q.runs_on from task_run q where q.team_id = rt.team_id and q.claimable_at is not null
                          order by q.place, q.claimable_at, q.id limit 1) waiting
      order by rt.last_claim_at
    loop
      exit when remaining <= 0;
      candidate := first.team_id;
      room := least(share, remaining);
      if is_shared then
        select count(*), count(*) filter (where t.team_id = candidate), count(distinct t.team_id) filter (where t.team_id <> candidate)
        into busy, held, other_holders
        from task_run t where t.worker_id = claimer and t.status = 'running';
        room := least(room, all_slots - reserved - held,
          greatest(all_slots - busy - (reserved + other_holders) / (other_holders + 1), case when held = 0 and busy < all_slots then 1 else 0 end));
        continue when room <= 0;
      end if;
      -- The oldest work first, wherever it must go and whatever it needs; most teams have none with workspaces, and can use every worker.
      is_plain := first.executor = any(can_run) and first.runs_on <@ labels
        and (select q.place from task_run q where q.team_id = candidate and q.place > '' and q.claimable_at is not null
             order by q.place, q.claimable_at, q.id limit 1) is null; -- the order has it read the index
      lists := array[array['', '', '{}']];
      if not is_plain then
        select array_agg(array[k.place, k.executor, k.runs_on::text]) into lists from waiting_kinds(candidate, can_run, labels, places) k;
        continue when lists is null;
      end if;
      in_all := 0;
      foreach list slice 1 in array lists loop
        exit when room <= 0;
        needed := list[2];
        asked := list[3];
        if list[1] not in ('?', 'store') then
          if is_plain then
            picked := array(
              select q.id from task_run q
              where q.team_id = candidate and q.place = '' and q.claimable_at is not null and q.executor = any(can_run) and q.runs_on <@ labels
              order by q.claimable_at, q.id limit room for update skip locked);
          else
            picked := array(
              select q.id from task_run q
              where q.team_id = candidate and q.place = list[1] and q.claimable_at is not null
                and (q.executor, q.runs_on) >= (needed, asked) and (q.executor, q.runs_on) <= (needed, asked)
              order by q.executor, q.runs_on, q.claimable_at, q.id limit room for update skip locked);
          end if;
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
        mine := coalesce(places[array_position(can_run, needed)], '');
        is_more := true;
        while is_more and room > 0 loop
          is_more := false;
          decided := '{}';
          for task in
            select q.id, q.run_id, q.executor from task_run q
            where q.team_id = candidate and q.place = list[1] and q.claimable_at is not null
              and (q.executor, q.runs_on) >= (needed, asked) and (q.executor, q.runs_on) <= (needed, asked)
            order by q.executor, q.runs_on, q.claimable_at, q.id limit room for update skip locked
          loop
            goes_to := take_workspaces(candidate, task.run_id, task.executor, mine, 'store' = any(places));
            if goes_to is null or goes_to = list[1] then
              continue;
            end if;
            is_more := true;
            update task_run t set place = goes_to where t.id = task.id and (t.team_id = candidate) is true;
            if goes_to = mine then
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

-- Kinds of task runs of a team that wait and that a claimer can run: where they must go, what they need and which labels. The one whose oldest waits
-- longest comes first. Each is a stretch of the index task_run_waiting_kind. The comparisons of rows say what equal columns would, and have the order of
-- that index: with equal columns the index task_run_claimable would be in order, too, and all that waits would be read.
create or replace function waiting_kinds(team uuid, can_run text[], labels text[], places text[])
  returns table (place text, executor text, runs_on text[])
  language plpgsql stable
  set plan_cache_mode = force_generic_plan
  set enable_sort = off
  set enable_incremental_sort = off
  set enable_hashjoin = off
  set enable_mergejoin = off
  as $$
  begin
    return query
      select l.place, l.need, asked.runs_on
      from (select n.need, p.place from unnest(can_run) as n(need)
            cross join (select '' as place union all select '?' union all select 'store' where 'store' = any(places)) p
            union all
            select c.need, c.place from unnest(can_run, places) as c(need, place) where c.need is not null and c.place > '') l
      cross join lateral (
        -- With two labels at most they are these. With more, the lists of labels that are asked for are found one after the other.
        with recursive asked as (
          select '{}'::text[] as runs_on
          union all
          select (select q.runs_on from task_run q
                  where q.team_id = team and q.place = l.place and q.claimable_at is not null
                    and (q.executor, q.runs_on) > (l.need, a.runs_on) and q.executor <= l.need
                  order by q.executor, q.runs_on, q.claimable_at, q.id limit 1)
          from asked a where a.runs_on is not null and cardinality(labels) > 2)
        select array[one] as runs_on from unnest(labels) as one where cardinality(labels) <= 2
        union all
        select array[one, other] from unnest(labels) as one, unnest(labels) as other where cardinality(labels) = 2 and one <> other
        union all
        select a.runs_on from asked a where a.runs_on <@ labels) asked
      cross join lateral (
        select q.claimable_at as at from task_run q
        where q.team_id = team and q.place = l.place and q.claimable_at is not null
          and (q.executor, q.runs_on) >= (l.need, asked.runs_on) and (q.executor, q.runs_on) <= (l.need, asked.runs_on)
        order by q.executor, q.runs_on, q.claimable_at, q.id limit 1) head
      order by head.at, l.place, l.need;
  end
  $$;

-- The end of attempts, the release of what follows and the next claims of the same worker, in one round trip: between two tasks of a
-- chain nothing else happens. Each function locks first and reads in a new statement, so the claims see what the changes made ready.
--
-- "at_once": the changes mark the next task runs of the claimer (core/worker/slot-shares.ts). They become running in the statement that ends the ones
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
                            order by q.place, q.claimable_at, q.id limit 1) waiting
        where exists (select from waiting_kinds(rt.team_id, can_run, labels, places)));
    select c.applied, c.claims into applied, claims from apply_and_claim(changes, case when at_once then claimer end) c;
    if claims is null and wanted > 0 then
      -- A step that began at once was a turn of its team, though only its row says when. With a reserve that happens only while there is one team.
      if reserved = 0 then
        update ready_team rt set last_claim_at = served.at
        from (select a.team_id, max(a.started_at) as at from json_to_recordset(changes->'attempts') as a(team_id uuid, started_at timestamptz)
              group by a.team_id) served
        where rt.last_claim_at < served.at
          and rt.team_id = (select seen.team_id from ready_team seen where seen.team_id = served.team_id for update skip locked);
      end if;
      select json_agg(c) into claims from claim_task_runs(claimer, wanted, can_run, labels, reserved, places) c;
    end if;
    return next;
  end
  $$;
