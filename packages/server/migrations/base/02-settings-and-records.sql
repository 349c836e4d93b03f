-- What the instance is told, what it seals, and what it remembers of requests.

create table setting (
  group_key text not null,
  key text not null,
  value text not null,                    -- an envelope when the setting is secured
  changed_at timestamptz(3) not null default db_now(),
  primary key (group_key, key)
);

-- A setting that is back at its default has no row in `setting`; that it was changed is still known here.
create table setting_group (
  key text primary key,
  changed_at timestamptz(3) not null default db_now()
);

create table global_parameter (
  name text primary key,
  document json not null,                 -- AbstractParam; the value of a secret is an envelope
  created_at timestamptz(3) not null default db_now()
);

-- One row a write: who, with which token, what, when. before/after hold definitions with secrets masked.
create table audit (
  id uuid not null default new_id(),
  team_id uuid,
  at timestamptz(3) not null default db_now(),
  principal_kind text not null,
  principal_id text not null,
  principal_name text,
  token_id uuid,
  action text not null,                   -- resource/verb, as the endpoint declares it
  object_kind text not null,
  object_id text,
  object_name text,
  request_id text,
  before json,
  after json,
  primary key (id)
) partition by range (id);
create table audit_default partition of audit default;
create index audit_team on audit (team_id, id);
-- Who did it, and what was it done to: over one team or over all. What a run was named is left out: submissions are most of the
-- records, and a run is found by its id.
create index audit_actor on audit (principal_id, id);
create index audit_object on audit (object_id, id);
create index audit_object_name on audit (lower(object_name), id) where object_kind <> 'workflowrun';
insert into partitioned_table values ('audit');

-- The first final answer to a request that carried an Idempotency-Key; kept for 24 hours.
create table idempotency (
  principal text not null,
  method text not null,
  path text not null,
  key text not null,
  request_hash bytea not null,
  status int,                             -- null while the first request is still in its transaction
  response text,
  created_at timestamptz(3) not null default db_now(),
  primary key (principal, method, path, key)
);
create index idempotency_created on idempotency (created_at);

-- Which encryption keys the stored secrets name, so that a start can tell without reading them all, and a rotation can end.
--
-- Triggers record the key of each envelope when it is written, in the same transaction. So a key that is not in `sealed_key` seals nothing.
-- A key that is there may seal nothing any more: only re-sealing (`npm run db -- keys reseal`) looks, and deletes the row.
create table sealed_key (
  place text not null, -- table.column
  key_id text not null, -- 16 hex digits
  noted_at timestamptz(3) not null default db_now(),
  primary key (place, key_id)
);

-- What was decided about a key: retired, so nothing may be sealed with it again; or forgotten, because it is lost.
create table encryption_key (
  key_id text primary key,
  retired_at timestamptz(3),
  forgotten_at timestamptz(3)
);
