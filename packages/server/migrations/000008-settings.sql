-- Settings: which state is newer, when a group was changed last, and runs without quotas.

-- Counts the changes of settings: a process that keeps them in memory tells by it which of two states is the newer one.
-- Locking the row puts changes in order.
alter table instance add column settings_revision bigint not null default 0;

-- A setting that is back at its default has no row in `setting`; that it was changed is still known here.
create table setting_group (
  key text primary key,
  changed_at timestamptz(3) not null default db_now()
);

-- As before, and with `is_unlimited` (the feature teamQuotas is off) every team has room. The third argument has a default, so that
-- processes of the version before go on calling it with two.
drop function claim_queued_runs(int, int);
create function claim_queued_runs(wanted int, default_concurrent int, is_unlimited boolean default false) returns table (team_id uuid, id uuid)
  language plpgsql
  set plan_cache_mode = force_generic_plan
  as $$
  declare
    candidate uuid;
    room int;
    taken int;
    more int;
    remaining int := wanted;
  begin
    for candidate in
      select rt.team_id from ready_team rt
      where exists (select from run q where q.team_id = rt.team_id and q.phase in ('pending', 'queued'))
      order by rt.last_claim_at
    loop
      exit when remaining <= 0;
      select case when is_unlimited then 2147483647 else coalesce(t.max_concurrent_runs, default_concurrent) end into room
      from team t where t.id = candidate and t.deleted_at is null and t.status = 'active' for no key update skip locked;
      continue when not found;
      return query
        select q.team_id, q.id from run q
        where q.team_id = candidate and q.phase in ('pending', 'queued') and q.parent_task_run_id is not null
        order by q.id limit remaining for update skip locked;
      get diagnostics taken = row_count;
      select room - count(*) into room from run r
      where r.team_id = candidate and r.phase = 'running' and r.parent_task_run_id is null;
      if least(room, remaining - taken) > 0 then
        return query
          select q.team_id, q.id from run q
          where q.team_id = candidate and q.phase in ('pending', 'queued') and q.parent_task_run_id is null
          order by q.id limit least(room, remaining - taken) for update skip locked;
        get diagnostics more = row_count;
        taken := taken + more;
      end if;
      remaining := remaining - taken;
      if taken > 0 then
        update ready_team rt set last_claim_at = db_now(), last_work_at = db_now()
        where rt.team_id = (select seen.team_id from ready_team seen where seen.team_id = candidate for update skip locked);
      end if;
    end loop;
  end
  $$;
