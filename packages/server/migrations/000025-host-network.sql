-- Which teams may use the network of the machine in their tasks.

alter table team add column allows_host_network boolean not null default false;

-- The shipped HTTP tasks had the network of the machine. Annotations belong to no version, so that the new ones would not be put in place.
update task set annotations = regexp_replace(annotations::text, '("millrace.dev/network"\s*:\s*)"host"', '\1"outbound"')::json
  where team_id is null and name in ('execute-basic-http-call', 'execute-advanced-http-call') and annotations ->> 'millrace.dev/network' = 'host';
