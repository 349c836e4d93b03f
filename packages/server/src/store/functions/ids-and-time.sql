-- Time and ids come from the database, so that the clocks of the processes never matter.

-- The only clock of state. Tests move it by replacing the function; production never does.
-- Volatile on purpose: compare an indexed column with (select db_now()), never with db_now() itself.
create or replace function db_now() returns timestamptz
  language sql volatile parallel safe
  return date_trunc('milliseconds', clock_timestamp());

-- UUIDv7 (RFC 9562, method 3): 48 bits of milliseconds, 12 bits of the fraction of that millisecond, the rest random.
-- PostgreSQL 15 has none of its own; the name is ours so that every major runs the same function.
-- PL/pgSQL keeps its plan; as an SQL function it was planned anew at each call, which cost more than running it.
create or replace function new_id() returns uuid
  language plpgsql volatile parallel safe
  as $$
  declare
    micros bigint := (extract(epoch from clock_timestamp()) * 1000000)::bigint;
    id bytea := uuid_send(gen_random_uuid());
  begin
    id := overlay(id placing substring(int8send(micros / 1000) from 3 for 6) from 1 for 6);
    id := overlay(id placing substring(int8send(28672 + (micros % 1000) * 4096 / 1000) from 7 for 2) from 7 for 2); -- 28672: version 7
    return encode(id, 'hex')::uuid;
  end
  $$;

-- The smallest id that new_id() can make at that time: the bound of a partition, or of a date filter.
create or replace function id_floor(at timestamptz) returns uuid
  language sql immutable strict parallel safe
  as $$
    select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid
  $$;

-- When an id was made: the time that id_floor() was given.
create or replace function id_date(id uuid) returns timestamptz
  language sql immutable strict parallel safe
  as $$
    select to_timestamp((('x' || lpad(substr(replace(id::text, '-', ''), 1, 12), 16, '0'))::bit(64)::bigint) / 1000.0)
  $$;

-- A time as the API writes it.
create or replace function iso_time(at timestamptz) returns text
  language sql stable strict parallel safe
  return to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

-- How long that was; 0 for what has not begun or not ended.
create or replace function duration_ms(started_at timestamptz, ended_at timestamptz) returns bigint
  language sql immutable parallel safe
  return coalesce(greatest(0, round(extract(epoch from ended_at - started_at) * 1000)), 0)::bigint;
