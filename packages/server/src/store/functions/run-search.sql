-- A run of which people have changed something that is searched. Its beginning is noted by the statement that inserts it
-- (store/run/submissions.ts), its end by apply_run_changes.
create or replace function note_run_for_search() returns trigger
  language plpgsql
  as $$
  begin
    insert into run_search_due (team_id, run_id) values (new.team_id, new.id);
    return null;
  end
  $$;
