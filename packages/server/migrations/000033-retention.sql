-- For how many days a team keeps its history, by kind, where that is less than the instance's (core/history/retention.ts).
alter table team add column retention jsonb not null default '{}'::jsonb;

-- The removal of history: one row, made by the first process that looks for it (store/history/history-removal.ts).
create table history_removal (
  is_only boolean primary key default true check (is_only),
  due_at timestamptz(3) not null, -- the next one
  begun_at timestamptz(3),
  noted_at timestamptz(3), -- when the process that removes was last known to be at it
  ended_at timestamptz(3),
  removed json not null default '{}',
  leaving_months text[] not null default '{}' -- months of runs, as 202601, of which a part may be gone already
);

-- When an id was made: the time that id_floor() was given.
create function id_date(id uuid) returns timestamptz
  language sql immutable strict parallel safe
  as $$
    select to_timestamp((('x' || lpad(substr(replace(id::text, '-', ''), 1, 12), 16, '0'))::bit(64)::bigint) / 1000.0)
  $$;

-- Deliveries of a team that are over, oldest first: a team may keep them for a shorter time than the instance does.
create index delivery_team_ended on delivery (team_id, ended_at) where ended_at is not null;

-- Whose run it is must outlive the run that started it. Otherwise people could approve what they have started once their own run was removed,
-- with its workflow or for its age.
alter table run add column origin_requester text, add column origin_workflow_id uuid;

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
      into known from run r where r.team_id = of_team and r.id = cause;
      exit when not found;
      requester := known.requester;
      workflow := known.workflow;
      cause := known.cause;
    end loop;
  end
  $$;

-- A retry of a run is started by whatever started the original, which may be gone by then.
create function keep_origin() returns trigger
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
    return new;
  end
  $$;
create trigger run_origin before insert on run for each row when (new.initiated_by like 'run:%') execute function keep_origin();

update run r set origin_requester = o.requester, origin_workflow_id = o.workflow
from (
  select q.team_id, q.id, origin.requester, origin.workflow from run q cross join lateral origin_of_run(q.team_id, q.id) origin
  where q.phase in ('pending', 'queued', 'running') and q.initiated_by like 'run:%'
) o
where r.team_id = o.team_id and r.id = o.id and o.requester not like 'run:%';
