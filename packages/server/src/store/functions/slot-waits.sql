-- after the tables: it takes a row of one.
-- How many wait before a held run, in words.
create or replace function line_text(w run_waiting) returns text
  language plpgsql stable set plan_cache_mode = force_generic_plan
  as $$
  declare
    before int;
  begin
    select count(*) into before from (
      select from run_waiting x
      where x.team_id = w.team_id and x.workflow_id = w.workflow_id and x.kind = w.kind and x.key = w.key and (x.rank, x.run_id) < (w.rank, w.run_id)
      limit 1000) as ahead;
    return case before when 0 then '' when 1 then '; 1 run waits before it' when 1000 then '; 1,000 runs or more wait before it'
      else format('; %s runs wait before it', before) end;
  end
  $$;

-- What a run waits for that a rate holds back.
create or replace function rate_text(of_team uuid, of_workflow uuid, of_key text, label text, rate_limit int, ms bigint) returns text
  language plpgsql stable set plan_cache_mode = force_generic_plan
  as $$
  declare
    next_at timestamptz;
  begin
    select min(s.free_at) into next_at from run_slot s
    where s.team_id = of_team and s.workflow_id = of_workflow and s.kind = 'rate' and s.key = of_key;
    return format('Waiting for the rate of starts: at most %s in %s of %s%s', rate_limit,
      case when ms % 86400000 = 0 then ms / 86400000 || ' d' when ms % 3600000 = 0 then ms / 3600000 || ' h'
        when ms % 60000 = 0 then ms / 60000 || ' min' else ms / 1000 || ' s' end,
      label, case when next_at is null then '' else '; the next one starts at ' || iso_time(next_at) end);
  end
  $$;

create or replace function seconds_until(at timestamptz) returns int
  language sql stable
  return greatest(0, ceil(extract(epoch from at - db_now())))::int;

-- What a run waits for that collects events, in words.
create or replace function collection_text(c run_collection) returns text
  language sql stable
  return format('Waiting for more events: %s%s, starts %s', c.events, case when c.size is null then ' so far' else ' of ' || c.size end,
    case when c.size is null and c.due_at < c.last_at
      then format('in %s s if no more come, in %s s at the latest', seconds_until(c.due_at), seconds_until(c.last_at))
      else format('at the latest in %s s', seconds_until(c.due_at)) end);
