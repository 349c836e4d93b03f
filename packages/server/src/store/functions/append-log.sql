-- Lines of external workers. Their requests may reach any process, so the numbers of chunks are given here, one attempt after the other; the lock
-- is of the log alone. What an attempt says that is over comes too late. Callers pass each attempt once, in the order of ids.
-- Returns for each whether it was stored.
create or replace function append_log(team uuid, task_runs uuid[], attempts int[], lines int[], sizes int[], texts text[]) returns boolean[]
  language plpgsql
  set plan_cache_mode = force_generic_plan
  as $$
  declare
    stored boolean[] := '{}';
  begin
    for at in 1 .. coalesce(array_length(task_runs, 1), 0) loop
      perform pg_advisory_xact_lock(hashtextextended('log of ' || task_runs[at], 0));
      insert into log_chunk (team_id, task_run_id, attempt, seq, first_line, line_count, raw_bytes, data)
      select team, t.id, t.attempt, coalesce(last.seq + 1, 0), coalesce(last.first_line + last.line_count, 0), lines[at], sizes[at], decode(texts[at], 'base64')
      from task_run t
      left join lateral (
        select c.seq, c.first_line, c.line_count from log_chunk c
        where c.team_id = team and c.task_run_id = t.id and c.attempt = t.attempt order by c.seq desc limit 1) last on true
      where t.id = task_runs[at] and (t.team_id = team) is true and -- see apply_run_changes
        t.attempt = attempts[at] and t.status = 'running';
      stored := stored || found;
    end loop;
    return stored;
  end
  $$;
