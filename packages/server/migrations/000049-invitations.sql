-- Invitations to a team. Nobody is a member, or a user, before they accept.
create table invitation (
  id uuid primary key default new_id(),
  team_id uuid not null references team on delete cascade,
  -- Only this person can accept it.
  email text not null check (email = lower(email)),
  role text not null check (role in ('owner', 'editor', 'reader')),
  -- The link's token is signed from the salt with a key that the database doesn't have; only the hash (sha-256) of the token is kept.
  link_salt bytea not null,
  link_hash bytea not null unique,
  -- How many links there were: each replaces the one before.
  links int not null default 1,
  linked_at timestamptz(3) not null default db_now(),
  expires_at timestamptz(3) not null,
  -- Who has invited, as in the audit; null for a token that belongs to nobody.
  inviter_id uuid references app_user on delete cascade,
  inviter_name text not null,
  -- An administrator may let someone set the password of an account that is there already.
  is_by_administrator boolean not null,
  -- Of the last email: its delivery says what came of it.
  mail_event_id uuid,
  created_at timestamptz(3) not null default db_now(),
  accepted_at timestamptz(3),
  revoked_at timestamptz(3),
  check (accepted_at is null or revoked_at is null)
);
create unique index invitation_open on invitation (team_id, email) where accepted_at is null and revoked_at is null;
create index invitation_team on invitation (team_id, id);
create index invitation_inviter on invitation (inviter_id) where inviter_id is not null;

-- When administrators have put away the checklist of the home page.
alter table instance add column setup_dismissed_at timestamptz(3);
