-- Which encryption keys the stored secrets name. Triggers record the key of each envelope when it is written, in the same transaction.

-- `mrsealed:v1:` and base64url; the first nine bytes are the version and the key's id, which is twelve characters.
create or replace function sealed_text_key(content text) returns text language sql immutable strict parallel safe as $$
  select case when content ~ '^mrsealed:v1:[A-Za-z0-9_-]{12}'
    then encode(substring(decode(translate(substring(content from 13 for 12), '-_', '+/'), 'base64') from 2 for 8), 'hex') end
$$;

create or replace function sealed_bytes_key(content bytea) returns text language sql immutable strict parallel safe as $$
  select encode(substring(content from 2 for 8), 'hex')
$$;

-- Only where the service itself seals, so that a text of a user that looks sealed counts for nothing: values and defaults of declared
-- parameters of type password, each key of those of type secret, and given values that the service has marked.
create or replace function sealed_param_keys(params json, are_declared boolean) returns setof text language sql immutable parallel safe as $$
  select sealed_text_key(v.content)
  from json_array_elements(case json_typeof(params) when 'array' then params else '[]' end) p
  cross join lateral (values (p ->> 'value'), (p ->> 'default')) v(content)
  where v.content like 'mrsealed:v1:%' and case when are_declared then lower(p ->> 'type') = 'password' else p ->> 'hiddenValue' = 'true' end
  union all
  select sealed_text_key(k.content)
  from json_array_elements(case json_typeof(params) when 'array' then params else '[]' end) p
  cross join lateral json_each_text(case when json_typeof(p -> 'value') = 'object' then p -> 'value' else '{}' end) k(name, content)
  where are_declared and lower(p ->> 'type') = 'secret' and k.content like 'mrsealed:v1:%'
$$;

-- The keys that a column of that shape names. The shapes are those of core/secret/sealed-columns.ts.
create or replace function sealed_keys(content text, shape text) returns text[] language plpgsql immutable parallel safe as $$
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
create or replace function note_sealed_keys(of_place text, keys text[]) returns void language plpgsql as $$
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
create or replace function note_sealed_columns() returns trigger language plpgsql as $$
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

create or replace function note_sealed_run() returns trigger language plpgsql as $$
  begin
    perform note_sealed_keys('run.secrets', array[sealed_bytes_key(new.secrets)]);
    return null;
  end
$$;
