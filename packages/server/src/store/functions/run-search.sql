-- A run that is new, or of which people have changed something that is searched. The end of a run is noted by apply_run_changes.
create or replace function note_run_for_search() returns trigger
  language plpgsql
  as $$
  begin
    insert into run_search_due (team_id, run_id) values (new.team_id, new.id);
    return null;
  end
  $$;
