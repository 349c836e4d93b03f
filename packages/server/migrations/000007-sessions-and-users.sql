-- How people come and go: sessions, invitations, passwords that are set anew, and attempts that failed.

-- Of sessions only: when they end for want of use, and from where they were begun.
alter table token
  add column idle_seconds int check (idle_seconds > 0),
  add column client_address text,
  add column user_agent text,
  add constraint token_session_columns
    check (kind = 'session' or (idle_seconds is null and client_address is null and user_agent is null));
create index token_session_end on token (expires_at) where kind = 'session';

-- An invited user becomes active by signing in; one that was deactivated does not. Until now nobody could be deactivated.
alter table app_user
  add column is_invited boolean not null default false,
  add column reset_code_hash bytea,        -- sha-256 of the code that sets a new password, once
  add column reset_code_until timestamptz(3),
  add constraint app_user_invited check (not is_invited or status = 'inactive'),
  add constraint app_user_reset_code check ((reset_code_hash is null) = (reset_code_until is null));
update app_user set is_invited = true where status = 'inactive';

-- A row for each attempt to sign in with a password, from before it is checked until it succeeds or is old.
create table failed_attempt (
  id uuid primary key default new_id(),
  subject bytea not null,                  -- sha-256 of an account or of an address: people type passwords into the wrong field
  at timestamptz(3) not null default db_now()
);
create index failed_attempt_subject on failed_attempt (subject, at);
create index failed_attempt_at on failed_attempt (at);
