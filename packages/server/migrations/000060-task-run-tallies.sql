-- How many task runs a team has, up to a moment (store/run/tallies/task-run-tallies.ts): a page of them says how many there are, and to count a
-- million takes longer than the page. A reader adds the later ones. What removes task runs takes them away here, or begins with nothing.
create table task_run_tally (
  team_id uuid primary key references team (id) on delete cascade,
  -- The epoch: nothing is known.
  until timestamptz(3) not null default 'epoch',
  total bigint not null default 0
);

-- What a run waits for is asked for each run of a page: of one with a hundred thousand items that are over, only those that wait are read.
-- In the words of the index task_run_wait, whose columns change in the same moments, so that no update gets dearer.
create index task_run_waiting on task_run (team_id, run_id) where wait_kind is not null;
