-- External workers: programs of users that claim the task runs of one team over HTTP. Their leases are rows of `worker`, as those of the workers of the
-- service, so that they are found lost in the same way; "team_id" tells the two apart.
alter table worker
  add column team_id uuid,                -- of an external worker; null: of the service
  add column owner text,                  -- the credential that it came with (`token:ID`): no other one speaks for it
  add column tasks text[] not null default '{}', -- names that it asked for last
  add column asks_until timestamptz(3),   -- it asks for them until then
  add column lease_seconds int;           -- by how much its heartbeats extend the lease
create index worker_team on worker (team_id) where team_id is not null;

-- Names of external tasks that the token may claim; '*': all. Null: none are named, and it claims none.
alter table token add column tasks text[];
