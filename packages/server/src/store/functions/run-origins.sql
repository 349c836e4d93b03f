-- Who or what started a run, in the parts that people are shown (core/run/lineage.ts tells what is stored).
create or replace function initiator_type(stored text) returns text
  language sql immutable strict
  return case split_part(stored, ':', 1)
    when 'user' then 'user' when 'token' then 'token' when 'schedule' then 'schedule' when 'run' then 'workflow' else 'instance' end;

create or replace function initiator_ref(stored text) returns text
  language sql immutable strict
  return nullif(split_part(stored, ':', 2), '');

-- The same as a uuid; null where it is none. The planner may evaluate it for a text of any form, so it guards its own cast.
create or replace function initiator_id(stored text) returns uuid
  language sql immutable strict
  return case when initiator_ref(stored) ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then initiator_ref(stored)::uuid end;

-- Its name now: null when it is gone. In PL/pgSQL, which keeps its plans: events of runs call it once a row.
create or replace function initiator_name(of_team uuid, stored text) returns text
  language plpgsql stable strict set plan_cache_mode to force_generic_plan as $$
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
      where r.id = initiator_id(stored) and (r.team_id = of_team) is true; -- see apply_run_changes
    end if;
    return found_name;
  end
$$;

-- Where a run comes from: the principal who started it, or the outermost run that it goes back to, and the workflow of that one. What it goes back
-- to may be removed already; the run then knows it by itself (keep_origin).
create or replace function origin_of_run(of_team uuid, of_run uuid, out requester text, out workflow uuid)
  language plpgsql stable
  as $$
  declare
    cause uuid := of_run;
    known record;
  begin
    while cause is not null loop
      select coalesce(r.origin_requester, r.initiated_by) as requester, coalesce(r.origin_workflow_id, r.workflow_id) as workflow,
             case when r.origin_requester is null and r.initiated_by like 'run:%' then initiator_id(r.initiated_by) end as cause
      into known from run r where r.id = cause and (r.team_id = of_team) is true;
      exit when not found;
      requester := known.requester;
      workflow := known.workflow;
      cause := known.cause;
    end loop;
  end
  $$;

-- Whose run it is must outlive the run that started it. Otherwise people could approve what they have started once their own run was removed,
-- with its workflow or for its age. A retry of a run is started by whatever started the original, which may be gone by then. For the same
-- reason a run keeps who has changed the one that started it.
create or replace function keep_origin() returns trigger
  language plpgsql
  as $$
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
    new.amended_by := array(
      select unnest(new.amended_by)
      union select unnest(r.amended_by) from run r where r.id = initiator_id(new.initiated_by) and (r.team_id = new.team_id) is true);
    return new;
  end
  $$;

-- Who started a run: `user:<id>`, `token:<id>`, a schedule or an event; for a child run, who started the run that it comes from.
-- A run that another one's end has started goes back to who started that one.
create or replace function requester_of_run(of_team uuid, of_run uuid) returns text
  language plpgsql stable
  as $$
  begin
    return (select o.requester from origin_of_run(of_team, of_run) o);
  end
  $$;

-- The principals whose run it is: that one, and those who changed the run, or one that it comes from, while it was queued.
create or replace function requesters_of_run(of_team uuid, of_run uuid) returns text[]
  language plpgsql stable
  as $$
  begin
    return array_remove(requester_of_run(of_team, of_run)
      || (select r.amended_by from run r where r.id = of_run and (r.team_id = of_team) is true), null);
  end
  $$;

-- With one more workflow at its end, each named once: a workflow that schedules itself every day has a short lineage.
create or replace function lineage_after(lineage uuid[], workflow uuid) returns uuid[]
  language sql immutable parallel safe
  return case when workflow = any(lineage) then lineage else array_append(lineage, workflow) end;
