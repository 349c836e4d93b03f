-- The saved view that the list of runs opens with, for one principal. A view that its owner can't see any more is no default.
create table run_view_default (
  team_id uuid not null,
  owner text not null,
  view_id uuid not null,
  primary key (team_id, owner),
  foreign key (team_id, view_id) references run_view (team_id, id) on delete cascade
);
create index run_view_default_view on run_view_default (team_id, view_id);
