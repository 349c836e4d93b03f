-- Who arranged that runs start by themselves: wrote or changed a schedule, made the secret that webhooks are signed with. Such a run is theirs
-- where it matters that people do not approve their own runs. Not a part of the schedule or the secret, because it must outlive both: a run that
-- waits for an approval stays the run of the person who has deleted its schedule since.
create table start_author (
  team_id uuid not null references team on delete cascade,
  kind text not null check (kind in ('schedule', 'webhook')),
  ref uuid not null, -- the schedule; of a webhook the workflow
  user_id uuid not null,
  primary key (team_id, kind, ref, user_id)
);

-- As far as the audit knows.
insert into start_author (team_id, kind, ref, user_id)
select a.team_id, 'schedule', a.object_id::uuid, unnest(people_of(a.principal_id))
from audit a join team t on t.id = a.team_id
where a.object_kind = 'schedule' and a.object_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
union
select a.team_id, 'webhook', a.object_id::uuid, unnest(people_of(a.principal_id))
from audit a join team t on t.id = a.team_id
where a.object_kind = 'workflow' and a.after ->> 'webhookSecret' = 'made' and a.object_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
on conflict do nothing;

-- Where a run comes from: the principal who started it, or the outermost run that it goes back to, and the workflow of that one.
create function origin_of_run(of_team uuid, of_run uuid, out requester text, out workflow uuid)
  language plpgsql stable
  as $$
  declare
    parent uuid := of_run;
  begin
    while parent is not null loop
      select r.initiated_by, r.workflow_id,
             case when r.initiated_by like 'run:%' then coalesce(r.parent_run_id, (
               select s.cause_run_id from outcome_start s where s.team_id = r.team_id and s.run_id in (r.id, r.retry_of) limit 1)) end
      into requester, workflow, parent
      from run r where r.team_id = of_team and r.id = parent;
    end loop;
  end
  $$;

-- As before (000017).
create or replace function requester_of_run(of_team uuid, of_run uuid) returns text
  language plpgsql stable
  as $$
  begin
    return (select o.requester from origin_of_run(of_team, of_run) o);
  end
  $$;

-- The people whose run it is: behind the principal who started it, or behind the schedule or the webhook that did.
create function people_of_run(of_team uuid, of_run uuid) returns uuid[]
  language plpgsql stable
  as $$
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
  $$;
