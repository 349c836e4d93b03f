-- The runs of a team that someone started, in the order of time.
create index run_initiator on run (team_id, initiated_by, id) where initiated_by is not null;
