-- Events that are collected into one run (docs/concurrency.md). The run is recorded with its first event, and held for `events`; its row of
-- run_collection says until when. Who adds an event to a key, or opens a run for it, holds the advisory lock of the key, so events of a key come
-- one after the other. The locks are taken in one order: the key, the run, the collection. So whatever ends a run has it before the collection, too.

-- Adds an event to the run of its key that takes events, and returns the run and when it was created; null: there is none, and the caller opens one.
-- A run whose time has come, that has no room for the event, or that is of another version, is let go first. Room is for what its row names, too:
-- who sent the events, and the workflows that led to them. Every event would rewrite a longer row.
create or replace function join_collection(of_team uuid, of_workflow uuid, of_key text, event json) returns json
  language plpgsql set plan_cache_mode = force_generic_plan
  as $$
  declare
    e record;
    c record;
    created timestamptz;
  begin
    select * into e from json_to_record(event) as x(version uuid, kind text, param text, size int, ms bigint, payload json, max_bytes bigint,
      by_whom text, lineage uuid[]);
    perform pg_advisory_xact_lock(collection_lock(of_workflow, of_key));
    select * into c from run_collection x where x.team_id = of_team and x.workflow_id = of_workflow and x.key = of_key;
    if not found then
      return null;
    end if;
    select r.created_at into created from run r
    where r.id = c.run_id and (r.team_id = of_team) is true and r.held_for = 'events' and r.phase in ('pending', 'queued') for no key update;
    if not found then
      delete from run_collection x where x.team_id = of_team and x.run_id = c.run_id;
      delete from run_collected x where x.team_id = of_team and x.run_id = c.run_id;
      return null;
    end if;
    -- The lock was another's until now, who may have let it go.
    if not exists (select from run_collection x where x.team_id = of_team and x.run_id = c.run_id) then
      return null;
    end if;
    if c.due_at <= db_now() or c.workflow_version_id <> e.version
      or c.bytes + coalesce(octet_length(e.payload::text) + 1, 0) > e.max_bytes or not has_room_for_sender(of_team, c.run_id, e.by_whom, e.lineage) then
      perform let_collection_go(of_team, c.run_id);
      return null;
    end if;
    update run_collection x set events = x.events + 1, bytes = x.bytes + coalesce(octet_length(e.payload::text) + 1, 0),
      due_at = case when x.kind = 'debounce' then least(db_now() + e.ms * interval '1 ms', x.last_at) else x.due_at end
    where x.team_id = of_team and x.run_id = c.run_id
    returning * into c;
    update run r set
      amended_by = case when e.by_whom is null then r.amended_by else array_append(array_remove(r.amended_by, e.by_whom), e.by_whom) end,
      lineage = r.lineage || array(select l from unnest(e.lineage) l where l <> all (r.lineage))
    where r.id = c.run_id and (r.team_id = of_team) is true
      and (r.initiated_by is distinct from e.by_whom and e.by_whom <> all (r.amended_by) or not e.lineage <@ r.lineage);
    if c.kind = 'batch' then
      insert into run_collected (team_id, run_id, place, payload) values (of_team, c.run_id, c.events, e.payload);
      if c.events >= c.size then
        perform let_collection_go(of_team, c.run_id);
      end if;
    end if;
    return json_build_object('runId', c.run_id, 'createdAt', iso_time(created));
  end
  $$;

-- At most 200 senders, and 100 workflows that led to the run.
create or replace function has_room_for_sender(of_team uuid, of_run uuid, by_whom text, of_lineage uuid[]) returns boolean
  language plpgsql stable set plan_cache_mode = force_generic_plan
  as $$
  declare
    r record;
  begin
    select x.amended_by, x.lineage into r from run x where x.team_id = of_team and x.id = of_run;
    return (by_whom is null or by_whom = any (r.amended_by) or cardinality(r.amended_by) < 200)
      and (of_lineage <@ r.lineage or cardinality(r.lineage || of_lineage) <= 100);
  end
  $$;

-- Opens the collection of a run that was recorded in this transaction, after join_collection has returned null.
create or replace function open_collection(of_team uuid, of_workflow uuid, of_key text, for_run uuid, event json) returns void
  language plpgsql set plan_cache_mode = force_generic_plan
  as $$
  declare
    e record;
    now timestamptz := db_now();
  begin
    select * into e from json_to_record(event) as x(version uuid, kind text, param text, size int, ms bigint, last_ms bigint, payload json, limits json);
    insert into run_collection (team_id, workflow_id, key, run_id, workflow_version_id, kind, param, size, bytes, limits, due_at, last_at)
    values (of_team, of_workflow, of_key, for_run, e.version, e.kind, e.param, e.size, coalesce(octet_length(e.payload::text) + 2, 0), e.limits,
      now + least(e.ms, e.last_ms) * interval '1 ms', now + e.last_ms * interval '1 ms');
    if e.kind = 'batch' then
      insert into run_collected (team_id, run_id, place, payload) values (of_team, for_run, 1, e.payload);
    end if;
    perform wake_limit(of_team, of_workflow, 'events', of_key, now + least(e.ms, e.last_ms) * interval '1 ms');
    if e.size = 1 then
      perform let_collection_go(of_team, for_run);
    end if;
  end
  $$;

-- The lock of limits, for the kind `events` (lock_limit). Who adds an event waits for it, since no event is lost; an engine does not.
create or replace function collection_lock(of_workflow uuid, of_key text) returns bigint
  language sql immutable
  return hashtextextended('events ' || of_workflow::text || ' ' || of_key, 53);

-- The looks that were to come for a key that collects no more; otherwise each run of a busy key would leave one for its whole period. One that
-- another transaction takes is left to it. The next run of the key adds its own after this transaction, since the key is free then.
create or replace function forget_looks(of_team uuid, of_workflow uuid, of_key text) returns void
  language plpgsql set plan_cache_mode = force_generic_plan
  as $$
  begin
    delete from run_wake w where w.id in (
      select x.id from run_wake x
      where x.team_id = of_team and x.workflow_id = of_workflow and x.kind = 'events' and x.key = of_key and x.due_at > db_now() for update skip locked);
  end
  $$;

-- The run takes no more events, and asks for what any other run asks for. Under the lock of the run. False: it took none any more.
create or replace function let_collection_go(of_team uuid, of_run uuid) returns boolean
  language plpgsql set plan_cache_mode = force_generic_plan
  as $$
  declare
    c record;
    answer text := 'free';
  begin
    delete from run_collection x where x.team_id = of_team and x.run_id = of_run returning * into c;
    if not found then
      return false;
    end if;
    perform forget_looks(of_team, c.workflow_id, c.key);
    if c.kind = 'batch' then
      perform fill_batch(of_team, of_run, c.param);
    end if;
    if c.limits is not null then
      answer := request_slot(of_team, c.workflow_id, of_run, c.limits);
    end if;
    if answer like 'skipped: %' then
      insert into run_signal (team_id, run_id, kind, data)
      values (of_team, of_run, 'cancel', json_build_object('reason', 'Skipped', 'message', 'S' || substr(answer, 2)));
      return true;
    end if;
    update run r set held_for = nullif(answer, 'free'), slot_key = c.limits->>'key', state_version = r.state_version + 1
    where r.id = of_run and (r.team_id = of_team) is true;
    perform note_work(array[of_team]);
    return true;
  end
  $$;

-- The run is over before it began, or its row is gone. One that is over keeps its list: it can be retried.
create or replace function end_collection(of_team uuid, of_run uuid, keeps_list boolean) returns void
  language plpgsql set plan_cache_mode = force_generic_plan
  as $$
  declare
    c record;
  begin
    delete from run_collection x where x.team_id = of_team and x.run_id = of_run returning * into c;
    if found then
      perform forget_looks(of_team, c.workflow_id, c.key);
    end if;
    if c.kind = 'batch' and keeps_list then
      perform fill_batch(of_team, of_run, c.param);
    else
      delete from run_collected d where d.team_id = of_team and d.run_id = of_run;
    end if;
  end
  $$;

-- Writes the list of a batch into the parameter of its run. Events of debounce leave nothing to write.
create or replace function fill_batch(of_team uuid, of_run uuid, param text) returns void
  language plpgsql set plan_cache_mode = force_generic_plan
  as $$
  declare
    list json;
  begin
    select json_agg(d.payload order by d.place) into list from run_collected d where d.team_id = of_team and d.run_id = of_run;
    delete from run_collected d where d.team_id = of_team and d.run_id = of_run;
    update run r set
      params = (select json_agg(case when p.value->>'name' = param then json_build_object('name', param, 'value', list) else p.value end order by p.place)
        from json_array_elements(r.params) with ordinality as p(value, place)),
      layers = (select json_object_agg(l.key, case when l.key = 'workflow'
          then (select json_object_agg(w.key, case when w.key = param then list else w.value end) from json_each(l.value) w) else l.value end)
        from json_each(r.layers) l)
    where r.id = of_run and (r.team_id = of_team) is true;
    insert into run_search_due (team_id, run_id) values (of_team, of_run);
  end
  $$;

-- Under the lock of the key. It waits for no other lock.
create or replace function admit_collection(of_team uuid, of_workflow uuid, of_key text) returns void
  language plpgsql set plan_cache_mode = force_generic_plan
  as $$
  declare
    c record;
  begin
    select * into c from run_collection x where x.team_id = of_team and x.workflow_id = of_workflow and x.key = of_key;
    if not found then
      return;
    end if;
    if c.due_at > db_now() then
      if not exists (select from run_wake w where w.team_id = of_team and w.workflow_id = of_workflow and w.kind = 'events' and w.key = of_key
        and w.due_at <= c.due_at) then
        perform wake_limit(of_team, of_workflow, 'events', of_key, c.due_at);
      end if;
      return;
    end if;
    perform from run r where r.id = c.run_id and (r.team_id = of_team) is true for no key update skip locked;
    if found then
      perform let_collection_go(of_team, c.run_id);
    elsif exists (select from run r where r.id = c.run_id and (r.team_id = of_team) is true) then
      perform wake_limit(of_team, of_workflow, 'events', of_key, db_now() + interval '50 ms');
    end if;
  end
  $$;
