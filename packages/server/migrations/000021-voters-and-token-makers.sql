-- Who may vote on an action of an approver group is decided when the action is opened: people who join the group later do not count for it.
-- A trigger, so that it holds for every way in which an action is opened. Those who have left the group since do not vote either: both
-- are checked where votes are counted.
alter table action add column voter_ids uuid[];

create function keep_voters() returns trigger
  language plpgsql
  as $$
  begin
    new.voter_ids := array(
      select v.user_id from approver v where v.team_id = new.team_id and v.group_id = new.approver_group_id order by v.user_id);
    return new;
  end
  $$;

create trigger action_voters before insert on action
  for each row when (new.approver_group_id is not null) execute function keep_voters();

update action a
set voter_ids = array(select v.user_id from approver v where v.team_id = a.team_id and v.group_id = a.approver_group_id order by v.user_id)
where a.status = 'submitted' and a.approver_group_id is not null;

-- The people behind a token: who made it, and who made the token that made it. Not a part of the token, because it must outlive it: a run that
-- a deleted token has started stays the run of the person who made that token.
create table token_maker (
  token_id uuid not null,
  user_id uuid not null,
  primary key (token_id, user_id)
);

insert into token_maker (token_id, user_id)
with recursive line as (
  select t.id as token_id, t.created_by as maker from token t where t.kind <> 'session'
  union
  select l.token_id, t.created_by from line l join token t on l.maker = 'token:' || t.id
)
select l.token_id, substr(l.maker, 6)::uuid from line l where l.maker ~ '^user:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
on conflict do nothing;

-- The people behind a principal (`user:ID`, `token:ID`): none for what acts by itself, such as a schedule.
create function people_of(principal text) returns uuid[]
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
