-- The definition document of a version as its author sent it, with comments. Null: it came as a resource, or with a secret, or before this column.
alter table task_version add column document_text text;
