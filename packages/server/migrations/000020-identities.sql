-- A person is the issuer and subject of the first sign-in; the address is a label.

alter table app_user
  add column issuer text,
  add column subject text,
  -- Another subject that came with the same address, until an administrator agrees: the last one only, so nobody can pile them up.
  add column requested_issuer text,
  add column requested_subject text,
  add column requested_at timestamptz(3),
  add constraint app_user_identity check ((issuer is null) = (subject is null)),
  add constraint app_user_requested check
    ((requested_issuer is null) = (requested_subject is null) and (requested_issuer is null) = (requested_at is null));
create unique index app_user_identity on app_user (issuer, subject) where issuer is not null;

-- Addresses are composed (NFC) from now on. Where that would make two of them one, an administrator decides.
update app_user u set email = normalize(u.email, nfc)
where u.email is not nfc normalized and normalize(u.email, nfc) = lower(normalize(u.email, nfc))
  and not exists (select 1 from app_user o where o.id <> u.id and normalize(o.email, nfc) = normalize(u.email, nfc));

-- What browsers brought back from a sign-in elsewhere: each is good once. Cleared when its time is over.
create table used_state (
  hash bytea primary key,                  -- sha-256
  until timestamptz(3) not null
);
create index used_state_until on used_state (until);

-- Sign-ins that failed, counted by hour: what was tried, from where, why it was refused, and for whose account where there is one. The number of
-- rows of an hour is bounded by the statement that writes them.
create table failed_sign_in (
  hour timestamptz(3) not null,
  network text not null,                   -- '*' once an hour has had too many
  way text not null,
  reason text not null,
  account text not null default '',        -- address of a user that there is; never what was typed
  count bigint not null,
  first_at timestamptz(3) not null,
  last_at timestamptz(3) not null,
  primary key (hour, network, way, reason, account)
);
