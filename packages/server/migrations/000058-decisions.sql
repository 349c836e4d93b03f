-- Decisions of a team as a chain: each record has the hash of the one before (docs/decisions.md). A record names what was decided by its ids
-- and digests alone, and refers to no other row: it stays when the run is removed with its history.
create table decision (
  team_id uuid not null references team on delete cascade,
  number bigint not null,                 -- from 1, without a gap
  at timestamptz(3) not null,
  action_id uuid not null,
  record json not null,                   -- hashed to the letter
  hash text not null,
  primary key (team_id, number)
);
create index decision_action on decision (team_id, action_id);
create index decision_at on decision (at);

-- Locked by whoever adds a record, so that each follows the one before. The anchor is the last record that was removed with history.
create table decision_chain (
  team_id uuid primary key references team on delete cascade,
  number bigint not null default 0,
  hash text not null,
  anchor_number bigint not null default 0,
  anchor_hash text not null,
  anchored_at timestamptz(3)
);
