-- The people behind a principal (`user:ID`, `token:ID`): none for what acts by itself, such as a schedule.
create or replace function people_of(principal text) returns uuid[]
  language plpgsql
  stable
  as $$
  begin
    if principal ~ '^user:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then
      return array[substr(principal, 6)::uuid];
    end if;
    if principal ~ '^token:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then
      return array(select m.user_id from token_maker m where m.token_id = substr(principal, 7)::uuid order by m.user_id);
    end if;
    return '{}';
  end
  $$;

-- The people whose run it is: behind the principal who started it, or behind the schedule or the webhook that did, and behind those who
-- changed it while it was queued.
create or replace function people_of_run(of_team uuid, of_run uuid) returns uuid[]
  language plpgsql stable
  as $$
  declare
    origin record;
    people uuid[];
  begin
    select * into origin from origin_of_run(of_team, of_run);
    if origin.requester like 'schedule:%' then
      people := array(select s.user_id from start_author s
        where s.team_id = of_team and s.kind = 'schedule' and s.ref::text = substr(origin.requester, 10) order by s.user_id);
    elsif origin.requester = 'integration:webhook' then
      people := array(select s.user_id from start_author s
        where s.team_id = of_team and s.kind = 'webhook' and s.ref = origin.workflow order by s.user_id);
    else
      people := people_of(origin.requester);
    end if;
    return people || array(
      select unnest(people_of(amender)) from run r cross join unnest(r.amended_by) as amender where r.id = of_run and (r.team_id = of_team) is true);
  end
  $$;

-- Who may vote on an action of an approver group is decided when the action is opened: people who join the group later do not count for it,
-- nor do those who were only invited to the instance and have not signed in yet.
-- A trigger, so that it holds for every way in which an action is opened. Those who have left the group since do not vote either: both
-- are checked where votes are counted.
create or replace function keep_voters() returns trigger
  language plpgsql
  as $$
  begin
    new.voter_ids := array(
      select v.user_id from approver v join app_user u on u.id = v.user_id and not u.is_invited
      where v.team_id = new.team_id and v.group_id = new.approver_group_id order by v.user_id);
    return new;
  end
  $$;
