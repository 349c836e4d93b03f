-- What happens by itself when rows are written. The functions are in packages/server/src/store/functions, and are there before the tables.

-- Changes that somebody wants to hear of, in the transaction of the change.
create trigger note_new_run before insert on run
  for each row when (is_kind_wanted('workflowrun'))
  execute function note_new_run();
create trigger note_changed_runs after update on run
  referencing old table as before new table as changed for each statement when (is_kind_wanted('workflowrun'))
  execute function note_run_changes();
create trigger note_new_task_runs after insert on task_run
  referencing new table as changed for each statement when (is_kind_wanted('taskrun'))
  execute function note_task_run_changes();
create trigger note_changed_task_runs after update on task_run
  referencing old table as before new table as changed for each statement when (is_kind_wanted('taskrun'))
  execute function note_task_run_changes();
create trigger note_new_actions after insert on action
  referencing new table as changed for each statement when (is_kind_wanted('action'))
  execute function note_action_changes();
create trigger note_changed_actions after update on action
  referencing old table as before new table as changed for each statement when (is_kind_wanted('action'))
  execute function note_action_changes();
create trigger note_new_schedules after insert on schedule
  referencing new table as changed for each statement when (is_kind_wanted('schedule'))
  execute function note_schedule_changes();
create trigger note_changed_schedules after update on schedule
  referencing old table as before new table as changed for each statement when (is_kind_wanted('schedule'))
  execute function note_schedule_changes();

-- The keys of secrets. Another column with secrets needs a line here and one in core/secret/sealed-columns.ts; a test compares the two.
create trigger note_sealed_keys after insert or update of value on setting
  for each row execute function note_sealed_columns('value', 'text');
create trigger note_sealed_keys after insert or update of document on global_parameter
  for each row execute function note_sealed_columns('document', 'param');
create trigger note_sealed_keys after insert or update of parameters on team
  for each row execute function note_sealed_columns('parameters', 'params');
create trigger note_sealed_keys after insert or update of document on workflow_version
  for each row execute function note_sealed_columns('document', 'document');
create trigger note_sealed_keys after insert or update of document on workflow_template_version
  for each row execute function note_sealed_columns('document', 'document');
create trigger note_sealed_keys after insert or update of spec on task_version
  for each row execute function note_sealed_columns('spec', 'spec');
create trigger note_sealed_keys after insert or update of params on schedule
  for each row execute function note_sealed_columns('params', 'given');
create trigger note_sealed_keys after insert or update of secret, previous on webhook_secret
  for each row execute function note_sealed_columns('secret', 'text', 'previous', 'text');
create trigger note_sealed_keys after insert or update of token on chat_workspace
  for each row execute function note_sealed_columns('token', 'text');
create trigger note_sealed_keys after insert or update of secret, old_secret, target on subscription
  for each row execute function note_sealed_columns('secret', 'text', 'old_secret', 'text', 'target', 'target');
create trigger note_sealed_keys after insert or update of secrets on run
  for each row when (new.secrets is not null) execute function note_sealed_run();

-- What a new row of these tables knows of others.
create trigger arm_reminder before insert on action for each row when (new.reminder_minutes is not null) execute function arm_reminder();
create trigger action_voters before insert on action
  for each row when (new.approver_group_id is not null) execute function keep_voters();
create trigger run_origin before insert on run for each row when (new.initiated_by like 'run:%') execute function keep_origin();

select ensure_partitions(1);
analyze;
