-- Who has changed a run while it was queued, as principals (`user:ID`, `token:ID`): it is their run, too, when it is voted on it.
alter table run add column amended_by text[] not null default '{}';
