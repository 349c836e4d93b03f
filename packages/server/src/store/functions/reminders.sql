-- Reminders of an action: due each time that reminder_minutes have passed since it was opened, until it is over.
create or replace function next_reminder(created_at timestamptz, reminder_minutes int, after int, deadline_at timestamptz) returns timestamptz
  language sql stable
  return (select case when deadline_at is null or n.at < deadline_at then n.at end
          from (select created_at + make_interval(mins => reminder_minutes * (after + 1))) n(at));

create or replace function arm_reminder() returns trigger
  language plpgsql
  as $$
  begin
    new.remind_at := next_reminder(new.created_at, new.reminder_minutes, 0, new.deadline_at);
    return new;
  end
  $$;

-- The escalation of an action: due once, unless its deadline comes before.
create or replace function arm_escalation() returns trigger
  language plpgsql
  as $$
  begin
    new.escalate_at := next_reminder(new.created_at, new.escalate_minutes, 0, new.deadline_at);
    return new;
  end
  $$;
