-- The secret with which senders sign webhooks for one workflow. The one before it stays good for a while after it was replaced.
create table webhook_secret (
  team_id uuid not null,
  workflow_id uuid not null,
  secret text not null,                   -- an envelope
  previous text,                          -- an envelope
  previous_until timestamptz(3),
  created_at timestamptz(3) not null default db_now(),
  primary key (team_id, workflow_id),
  foreign key (team_id, workflow_id) references workflow on delete cascade,
  check ((previous is null) = (previous_until is null))
);
