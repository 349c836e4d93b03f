-- Lets runs that wait for a limit go on (run-slots.sql). What has to be looked at is in run_wake: a row is added with whatever may let a run go on, in
-- the same transaction, and deleted with the look that comes after it. So no look is lost, and none is needed without one.
-- Returns how many limits were looked at.
create or replace function admit_waiting(most int) returns int
  language plpgsql set plan_cache_mode = force_generic_plan
  as $$
  declare
    l record;
    seen int := 0;
  begin
    for l in
      select distinct d.team_id, d.workflow_id, d.kind, d.key
      from (select * from run_wake w where w.due_at <= (select db_now()) order by w.due_at limit most) d
    loop
      continue when not lock_limit(l.team_id, l.workflow_id, l.kind, l.key);
      delete from run_wake w
      where w.team_id = l.team_id and w.workflow_id = l.workflow_id and w.kind = l.kind and w.key = l.key and w.due_at <= (select db_now());
      if l.kind = 'events' then
        perform admit_collection(l.team_id, l.workflow_id, l.key);
      else
        perform admit_waiting_for(l.team_id, l.workflow_id, l.kind, l.key);
      end if;
      seen := seen + 1;
    end loop;
    return seen;
  end
  $$;

-- Under the lock of the limit. It waits for no other lock: what another transaction has is looked at again.
create or replace function admit_waiting_for(of_team uuid, of_workflow uuid, of_kind text, of_key text) returns void
  language plpgsql set plan_cache_mode = force_generic_plan
  as $$
  declare
    w record;
    retry_at timestamptz;
    is_empty boolean := false;
  begin
    if of_kind = 'slot' then
      perform cancel_oldest(of_team, of_workflow, of_key);
    end if;
    for i in 1..101 loop
      if i = 101 then
        retry_at := db_now();
        exit;
      end if;
      select * into w from run_waiting x
      where x.team_id = of_team and x.workflow_id = of_workflow and x.kind = of_kind and x.key = of_key
      order by x.rank, x.run_id limit 1 for update skip locked;
      is_empty := not found;
      exit when is_empty;
      if not exists (select from run r where r.id = w.run_id and (r.team_id = of_team) is true) then
        delete from run_waiting x where x.team_id = of_team and x.run_id = w.run_id;
        continue;
      end if;
      perform from run r where r.id = w.run_id and (r.team_id = of_team) is true for no key update skip locked;
      if not found then
        retry_at := db_now() + interval '50 ms';
        exit;
      end if;
      if of_kind = 'slot' then
        if not take_slot(of_team, of_workflow, 'slot', of_key, w.max, w.run_id) then
          exit when w.on_limit <> 'skip';
          insert into run_signal (team_id, run_id, kind, data) values (of_team, w.run_id, 'cancel',
            json_build_object('reason', 'Skipped', 'message', 'Skipped: ' || slot_text(of_team, of_workflow, of_key, w.label, w.max)));
          delete from run_waiting x where x.team_id = of_team and x.run_id = w.run_id;
          continue;
        end if;
        if w.rate_key is not null then
          update run_waiting x set kind = 'rate', key = w.rate_key, label = w.rate_label, max = w.rate_limit
          where x.team_id = of_team and x.run_id = w.run_id;
          update run r set held_for = 'rate' where r.id = w.run_id and (r.team_id = of_team) is true;
          perform wake_limit(of_team, of_workflow, 'rate', w.rate_key, db_now());
          continue;
        end if;
      elsif not take_slot(of_team, of_workflow, 'rate', of_key, w.rate_limit, w.run_id, w.rate_ms) then
        select min(s.free_at) into retry_at from run_slot s
        where s.team_id = of_team and s.workflow_id = of_workflow and s.kind = 'rate' and s.key = of_key;
        exit;
      end if;
      delete from run_waiting x where x.team_id = of_team and x.run_id = w.run_id;
      update run r set held_for = null where r.id = w.run_id and (r.team_id = of_team) is true;
      perform note_work(array[of_team]);
    end loop;
    -- A row that another transaction was about to delete, and then did not, must not be forgotten.
    if is_empty and is_limit_awaited(of_team, of_workflow, of_kind, of_key) then
      retry_at := db_now() + interval '50 ms';
    end if;
    if retry_at is not null and not exists (select from run_wake x
      where x.team_id = of_team and x.workflow_id = of_workflow and x.kind = of_kind and x.key = of_key and x.due_at <= retry_at) then
      perform wake_limit(of_team, of_workflow, of_kind, of_key, retry_at);
    end if;
  end
  $$;

-- For runs in line that cancel older ones: the oldest that run are cancelled, then the oldest in line, until there are no more than the limit.
create or replace function cancel_oldest(of_team uuid, of_workflow uuid, of_key text) returns void
  language plpgsql set plan_cache_mode = force_generic_plan
  as $$
  declare
    newest record;
  begin
    select * into newest from run_waiting x
    where x.team_id = of_team and x.workflow_id = of_workflow and x.kind = 'slot' and x.key = of_key and x.on_limit = 'cancelOldest'
    order by x.run_id desc limit 1;
    if not found then
      return;
    end if;
    insert into run_signal (team_id, run_id, kind, data)
    select of_team, o.run_id, 'cancel', json_build_object('reason', 'Superseded', 'sparesHandlers', true, 'message',
      format('Cancelled for the newer run %s: at most %s of %s may run', newest.run_id, newest.max, newest.label))
    from (
      select a.run_id, row_number() over (order by a.is_waiting, a.run_id) as place, count(*) over () as total
      from (
        select s.run_id, false as is_waiting from run_slot s
        where s.team_id = of_team and s.workflow_id = of_workflow and s.kind = 'slot' and s.key = of_key
        union all
        select x.run_id, true from run_waiting x
        where x.team_id = of_team and x.workflow_id = of_workflow and x.kind = 'slot' and x.key = of_key
      ) a
    ) o
    where o.place <= o.total - newest.max and o.run_id <> newest.run_id
      and not exists (select from run_signal s where s.team_id = of_team and s.run_id = o.run_id and s.kind = 'cancel');
  end
  $$;
