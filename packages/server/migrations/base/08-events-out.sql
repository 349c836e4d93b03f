-- Events out: who wants to hear of changes, the changes themselves, and what is sent of them to whom.

create table subscription (
  id uuid primary key default new_id(),
  team_id uuid references team on delete cascade, -- null: of the instance, for the changes of all teams
  name text not null,
  channel text not null check (channel in ('webhook', 'email', 'chat')),
  is_active boolean not null default true,
  status_message text,                    -- why it was paused by itself
  filters json not null default '[]',     -- EventFilter[]; all must hold
  kinds text[] not null default '{workflowrun,taskrun,action,schedule}', -- what its filters can let through; the rest is not even recorded
  target json not null,                   -- to whom, by channel; nothing secret
  secret text,                            -- an envelope
  old_secret text,                        -- an envelope; valid beside the new one until then
  old_secret_until timestamptz(3),
  created_by text,
  created_at timestamptz(3) not null default db_now(),
  changed_at timestamptz(3) not null default db_now(),
  check ((old_secret is null) = (old_secret_until is null))
);
create unique index subscription_name on subscription (team_id, name) nulls not distinct;
create index subscription_active on subscription (team_id) where is_active;
create index subscription_created on subscription (team_id, created_at, id);

-- Runs whose course is reported to the codehost, under the name of a check or status.
create table codehost_report (
  team_id uuid not null references team on delete cascade,
  run_id uuid not null,
  installation_ref text not null,
  repository_owner text not null,
  repository_name text not null,
  head_sha text not null,
  name text not null,
  check_run_id bigint,                    -- null until the codehost has given one
  primary key (team_id, run_id)
);

-- A change of state that somebody wanted to hear of, written in the transaction of the change. `seq` puts them in order: what happened
-- after the commit of another change has a larger one.
create sequence change_event_seq;
create table change_event (
  id uuid not null default new_id(),      -- the id of the CloudEvent
  seq bigint not null default nextval('change_event_seq'),
  team_id uuid,                           -- null: of the instance itself (a test)
  kind text not null,                     -- workflowrun, taskrun, action, schedule; subscription for a test
  status text not null,
  object_id uuid not null,
  lane_id uuid not null,                  -- the run or the schedule: its events are delivered in order
  team_name text,
  workflow_id uuid,
  workflow_name text,
  initiator_context text,
  data json not null,                     -- members of the object as the API names them, without parameters and results
  at timestamptz(3) not null default db_now(),
  dispatched_at timestamptz(3),           -- null: not yet looked at
  lineage uuid[] not null default '{}',   -- that of the run, its own workflow at the end: what goes out with the event
  primary key (id)
) partition by range (id);
alter sequence change_event_seq owned by change_event.seq;
create table change_event_default partition of change_event default;
create index change_event_open on change_event (seq) where dispatched_at is null;
insert into partitioned_table values ('change_event');

-- What is sent of an event to one receiver. Of a lane (a run, a schedule) each receiver has at most one that is tried at a time: those
-- after it wait until it is over.
create table delivery (
  id uuid primary key default new_id(),
  team_id uuid,                           -- of the event; null: a test of the instance
  subscription_id uuid references subscription on delete cascade, -- null: of a reaction
  channel text not null check (channel in ('webhook', 'email', 'chat', 'codehost')),
  target json,                            -- of a reaction: to whom, by channel
  event_id uuid not null,
  event_seq bigint not null,
  receiver_id uuid not null,              -- who shares a bound of what is under way: the subscription, or what a reaction says
  lane_id uuid not null,
  status text not null check (status in ('waiting', 'pending', 'delivered', 'dead')),
  attempts int not null default 0,        -- the fence: only the newest attempt can record its outcome
  due_at timestamptz(3),                  -- when to try; during a try, when it is believed lost
  expires_at timestamptz(3) not null default db_now() + interval '24 hours', -- a try that fails is not followed by one after it
  created_at timestamptz(3) not null default db_now(),
  attempted_at timestamptz(3),
  ended_at timestamptz(3),
  last_status int,
  last_answer text,
  last_error text,
  check ((status = 'pending') = (due_at is not null)),
  check ((status in ('delivered', 'dead')) = (ended_at is not null))
);
create index delivery_pending on delivery (receiver_id, due_at) where status = 'pending';
create index delivery_lane on delivery (receiver_id, lane_id, event_seq) where status in ('waiting', 'pending');
create index delivery_subscription on delivery (subscription_id, id) where subscription_id is not null;
create index delivery_event on delivery (event_id);
create index delivery_ended on delivery (status, ended_at) where ended_at is not null;
-- A lane has at most one pending delivery.
create unique index delivery_lane_pending on delivery (receiver_id, lane_id) where status = 'pending';
-- Deliveries of a team that are over, oldest first: a team may keep them for a shorter time than the instance does.
create index delivery_team_ended on delivery (team_id, ended_at) where ended_at is not null;
alter table delivery set (autovacuum_vacuum_scale_factor = 0.0, autovacuum_vacuum_threshold = 5000, autovacuum_analyze_scale_factor = 0.0,
  autovacuum_analyze_threshold = 5000, autovacuum_vacuum_cost_delay = 0);
