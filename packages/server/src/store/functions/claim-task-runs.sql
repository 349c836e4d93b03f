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
-- What the claimer can't run may wait in front, for as long as there is no worker for it, and it is not read. A kind is a place, an executor and labels.
-- Where the first of a team's queue is nothing for the claimer, it is asked once which kinds wait in any team that it can run (waiting_kinds); if none
-- does, the claim is over, however many teams wait. Otherwise the kinds of the team are claimed one after the other, each from its own stretch of an
-- index. After some teams with nothing for it, the claim goes on with the teams that such a kind waits in, in the same order: teams that wait
-- for a worker that isn't there are never served, so they would be the first of all for every claim.
--
-- "ended": how many of the slots have just become free. When each team has had its turn, these are filled with what still waits: a worker that ends
-- eight items of a list together gets eight others, and does not have to ask three times more. Slots that were free before are not filled, so
-- that a burst is spread over the workers that ask.
--
-- Each order here is that of an index; where little waits, another index and a sort look as cheap, and would read all that waits later. So sorts are off.
-- A sort that is made all the same counts as so expensive that `jit` would compile it, which takes half a second each time; so that is off, too.
drop function if exists claim_task_runs(uuid, int, text[], text[], int, text[]);
create or replace function claim_task_runs(claimer uuid, wanted int, can_run text[], labels text[], reserved int default 0, places text[] default '{}',
                                           ended int default 0)
  returns table (team_id uuid, run_id uuid, id uuid, node int, item int, attempt int, deadline_at timestamptz, claimed_at timestamptz,
                need text, losses int)
  language plpgsql
  set plan_cache_mode = force_generic_plan
  set jit = off
  set enable_sort = off
  set enable_incremental_sort = off
  set enable_hashjoin = off
  set enable_mergejoin = off
  as $$
  declare
    picked uuid[];
    candidate uuid;
    first_executor text;
    first_runs_on text[];
    looked_at uuid[];
    misses int := 0;
    of_kinds uuid[];
    -- Kinds that wait and that the claimer can run, one in each position.
    kind_places text[];
    kind_needs text[];
    kind_labels text[];
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
    in_pass int := 0;
  begin
    if is_shared then
      perform pg_advisory_xact_lock(hashtextextended('slots of worker ' || claimer, 0));
    end if;
    select w.slots into all_slots from worker w where w.id = claimer and w.lease_until > db_now();
    if not found then
      return;
    end if;
    <<passes>>
    loop
      for candidate, first_executor, first_runs_on in
        -- The order has it read one row of the index for each team; "exists" may read the whole table when much is waiting.
        select t.team_id, waiting.executor, waiting.runs_on
        from unnest(coalesce(of_kinds, array(select r.team_id from ready_team r order by r.last_claim_at))) as t(team_id)
        cross join lateral (select q.executor, q.runs_on from task_run q where q.team_id = t.team_id and q.claimable_at is not null
                            order by q.place, q.claimable_at, q.id limit 1) waiting
      loop
        exit passes when remaining <= 0;
        continue when of_kinds is not null and candidate = any(looked_at);
        looked_at := looked_at || candidate;
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
        is_plain := first_executor = any(can_run) and first_runs_on <@ labels
          and (select q.place from task_run q where q.team_id = candidate and q.place > '' and q.claimable_at is not null
               order by q.place, q.claimable_at, q.id limit 1) is null; -- the order has it read the index
        lists := array[array['', '', '{}']];
        if is_plain is not true then
          if kind_places is null then
            select array_agg(k.place), array_agg(k.executor), array_agg(k.runs_on::text) into kind_places, kind_needs, kind_labels
            from waiting_kinds(can_run, labels, places) k;
            exit passes when kind_places is null;
          end if;
          select array_agg(array[k.place, k.need, k.runs_on] order by head.at, k.place, k.need) into lists
          from unnest(kind_places, kind_needs, kind_labels) as k(place, need, runs_on)
          cross join lateral (
            select q.claimable_at as at from task_run q
            where q.place = k.place and q.claimable_at is not null
              and (q.executor, q.runs_on, q.team_id) >= (k.need, k.runs_on::text[], candidate)
              and (q.executor, q.runs_on, q.team_id) <= (k.need, k.runs_on::text[], candidate)
            order by q.executor, q.runs_on, q.team_id, q.claimable_at, q.id limit 1) head;
          if lists is null then
            misses := misses + 1;
            if misses = 8 then
              of_kinds := teams_of_kinds(kind_places, kind_needs, kind_labels);
              continue passes;
            end if;
            continue;
          end if;
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
                where q.place = list[1] and q.claimable_at is not null
                  and (q.executor, q.runs_on, q.team_id) >= (needed, asked, candidate) and (q.executor, q.runs_on, q.team_id) <= (needed, asked, candidate)
                order by q.executor, q.runs_on, q.team_id, q.claimable_at, q.id limit room for update skip locked);
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
              where q.place = list[1] and q.claimable_at is not null
                and (q.executor, q.runs_on, q.team_id) >= (needed, asked, candidate) and (q.executor, q.runs_on, q.team_id) <= (needed, asked, candidate)
              order by q.executor, q.runs_on, q.team_id, q.claimable_at, q.id limit room for update skip locked
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
        in_pass := in_pass + taken;
        if taken > 0 then
          update ready_team rt set last_claim_at = db_now(), last_work_at = db_now()
          where rt.team_id = (select seen.team_id from ready_team seen where seen.team_id = candidate for update skip locked);
        end if;
      end loop;
      -- Each team has had its turn. What is left is for those that were held back by their half, and as a rule that is one.
      exit when in_pass = 0 or wanted - remaining >= ended;
      remaining := least(remaining, ended - (wanted - remaining));
      wanted := remaining;
      ended := remaining;
      share := remaining;
      looked_at := '{}';
      in_pass := 0;
    end loop;
  end
  $$;

-- Kinds of task runs that wait in any team and that a claimer can run: where they must go, what they need and which labels. Each is a stretch of the index
-- task_run_waiting_kind, of which one row is read. The comparisons of rows say what equal columns would, and have the order of that index: with equal
-- columns another index could be in order, too, and all that waits would be read.
drop function if exists waiting_kinds(uuid, text[], text[], text[]);
create or replace function waiting_kinds(can_run text[], labels text[], places text[])
  returns table (place text, executor text, runs_on text[])
  language plpgsql stable
  set plan_cache_mode = force_generic_plan
  set jit = off
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
                  where q.place = l.place and q.claimable_at is not null and (q.executor, q.runs_on) > (l.need, a.runs_on) and q.executor <= l.need
                  order by q.executor, q.runs_on limit 1)
          from asked a where a.runs_on is not null and cardinality(labels) > 2)
        select array[one] as runs_on from unnest(labels) as one where cardinality(labels) <= 2
        union all
        select array[one, other] from unnest(labels) as one, unnest(labels) as other where cardinality(labels) = 2 and one <> other
        union all
        select a.runs_on from asked a where a.runs_on <@ labels) asked
      cross join lateral (
        select from task_run q
        where q.place = l.place and q.claimable_at is not null
          and (q.executor, q.runs_on) >= (l.need, asked.runs_on) and (q.executor, q.runs_on) <= (l.need, asked.runs_on)
        order by q.executor, q.runs_on limit 1) head;
  end
  $$;

-- Teams that one of these kinds waits in, least recently served first. They are found from one to the next in the index, however many rows are between
-- them and however many other teams wait. If they are many, the first hundred are found in the order of all teams instead.
create or replace function teams_of_kinds(kind_places text[], kind_needs text[], kind_labels text[]) returns uuid[]
  language plpgsql stable
  set plan_cache_mode = force_generic_plan
  set jit = off
  set enable_sort = off
  set enable_incremental_sort = off
  set enable_hashjoin = off
  set enable_mergejoin = off
  as $$
  declare
    many int := 500;
    teams uuid[];
  begin
    with recursive found as (
      select k.place, k.need, k.labels::text[] as labels, '00000000-0000-0000-0000-000000000000'::uuid as team_id
      from unnest(kind_places, kind_needs, kind_labels) as k(place, need, labels)
      union all
      select f.place, f.need, f.labels, (
        select q.team_id from task_run q
        where q.place = f.place and q.claimable_at is not null
          and (q.executor, q.runs_on, q.team_id) > (f.need, f.labels, f.team_id) and (q.executor, q.runs_on) <= (f.need, f.labels)
        order by q.executor, q.runs_on, q.team_id limit 1)
      from found f where f.team_id is not null)
    select array_agg(f.team_id) into teams from (select found.team_id from found where found.team_id is not null limit many) f;
    if cardinality(teams) < many then
      return array(select rt.team_id from ready_team rt where rt.team_id = any(teams) order by rt.last_claim_at);
    end if;
    return array(
      select rt.team_id from (select r.team_id from ready_team r order by r.last_claim_at offset 0) rt
      where exists (
        select from unnest(kind_places, kind_needs, kind_labels) as k(place, need, labels)
        cross join lateral (
          select from task_run q
          where q.place = k.place and q.claimable_at is not null
            and (q.executor, q.runs_on, q.team_id) >= (k.need, k.labels::text[], rt.team_id)
            and (q.executor, q.runs_on, q.team_id) <= (k.need, k.labels::text[], rt.team_id)
          order by q.executor, q.runs_on, q.team_id limit 1) head)
      limit 100);
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
      and ((select q.place from task_run q where q.claimable_at is not null and q.place >= '' order by q.place, q.executor, q.runs_on limit 1) is null
           or not exists (select from waiting_kinds(can_run, labels, places)));
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
      select json_agg(c) into claims from claim_task_runs(claimer, wanted, can_run, labels, reserved, places,
        case when wanted > 1 then coalesce(json_array_length(changes->'attempts'), 0) else 0 end) c;
    end if;
    return next;
  end
  $$;
