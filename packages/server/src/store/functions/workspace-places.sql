-- Whose the workspaces of a run are: always the run itself, so that its tasks stay together, and its workflow if they are kept across runs.
create or replace function workspace_owners(workspaces json, run uuid, workflow uuid) returns uuid[]
  language sql immutable
  as $$
    select case when count(*) = 0 then '{}' when bool_or(type = 'workflow') then array[run, workflow] else array[run] end
    from (select coalesce(w->>'type', w->>'name') as type from json_array_elements(workspaces) as w) as declared
    where type in ('workflow', 'workflowrun')
  $$;

-- Where a task of that run and need must go; null where its workspaces are in no place yet, or it is not recorded yet which one. Tasks that run in either
-- a container or the cluster go where the first of them went, else to the folder of the run if a worker there runs containers.
-- Workspaces in the store go to where other workspaces of the run are, if any.
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

-- Says of task runs that have just become ready where they must go; external ones have their place already. Their run is locked, or was inserted by this transaction.
create or replace function place_ready_tasks(tasks json, runs uuid[]) returns void
  language plpgsql
  set plan_cache_mode = force_generic_plan
  as $$
  begin
    update task_run t
    set place = coalesce(find_place(t.team_id, o.owners, t.executor), '?')
    from json_to_recordset(tasks) as c(team_id uuid, run_id uuid, id uuid, claimable_at timestamptz)
    join run r on r.id = any(array[c.run_id]) and (r.team_id = c.team_id) is true -- see apply_run_changes
    cross join lateral (select workspace_owners(r.workspaces, r.id, r.workflow_id) as owners) o
    where c.run_id = any(runs) and c.claimable_at is not null and cardinality(o.owners) > 0
      and t.id = any(array[c.id]) and (t.team_id = c.team_id) is true and t.claimable_at is not null and t.executor not like 'external/%';
  end
  $$;

-- Where a task with workspaces must go; takes them into the claimer's place ("mine", '' where it has none) when nobody has them. Null: somebody else
-- decides that right now. Nobody waits for a lock here: two claims that take workspaces in different orders would wait for each other. Workspaces in the
-- store move to the place of the claimer if it can restore them; not to the cluster, whose volumes are not restored.
create or replace function take_workspaces(team uuid, run_of_task uuid, need text, mine text, has_store boolean) returns text
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
    from run r where r.id = run_of_task and (r.team_id = team) is true; -- see apply_run_changes
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
