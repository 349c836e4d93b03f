-- Pages of the members of a team, and the first of them that its answer has, in the order in which they came.
create index team_member_by_time on team_member (team_id, created_at, user_id);
