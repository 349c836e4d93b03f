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

-- Delegations of an open action, gone through again by the people who are in the groups now. A vote that was given away is that of a person
-- in the approver group: it ends when this person leaves the group, also where it was passed on. A vote that went to a group, or to its people by
-- an escalation, is theirs only as long as they are in it. Nobody gets one in this way that they did not have.
create or replace function end_delegations(of_team uuid, of_action uuid) returns void
  language plpgsql
  as $$
  declare
    a record;
    n record;
    giver uuid;
    holders uuid[] := '{}';
    givers uuid[] := '{}';
    is_escalated boolean := false;
  begin
    select * into a from action where team_id = of_team and id = of_action and status = 'submitted' for no key update;
    if not found then
      return;
    end if;
    for n in
      select principal, delegate_group_id, delegate_ids, at from action_note
        where team_id = of_team and action_id = of_action and kind = 'delegation'
      union all
      select null, a.escalation_group_id, a.delegate_ids || a.delegator_ids, a.escalated_at where a.escalated_at is not null
      order by at
    loop
      n.delegate_ids := array(
        select d from unnest(n.delegate_ids) d
        where case when n.delegate_group_id is not null
            then exists (select from approver v where v.team_id = of_team and v.group_id = n.delegate_group_id and v.user_id = d)
          else exists (select from team_member m where m.team_id = of_team and m.user_id = d and (m.role <> 'reader'
            or exists (select from approver v where v.team_id = of_team and v.user_id = d))) end);
      if n.principal is null then
        holders := array(select unnest(holders) union (select unnest(n.delegate_ids) except select unnest(givers)));
        continue;
      end if;
      giver := substr(n.principal, 6)::uuid;
      if giver = any(holders) or a.approver_group_id is null or (giver = any(a.voter_ids) and exists (
          select from approver v where v.team_id = of_team and v.group_id = a.approver_group_id and v.user_id = giver)) then
        holders := array(select unnest(holders) except select giver union select unnest(n.delegate_ids));
        givers := array(select unnest(givers) except select unnest(n.delegate_ids) union select giver);
      end if;
    end loop;
    update action set delegate_ids = holders, delegator_ids = givers
    where team_id = of_team and id = of_action and (delegate_ids, delegator_ids) is distinct from (holders, givers);
  end
  $$;

-- For every way in which people leave an approver group.
create or replace function end_delegations_of_leavers() returns trigger
  language plpgsql
  as $$
  begin
    perform end_delegations(a.team_id, a.id)
    from action a
    where a.team_id in (select team_id from leavers) and a.status = 'submitted'
      and (cardinality(a.delegate_ids) > 0 or cardinality(a.delegator_ids) > 0);
    return null;
  end
  $$;
