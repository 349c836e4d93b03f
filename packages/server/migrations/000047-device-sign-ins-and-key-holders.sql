-- Sign-ins of the command line that a person has to approve in a browser (RFC 8628). They live for minutes, and there are never many.
create table device_sign_in (
  id uuid primary key default gen_random_uuid(),
  -- Of the device code, which only the program has, and of the user code, which the person reads aloud from it.
  device_hash bytea not null unique,
  user_hash bytea not null unique,
  host_name text not null,
  user_agent text,
  client_address text not null,
  -- What the address counts as where callers are counted.
  network text not null,
  created_at timestamptz not null default db_now(),
  expires_at timestamptz not null,
  polled_at timestamptz,
  status text not null default 'pending' check (status in ('pending', 'approved', 'refused')),
  user_id uuid references app_user (id) on delete cascade,
  check ((status = 'approved') = (user_id is not null))
);

-- Which encryption keys each running process has, so that a rotation waits for all of them.
create table key_holder (
  process_id uuid primary key,
  host_name text not null,
  -- The first one encrypts.
  key_ids text[] not null,
  seen_at timestamptz not null
);
