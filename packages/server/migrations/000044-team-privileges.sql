-- The team's part of the right to steps with privileges (`securityContext`), which only administrators give.
alter table team add column allows_privileged boolean not null default false;
