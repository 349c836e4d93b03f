-- Which encryption keys the stored secrets name, so that a start can tell without reading them all, and a rotation can end.
--
-- Triggers record the key of each envelope when it is written, in the same transaction. So a key that is not in `sealed_key` seals nothing.
-- A key that is there may seal nothing any more: only re-sealing (`npm run db -- keys reseal`) looks, and deletes the row.

create table sealed_key (
  place text not null, -- table.column
  key_id text not null, -- 16 hex digits
  noted_at timestamptz(3) not null default db_now(),
  primary key (place, key_id)
);

-- What was decided about a key: retired, so nothing may be sealed with it again; or forgotten, because it is lost.
create table encryption_key (
  key_id text primary key,
  retired_at timestamptz(3),
  forgotten_at timestamptz(3)
);

-- `mrsealed:v1:` and base64url; the first nine bytes are the version and the key's id, which is twelve characters.
create function sealed_text_key(content text) returns text language sql immutable strict parallel safe as $$
  select case when content ~ '^mrsealed:v1:[A-Za-z0-9_-]{12}'
    then encode(substring(decode(translate(substring(content from 13 for 12), '-_', '+/'), 'base64') from 2 for 8), 'hex') end
$$;

create function sealed_bytes_key(content bytea) returns text language sql immutable strict parallel safe as $$
  select encode(substring(content from 2 for 8), 'hex')
$$;

-- Only where the service itself seals, so that a text of a user that looks sealed counts for nothing: values and defaults of declared
-- parameters of type password, and given values that the service has marked.
create function sealed_param_keys(params json, are_declared boolean) returns setof text language sql immutable parallel safe as $$
  select sealed_text_key(v.content)
  from json_array_elements(case json_typeof(params) when 'array' then params else '[]' end) p
  cross join lateral (values (p ->> 'value'), (p ->> 'default')) v(content)
  where v.content like 'mrsealed:v1:%' and case when are_declared then lower(p ->> 'type') = 'password' else p ->> 'hiddenValue' = 'true' end
$$;

-- The keys that a column of that shape names. The shapes are those of core/secret/sealed-columns.ts.
create function sealed_keys(content text, shape text) returns text[] language plpgsql immutable parallel safe as $$
  declare
    document json;
  begin
    if content is null or position('mrsealed:v1:' in content) = 0 then
      return '{}';
    end if;
    if shape = 'text' then
      return array_remove(array[sealed_text_key(content)], null);
    end if;
    document := content::json;
    if shape = 'target' then
      return array_remove(array[sealed_text_key(document ->> 'sealedUrl')], null);
    end if;
    if shape = 'param' then
      document := json_build_array(document);
    elsif shape in ('spec', 'document') then
      document := document -> 'params';
    end if;
    return array(
      select distinct k from (
        select sealed_param_keys(document, shape <> 'given')
        union all
        select sealed_param_keys(t -> 'params', false)
        from json_array_elements(case when shape = 'document' and json_typeof(content::json -> 'tasks') = 'array' then content::json -> 'tasks' else '[]' end) t
      ) found(k)
      where k is not null order by k);
  end
$$;

-- The lock makes who retires a key wait for those who have sealed with it and not committed yet. What was read before a key was retired
-- and is written after that names a key that nobody may have any more: 40001 has the transaction tried again, on what is stored now.
create function note_sealed_keys(of_place text, keys text[]) returns void language plpgsql as $$
  declare
    one text;
  begin
    foreach one in array keys loop
      perform pg_advisory_xact_lock_shared(hashtext('millrace.sealed_key'), hashtext(one));
      if exists (select from encryption_key k where k.key_id = one and k.retired_at is not null) then
        raise exception 'a secret is sealed with the encryption key %, which is retired', one using errcode = '40001';
      end if;
      if not exists (select from sealed_key k where k.place = of_place and k.key_id = one) then
        insert into sealed_key (place, key_id) values (of_place, one) on conflict do nothing;
      end if;
    end loop;
  end
$$;

-- Arguments: column, shape, column, shape …
create function note_sealed_columns() returns trigger language plpgsql as $$
  declare
    content text;
    keys text[];
  begin
    for i in 0 .. tg_nargs - 1 by 2 loop
      execute format('select ($1).%I::text', tg_argv[i]) into content using new;
      keys := sealed_keys(content, tg_argv[i + 1]);
      if keys <> '{}' then
        perform note_sealed_keys(tg_table_name || '.' || tg_argv[i], keys);
      end if;
    end loop;
    return null;
  end
$$;

create function note_sealed_run() returns trigger language plpgsql as $$
  begin
    perform note_sealed_keys('run.secrets', array[sealed_bytes_key(new.secrets)]);
    return null;
  end
$$;

create trigger note_sealed_keys after insert or update of value on setting
  for each row execute function note_sealed_columns('value', 'text');
create trigger note_sealed_keys after insert or update of document on global_parameter
  for each row execute function note_sealed_columns('document', 'param');
create trigger note_sealed_keys after insert or update of parameters on team
  for each row execute function note_sealed_columns('parameters', 'params');
create trigger note_sealed_keys after insert or update of document on workflow_version
  for each row execute function note_sealed_columns('document', 'document');
create trigger note_sealed_keys after insert or update of document on workflow_template_version
  for each row execute function note_sealed_columns('document', 'document');
create trigger note_sealed_keys after insert or update of spec on task_version
  for each row execute function note_sealed_columns('spec', 'spec');
create trigger note_sealed_keys after insert or update of params on schedule
  for each row execute function note_sealed_columns('params', 'given');
create trigger note_sealed_keys after insert or update of secret, previous on webhook_secret
  for each row execute function note_sealed_columns('secret', 'text', 'previous', 'text');
create trigger note_sealed_keys after insert or update of token on chat_workspace
  for each row execute function note_sealed_columns('token', 'text');
create trigger note_sealed_keys after insert or update of secret, old_secret, target on subscription
  for each row execute function note_sealed_columns('secret', 'text', 'old_secret', 'text', 'target', 'target');
create trigger note_sealed_keys after insert or update of secrets on run
  for each row when (new.secrets is not null) execute function note_sealed_run();

-- Runs are many: what a key still seals of them is found by this. Most runs have no secrets and no entry.
create index run_sealed on run (sealed_bytes_key(secrets), team_id, id) where secrets is not null;

-- What is stored already.
insert into sealed_key (place, key_id)
select 'setting.value', unnest(sealed_keys(value, 'text')) from setting
union select 'global_parameter.document', unnest(sealed_keys(document::text, 'param')) from global_parameter
union select 'team.parameters', unnest(sealed_keys(parameters::text, 'params')) from team
union select 'workflow_version.document', unnest(sealed_keys(document::text, 'document')) from workflow_version
union select 'workflow_template_version.document', unnest(sealed_keys(document::text, 'document')) from workflow_template_version
union select 'task_version.spec', unnest(sealed_keys(spec::text, 'spec')) from task_version
union select 'schedule.params', unnest(sealed_keys(params::text, 'given')) from schedule
union select 'webhook_secret.secret', unnest(sealed_keys(secret, 'text')) from webhook_secret
union select 'webhook_secret.previous', unnest(sealed_keys(previous, 'text')) from webhook_secret
union select 'chat_workspace.token', unnest(sealed_keys(token, 'text')) from chat_workspace
union select 'subscription.secret', unnest(sealed_keys(secret, 'text')) from subscription
union select 'subscription.old_secret', unnest(sealed_keys(old_secret, 'text')) from subscription
union select 'subscription.target', unnest(sealed_keys(target::text, 'target')) from subscription
union select 'run.secrets', sealed_bytes_key(secrets) from run where secrets is not null;
