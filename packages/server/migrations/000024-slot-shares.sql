-- The slots of a worker are shared between teams: no team fills the last quarter of them.

-- As before (000018), with the share of each team. The rule is that of core/worker/slot-shares.ts, where it is explained; a test compares the two.
-- "reserved" slots are kept for other teams, 0: none. Two claims of one worker at once would each count without the other, so with a reserve
-- they are made one after the other; the lock is the last one that is taken, and its holder waits for nobody.
drop function complete_and_claim(json, uuid, int, text[], text[]);
drop function claim_task_runs(uuid, int, text[], text[]);
create function claim_task_runs(claimer uuid, wanted int, can_run text[], labels text[], reserved int default 0)
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
  begin
    if is_shared then
      perform pg_advisory_xact_lock(hashtextextended('slots of worker ' || claimer, 0));
    end if;
    select w.slots into all_slots from worker w where w.id = claimer and w.lease_until > db_now();
    if not found then
      return;
    end if;
    for candidate in
      select rt.team_id from ready_team rt
      where exists (select from task_run q where q.team_id = rt.team_id and q.claimable_at is not null)
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
      return query
        update task_run t
        set status = 'running', phase = 'running', attempt = t.attempt + 1, claimable_at = null, worker_id = claimer, reason = null, status_message = null,
            started_at = moment.at, deadline_at = moment.at + make_interval(mins => t.timeout_minutes),
            due_at = moment.at + make_interval(mins => t.timeout_minutes)
        from (select db_now() as at) moment,
             (select q.id from task_run q
              where q.team_id = candidate and q.claimable_at is not null and q.executor = any(can_run) and q.runs_on <@ labels
              order by q.claimable_at, q.id limit room for update skip locked) picked
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

create function complete_and_claim(changes json, claimer uuid, wanted int, can_run text[], labels text[], reserved int default 0)
  returns table (applied uuid[], claims json)
  language plpgsql
  set plan_cache_mode = force_generic_plan
  as $$
  begin
    applied := apply_run_changes(changes);
    if wanted > 0 then
      select json_agg(c) into claims from claim_task_runs(claimer, wanted, can_run, labels, reserved) c;
    end if;
    return next;
  end
  $$;
