-- Gives places: locks each team that has work and room, counts its active runs, and takes first the runs that have something to do again,
-- then those that have not begun, by their rank (which is their age, and their priority), without those that are held (run-slots.sql). Runs that others wait for begin without a place where there is none, so that nobody waits
-- for the place of who waits for him; a task of theirs then waits for a place as any other. The rows stay locked: the caller starts the runs in
-- the same transaction. With "is_unlimited" (the feature teamQuotas is off) every team has room.
create or replace function claim_active_runs(wanted int, default_concurrent int, is_unlimited boolean default false)
returns table (team_id uuid, id uuid, is_new boolean, has_place boolean)
language plpgsql set plan_cache_mode to force_generic_plan as $$
  declare
    candidate uuid;
    room int;
    taken int;
    total int;
    remaining int := wanted;
  begin
    for candidate in
      select rt.team_id from ready_team rt
      where exists (select from run q where q.team_id = rt.team_id and q.phase in ('pending', 'queued') and q.held_for is null)
        or exists (select from run q where q.team_id = rt.team_id and q.activity = 'wanted')
      order by rt.last_claim_at
    loop
      exit when remaining <= 0;
      select case when is_unlimited then 2147483647 else coalesce(t.max_concurrent_runs, default_concurrent) end into room
      from team t where t.id = candidate and t.deleted_at is null and t.status = 'active' for no key update skip locked;
      continue when not found;
      select greatest(room - count(*), 0) into room from run r where r.team_id = candidate and r.activity = 'active';
      total := 0;

      return query
        select q.team_id, q.id, false, true from run q
        where q.team_id = candidate and q.activity = 'wanted'
        order by q.id limit least(room, remaining) for update skip locked;
      get diagnostics taken = row_count;
      total := total + taken;
      room := room - taken;

      return query
        select c.team_id, c.id, true, row_number() over (order by c.id) <= room
        from (
          select q.team_id, q.id from run q
          where q.team_id = candidate and q.phase in ('pending', 'queued') and q.held_for is null and q.parent_task_run_id is not null
          order by q.id limit remaining - total for update skip locked) as c;
      get diagnostics taken = row_count;
      total := total + taken;
      room := greatest(room - taken, 0);

      return query
        select q.team_id, q.id, true, true from run q
        where q.team_id = candidate and q.phase in ('pending', 'queued') and q.held_for is null and q.parent_task_run_id is null
        order by coalesce(q.queue_rank, q.id), q.id limit least(room, remaining - total) for update skip locked;
      get diagnostics taken = row_count;
      total := total + taken;

      remaining := remaining - total;
      if total > 0 then
        update ready_team rt set last_claim_at = db_now(), last_work_at = db_now()
        where rt.team_id = (select seen.team_id from ready_team seen where seen.team_id = candidate for update skip locked);
      end if;
    end loop;
  end
$$;

-- For processes of the version before claim_active_runs, beside which this one may run for a while.
-- Takes queued runs of teams that have room, oldest first, least recently served team first. The rows stay locked: the caller
-- starts them in the same transaction. Room is counted from the runs that are running, under the team's lock, in the claim itself.
-- A child that its parent waits for has its parent's place: it needs no room, and comes before what does.
create or replace function claim_queued_runs(wanted int, default_concurrent int, is_unlimited boolean default false) returns table (team_id uuid, id uuid)
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
      where exists (select from run q where q.team_id = rt.team_id and q.phase in ('pending', 'queued') and q.held_for is null)
      order by rt.last_claim_at
    loop
      exit when remaining <= 0;
      select case when is_unlimited then 2147483647 else coalesce(t.max_concurrent_runs, default_concurrent) end into room
      from team t where t.id = candidate and t.deleted_at is null and t.status = 'active' for no key update skip locked;
      continue when not found;
      return query
        select q.team_id, q.id from run q
        where q.team_id = candidate and q.phase in ('pending', 'queued') and q.held_for is null and q.parent_task_run_id is not null
        order by q.id limit remaining for update skip locked;
      get diagnostics taken = row_count;
      select room - count(*) into room from run r
      where r.team_id = candidate and r.phase = 'running' and r.parent_task_run_id is null;
      if least(room, remaining - taken) > 0 then
        return query
          select q.team_id, q.id from run q
          where q.team_id = candidate and q.phase in ('pending', 'queued') and q.held_for is null and q.parent_task_run_id is null
          order by coalesce(q.queue_rank, q.id), q.id limit least(room, remaining - taken) for update skip locked;
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
