-- Slots of the limits that a workflow sets for its runs (docs/concurrency.md). A limit is a workflow, a kind (slot: runs at once; rate: starts
-- in a period) and a key. Who decides about a limit holds its advisory lock. A submission that does not get it puts its run in line, and an engine
-- that does not get it looks again. Only a run that starts now or not at all waits for it, before its transaction locks anything that others want.

-- The lock of a limit, to the end of the transaction. False: another transaction has it.
create or replace function lock_limit(of_team uuid, of_workflow uuid, of_kind text, of_key text) returns boolean
  language sql volatile
  return pg_try_advisory_xact_lock(hashtextextended(of_kind || ' ' || of_workflow::text || ' ' || of_key, 53));

create or replace function lock_limit_for_start(of_team uuid, of_workflow uuid, of_kind text, of_key text, waits boolean) returns boolean
  language plpgsql volatile
  as $$
  begin
    if waits then
      perform pg_advisory_xact_lock(hashtextextended(of_kind || ' ' || of_workflow::text || ' ' || of_key, 53));
      return true;
    end if;
    return lock_limit(of_team, of_workflow, of_kind, of_key);
  end
  $$;

-- Takes a slot, if one is free. Under the lock of the limit. The slots of a rate become free by the clock.
create or replace function take_slot(of_team uuid, of_workflow uuid, of_kind text, of_key text, max int, for_run uuid, ms bigint default null)
  returns boolean
  language plpgsql set plan_cache_mode = force_generic_plan
  as $$
  declare
    now timestamptz := db_now();
    taken int;
  begin
    if of_kind = 'rate' then
      delete from run_slot s where s.team_id = of_team and s.workflow_id = of_workflow and s.kind = of_kind and s.key = of_key and s.free_at <= now;
    end if;
    select count(*) into taken from run_slot s
    where s.team_id = of_team and s.workflow_id = of_workflow and s.kind = of_kind and s.key = of_key;
    if taken >= max then
      return false;
    end if;
    insert into run_slot (team_id, workflow_id, kind, key, slot, run_id, free_at)
    select of_team, of_workflow, of_kind, of_key, min(c.slot), for_run, case when of_kind = 'rate' then now + ms * interval '1 ms' end
    from (
      select 1 as slot
      union all
      select s.slot + 1 from run_slot s where s.team_id = of_team and s.workflow_id = of_workflow and s.kind = of_kind and s.key = of_key
    ) c
    where not exists (select from run_slot s where s.team_id = of_team and s.workflow_id = of_workflow and s.kind = of_kind and s.key = of_key
      and s.slot = c.slot)
    on conflict do nothing;
    return found;
  end
  $$;

create or replace function is_limit_awaited(of_team uuid, of_workflow uuid, of_kind text, of_key text) returns boolean
  language plpgsql volatile set plan_cache_mode = force_generic_plan
  as $$
  begin
    return exists (select from run_waiting w
      where w.team_id = of_team and w.workflow_id = of_workflow and w.kind = of_kind and w.key = of_key);
  end
  $$;

-- Who holds the slots of a limit, in words: `1 of 1 run of customer=acme is running: run ID`.
create or replace function slot_text(of_team uuid, of_workflow uuid, of_key text, label text, max int) returns text
  language plpgsql stable set plan_cache_mode = force_generic_plan
  as $$
  declare
    ids uuid[] := array(select s.run_id from run_slot s
      where s.team_id = of_team and s.workflow_id = of_workflow and s.kind = 'slot' and s.key = of_key order by s.run_id);
    taken int := cardinality(ids);
  begin
    return format('%s of %s run%s of %s %s running%s', taken, max, case when max = 1 then '' else 's' end, label,
      case when taken = 1 then 'is' else 'are' end,
      case when taken = 0 then '' else
        ': run ' || array_to_string(ids[1:3], ', ') || case when taken > 3 then format(' and %s more', taken - 3) else '' end end);
  end
  $$;

-- Asks for what a new run needs before it may be queued, in the transaction that records it. Returns `free`; what it is held for, when it is in
-- line; or `skipped: TEXT`.
create or replace function request_slot(of_team uuid, of_workflow uuid, for_run uuid, limits json) returns text
  language plpgsql set plan_cache_mode = force_generic_plan
  as $$
  declare
    l record;
    held text;
  begin
    select * into l from json_to_record(limits) as x(rank uuid, key text, label text, max int, on_limit text, rate_key text, rate_label text,
      rate_limit int, rate_ms bigint, must_start boolean);
    if l.key is not null then
      held := 'slot';
      if lock_limit_for_start(of_team, of_workflow, 'slot', l.key, l.must_start) and (l.on_limit = 'skip' or not is_limit_awaited(of_team, of_workflow, 'slot', l.key)) then
        if take_slot(of_team, of_workflow, 'slot', l.key, l.max, for_run) then
          held := null;
        elsif l.on_limit = 'skip' then
          return 'skipped: ' || slot_text(of_team, of_workflow, l.key, l.label, l.max);
        end if;
      end if;
    end if;
    if held is null and l.rate_key is not null then
      held := 'rate';
      if lock_limit_for_start(of_team, of_workflow, 'rate', l.rate_key, l.must_start) and not is_limit_awaited(of_team, of_workflow, 'rate', l.rate_key)
        and take_slot(of_team, of_workflow, 'rate', l.rate_key, l.rate_limit, for_run, l.rate_ms) then
        held := null;
      end if;
    end if;
    if held is null then
      return 'free';
    end if;
    insert into run_waiting (team_id, run_id, workflow_id, kind, key, rank, label, max, on_limit, rate_key, rate_label, rate_limit, rate_ms)
    values (of_team, for_run, of_workflow, held, case held when 'slot' then l.key else l.rate_key end, l.rank,
      coalesce(case held when 'slot' then l.label else l.rate_label end, ''), coalesce(case held when 'slot' then l.max else l.rate_limit end, 1),
      coalesce(l.on_limit, 'queue'), l.rate_key, l.rate_label, l.rate_limit, l.rate_ms);
    perform wake_limit(of_team, of_workflow, held, case held when 'slot' then l.key else l.rate_key end, db_now());
    return held;
  end
  $$;

-- An engine will look at the limit then.
create or replace function wake_limit(of_team uuid, of_workflow uuid, of_kind text, of_key text, at timestamptz) returns void
  language plpgsql set plan_cache_mode = force_generic_plan
  as $$
  begin
    insert into run_wake (team_id, workflow_id, kind, key, due_at) values (of_team, of_workflow, of_kind, of_key, at);
  end
  $$;

-- The run is over, or its row is gone.
create or replace function release_slot() returns trigger
  language plpgsql set plan_cache_mode = force_generic_plan
  as $$
  declare
    of_run record;
    freed record;
  begin
    if tg_op = 'INSERT' then
      of_run := new;
    else
      of_run := old;
    end if;
    delete from run_waiting w where w.team_id = of_run.team_id and w.run_id = of_run.id;
    if of_run.held_for = 'events' then
      perform end_collection(of_run.team_id, of_run.id, tg_op = 'UPDATE');
    end if;
    delete from run_slot s where s.team_id = of_run.team_id and s.run_id = of_run.id and s.kind = 'slot'
    returning s.team_id, s.workflow_id, s.kind, s.key into freed;
    if not found then
      return null;
    end if;
    -- Under the lock nobody joins the line unseen: who decides about this limit next sees the free slot.
    if lock_limit(freed.team_id, freed.workflow_id, freed.kind, freed.key) then
      if not is_limit_awaited(freed.team_id, freed.workflow_id, freed.kind, freed.key) then
        return null;
      end if;
    end if;
    perform wake_limit(freed.team_id, freed.workflow_id, freed.kind, freed.key, db_now());
    return null;
  end
  $$;
