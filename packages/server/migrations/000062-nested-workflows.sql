-- Nested workflows: where those of the tasks of a version are stored, and, where it is one itself, of which workflow it is a part
-- (core/workflow/nested-workflow.ts). Null: neither. It is beside the document, in which authors may have members of any name.
alter table workflow_version add column nesting json;
