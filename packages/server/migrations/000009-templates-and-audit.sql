-- Workflow templates: global, versioned workflow definitions. As with workflows a version row is never changed: replace=true
-- retires the row and adds another with the same number.

create table workflow_template (
  id uuid primary key default new_id(),
  name text not null check (name ~ '^[0-9A-Za-z-]+$'),
  display_name text not null,
  icon text,
  description text,
  labels jsonb not null default '{}',
  annotations json not null default '{}',
  latest_version int not null,
  created_at timestamptz(3) not null default db_now()
);
create unique index workflow_template_name on workflow_template (lower(name));
create index workflow_template_labels on workflow_template using gin (labels);

create table workflow_template_version (
  id uuid primary key default new_id(),
  template_id uuid not null references workflow_template on delete cascade,
  version int not null,
  document json not null,                 -- as workflow_version.document; its tasks are global ones, by name and version
  change_author text,
  change_reason text,
  changed_at timestamptz(3) not null default db_now(),
  replaced_at timestamptz(3)
);
create unique index workflow_template_version_current on workflow_template_version (template_id, version) where replaced_at is null;
create index workflow_template_version_template on workflow_template_version (template_id);

-- The contents of shipped templates that were put in place once: what an administrator has deleted or changed since stays so.
create table shipped_workflow_template (
  name text not null,
  fingerprint text not null,              -- of the shipped document
  placed_at timestamptz(3) not null default db_now(),
  primary key (name, fingerprint)
);

-- Who did it, and what was it done to: over one team or over all. What a run was named is left out: submissions are most of the
-- records, and a run is found by its id.
create index audit_actor on audit (principal_id, id);
create index audit_object on audit (object_id, id);
create index audit_object_name on audit (lower(object_name), id) where object_kind <> 'workflowrun';
