-- What an approval or a manual task shows and asks for (docs/approvals.md), as it was when the action was opened.
alter table action
  add column title text,
  add column form json,                                  -- {"fields": [...], "links": [...]}
  add column attachments json,                           -- [{"label", "text"} or {"label", "log"}]: not read for lists
  add column delegate_ids uuid[] not null default '{}',  -- people who can vote because someone delegated their vote to them
  add column delegator_ids uuid[] not null default '{}'; -- people who delegated their vote

-- What a vote filled in; of the deciding vote these are results of the task.
alter table action_vote add column field_values json;

-- What people did with an action besides voting.
create table action_note (
  team_id uuid not null,
  action_id uuid not null,
  id uuid not null default new_id(),
  at timestamptz(3) not null default db_now(),
  kind text not null check (kind in ('comment', 'delegation')),
  principal text not null,
  name text,
  email text,
  comments text,
  delegate_name text, -- of the person or the group as it was
  delegate_group_id uuid,
  delegate_ids uuid[],
  primary key (team_id, action_id, id),
  foreign key (team_id, action_id) references action on delete cascade,
  check (case kind when 'comment' then comments is not null else delegate_name is not null and cardinality(delegate_ids) > 0 end)
);
create trigger note_new_action_notes after insert on action_note referencing new table as changed
  for each statement when (is_kind_wanted('action')) execute function note_action_notes();
