-- Workers archive workspaces in a store after each task (MILLRACE_WORKSPACE_STORE) and restore them on another machine when the one with the folder is
-- gone. Until a worker claims it, such a workspace has the place 'store'; only workers with the store claim the tasks that wait for it.

-- Which archive has the content of a workspace. Without a row only its folder has it.
create table workspace_archive (
  team_id uuid not null,                          -- no references, as workspace_place
  owner_id uuid not null,                         -- a run or a workflow
  state text not null check (state in ('empty', 'local', 'stored')), -- no task has finished in it; the store lacks changes of finished tasks; the archive has all of them
  from_at timestamptz(3) not null default db_now(), -- tasks that finished before are covered by the state
  archive_key text,                                  -- of the object in the store
  archive_sha256 text,
  archive_bytes bigint,
  archive_place text,                                   -- the place it was archived in
  archive_fingerprint text,                          -- of the folder in that place (archives/pack-tree.ts)
  is_restored boolean not null default true,       -- false: must be restored before a task uses it
  primary key (team_id, owner_id),
  constraint workspace_archive_stored_check check (state <> 'stored' or archive_key is not null and archive_sha256 is not null)
);

-- As before (000028). Workspaces in the store go to where other workspaces of the run are, if any.
create or replace function find_place(team uuid, owners uuid[], need text) returns text
  language plpgsql stable
  set plan_cache_mode = force_generic_plan
  as $$
  declare
    folder text;
    image text;
  begin
    select coalesce(min(w.place) filter (where w.kind = 'folder' and w.place <> 'store'), min(w.place) filter (where w.kind = 'folder')),
           coalesce(min(w.place) filter (where w.kind = 'image' and w.place <> 'store'), min(w.place) filter (where w.kind = 'image'))
    into folder, image
    from workspace_place w where w.team_id = team and w.owner_id = any(owners);
    if need = 'kubernetes' then
      return case when image is not null then 'cluster' end;
    elsif need <> 'image' then
      return folder;
    end if;
    return coalesce(image, (select folder where folder = 'store' or exists (select from worker v where v.place = folder and 'container' = any(v.configured))));
  end
  $$;

-- As before (000028), and moves workspaces from the store to the place of the claimer; not to the cluster, whose volumes are not restored.
drop function take_workspaces(uuid, uuid, text, text);
create function take_workspaces(team uuid, run_of_task uuid, need text, mine text, has_store boolean) returns text
  language plpgsql
  set plan_cache_mode = force_generic_plan
  as $$
  declare
    of_workflow uuid;
    all_owners uuid[];
    found_place text;
    owner uuid;
  begin
    select r.workflow_id, workspace_owners(r.workspaces, r.id, r.workflow_id) into of_workflow, all_owners
    from run r where r.team_id = team and r.id = run_of_task;
    found_place := find_place(team, all_owners, need);
    if mine = '' or found_place is not null and (found_place <> 'store' or mine = 'cluster' or not has_store) then
      return found_place;
    end if;
    foreach owner in array coalesce(all_owners, '{}') loop
      if not pg_try_advisory_xact_lock(hashtextextended('workspaces of ' || owner, 0)) then
        return null;
      end if;
    end loop;
    found_place := find_place(team, all_owners, need);
    if found_place = 'store' then
      update workspace_place w set place = mine, taken_at = db_now()
      where w.team_id = team and w.owner_id = any(all_owners) and w.place = 'store';
      found_place := mine;
    end if;
    found_place := coalesce(found_place, mine);
    if found_place = mine then
      with made as (
        insert into workspace_place (team_id, owner_id, kind, scope, place)
        select team, o.id, k.kind, case when o.id = of_workflow then 'workflow' else 'workflowrun' end, mine
        from unnest(all_owners) as o(id), unnest(case
          when need = 'process' then array['folder']
          when mine = 'cluster' then array['image']
          else array['folder', 'image'] end) as k(kind)
        on conflict do nothing
        returning owner_id, workspace_place.scope
      )
      -- The folder of a run is new; that of a workflow may be older than its first row here.
      insert into workspace_archive (team_id, owner_id, state)
      select distinct team, m.owner_id, 'empty' from made m
      where has_store and mine <> 'cluster' and m.scope = 'workflowrun'
        and not exists (select from workspace_place w where w.team_id = team and w.owner_id = m.owner_id) -- as it was before this statement
      on conflict do nothing;
    end if;
    return found_place;
  end
  $$;

-- As before (000028). "places" may end with 'store', which belongs to none of the needs: the claimer can restore workspaces.
create or replace function claim_task_runs(claimer uuid, wanted int, can_run text[], labels text[], reserved int default 0, places text[] default '{}')
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
    list text;
    lists text[];
    task record;
    goes_to text;
    decided uuid[];
    is_more boolean;
    in_all int;
  begin
    if is_shared then
      perform pg_advisory_xact_lock(hashtextextended('slots of worker ' || claimer, 0));
    end if;
    select w.slots into all_slots from worker w where w.id = claimer and w.lease_until > db_now();
    if not found then
      return;
    end if;
    for candidate in
      -- The order has it read one row of the index for each team; "exists" may read the whole table when much is waiting.
      select rt.team_id from ready_team rt
      cross join lateral (select 1 from task_run q where q.team_id = rt.team_id and q.claimable_at is not null
                          order by q.place, q.claimable_at, q.id limit 1) waiting
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
      -- The oldest work first, wherever it must go; most teams have none with workspaces.
      lists := array[''];
      if (select q.place from task_run q where q.team_id = candidate and q.place > '' and q.claimable_at is not null
          order by q.place, q.claimable_at, q.id limit 1) is not null then -- the order has it read the index
        select array_agg(head.place order by head.at, head.place) into lists
        from (select p.place, (select q.claimable_at from task_run q where q.team_id = candidate and q.place = p.place and q.claimable_at is not null
                               order by q.claimable_at, q.id limit 1) as at
              from (select '' as place union select '?' union select unnest(places)) p) head
        where head.at is not null;
      end if;
      in_all := 0;
      foreach list in array coalesce(lists, '{}') loop
        exit when room <= 0;
        if list not in ('?', 'store') then
          return query
            update task_run t
            set status = 'running', phase = 'running', attempt = t.attempt + 1, claimable_at = null, worker_id = claimer, reason = null, status_message = null,
                started_at = moment.at, deadline_at = moment.at + make_interval(mins => t.timeout_minutes),
                due_at = moment.at + make_interval(mins => t.timeout_minutes)
            from (select db_now() as at) moment,
                 (select q.id from task_run q
                  where q.team_id = candidate and q.place = list and q.claimable_at is not null and q.executor = any(can_run) and q.runs_on <@ labels
                    and (list = '' or exists (select from unnest(can_run, places) as c(need, place) where c.need = q.executor and c.place = list))
                  order by q.claimable_at, q.id limit room for update skip locked) picked
            where t.team_id = candidate and t.id = picked.id
            returning t.team_id, t.run_id, t.id, t.node, t.item, t.attempt, t.deadline_at, moment.at, t.executor, t.losses;
          get diagnostics taken = row_count;
          remaining := remaining - taken;
          room := room - taken;
          in_all := in_all + taken;
          continue;
        end if;
        -- Of each that is looked at it is decided where it goes: here, or to another place, where it leaves this list.
        is_more := true;
        while is_more and room > 0 loop
          is_more := false;
          decided := '{}';
          for task in
            select q.id, q.run_id, q.executor, coalesce(mine.place, '') as mine
            from task_run q join unnest(can_run, places) as mine(need, place) on mine.need = q.executor
            where q.team_id = candidate and q.place = list and q.claimable_at is not null and q.runs_on <@ labels
            order by q.claimable_at, q.id limit room for update of q skip locked
          loop
            goes_to := take_workspaces(candidate, task.run_id, task.executor, task.mine, 'store' = any(places));
            if goes_to is null or goes_to = list then
              continue;
            end if;
            is_more := true;
            update task_run t set place = goes_to where t.team_id = candidate and t.id = task.id;
            if goes_to = task.mine then
              decided := decided || task.id;
            end if;
          end loop;
          return query
            update task_run t
            set status = 'running', phase = 'running', attempt = t.attempt + 1, claimable_at = null, worker_id = claimer, reason = null, status_message = null,
                started_at = moment.at, deadline_at = moment.at + make_interval(mins => t.timeout_minutes),
                due_at = moment.at + make_interval(mins => t.timeout_minutes)
            from (select db_now() as at) moment,
                 unnest(decided) as picked(id)
            where t.team_id = candidate and t.id = picked.id
            returning t.team_id, t.run_id, t.id, t.node, t.item, t.attempt, t.deadline_at, moment.at, t.executor, t.losses;
          get diagnostics taken = row_count;
          remaining := remaining - taken;
          room := room - taken;
          in_all := in_all + taken;
        end loop;
      end loop;
      taken := in_all;
      if taken > 0 then
        update ready_team rt set last_claim_at = db_now(), last_work_at = db_now()
        where rt.team_id = (select seen.team_id from ready_team seen where seen.team_id = candidate for update skip locked);
      end if;
    end loop;
  end
  $$;
