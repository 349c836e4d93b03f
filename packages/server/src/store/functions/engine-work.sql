-- What an engine should look at now, over all teams (store/run/engine-work.ts): one statement, so that an idle process asks once. A function, since
-- it is asked with each run that ends, and to plan it over all partitions costs twenty times what it costs to run.
--
-- Each part reads a partial index that holds only what is open (task_run_due, run_due, run_startable, run_wanted, task_run_claimable), or a table
-- that is nearly always empty.
create or replace function find_engine_work(most int)
  returns table (now timestamptz, due json, signals json, has_runs_without_place boolean, has_ready_task_runs boolean, has_limits_to_look_at boolean,
                 next_due_at timestamptz)
  language plpgsql
  set plan_cache_mode = force_generic_plan
  as $$
  declare
    moment timestamptz := db_now();
  begin
    return query
      select moment,
        coalesce((select json_agg(json_build_object('teamId', d.team_id, 'id', d.run_id)) from (
          (select t.team_id, t.run_id from task_run t where t.due_at <= moment order by t.due_at limit most)
          union
          (select r.team_id, r.id from run r where r.due_at <= moment order by r.due_at limit most)) d), '[]'),
        coalesce((select json_agg(json_build_object('id', s.id, 'teamId', s.team_id, 'runId', s.run_id, 'kind', s.kind, 'data', s.data) order by s.id)
          from (select n.id, n.team_id, n.run_id, n.kind, n.data from run_signal n
                where exists (select from run r where r.id = any(array[n.run_id]) and (r.team_id = n.team_id) is true) -- see apply_run_changes
                order by n.id limit most) s), '[]'),
        exists (select from ready_team rt join lateral (
          select 1 from run q where q.team_id = rt.team_id and q.phase in ('pending', 'queued') and q.held_for is null limit 1) q on true)
        or exists (select from ready_team rt join lateral (
          select 1 from run q where q.team_id = rt.team_id and q.activity = 'wanted' limit 1) q on true),
        exists (select from ready_team rt join lateral (
          select 1 from task_run q where q.team_id = rt.team_id and q.claimable_at is not null limit 1) q on true),
        exists (select from run_wake w where w.due_at <= moment),
        least((select min(w.due_at) from run_wake w where w.due_at > moment),
              (select min(t.due_at) from task_run t where t.due_at > moment),
              (select min(r.due_at) from run r where r.due_at > moment));
  end
  $$;
