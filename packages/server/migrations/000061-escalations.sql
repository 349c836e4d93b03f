-- Escalation (docs/approvals.md): when nobody has decided in time, the people of another approver group may vote
-- too. As with reminders, the row says when it is due, so whoever takes that time away is the one who escalates.
alter table action
  add column escalate_minutes int check (escalate_minutes >= 1), -- from the opening of the action
  add column escalation_group_id uuid,
  add column escalate_at timestamptz(3),                         -- null: it will not come, or has come
  add column escalated_at timestamptz(3),
  add constraint action_escalation check ((escalate_minutes is null) = (escalation_group_id is null));
create index action_escalate on action (escalate_at) where escalate_at is not null and status = 'submitted';
create trigger arm_escalation before insert on action
  for each row when (new.escalate_minutes is not null) execute function arm_escalation();
