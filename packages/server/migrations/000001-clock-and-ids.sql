-- Time and ids come from the database, so that the clocks of the processes never matter.

-- The only clock of state. Tests move it by replacing the function; production never does.
-- Volatile on purpose: compare an indexed column with (select db_now()), never with db_now() itself.
create function db_now() returns timestamptz
  language sql volatile parallel safe
  return date_trunc('milliseconds', clock_timestamp());

-- UUIDv7 (RFC 9562, method 3): 48 bits of milliseconds, 12 bits of the fraction of that millisecond, the rest random.
-- PostgreSQL 15 has none of its own; the name is ours so that every major runs the same function.
-- PL/pgSQL keeps its plan; as an SQL function it was planned anew at each call, which cost more than running it.
create function new_id() returns uuid
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
create function id_floor(at timestamptz) returns uuid
  language sql immutable strict parallel safe
  as $$
    select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid
  $$;

-- The tables that keep history, each partitioned by month of its id. Housekeeping calls ensure_partitions() at start and daily.
create table partitioned_table (name text primary key);

create function ensure_partitions(months_ahead int) returns void
  language plpgsql
  as $$
  declare
    parent text;
    month timestamptz;
    partition_name text;
  begin
    perform pg_advisory_xact_lock(hashtext('millrace.ensure_partitions'));
    for parent in select name from partitioned_table order by name loop
      for month in select generate_series(date_trunc('month', clock_timestamp() at time zone 'UTC') at time zone 'UTC',
                                          (date_trunc('month', clock_timestamp() at time zone 'UTC') + make_interval(months => months_ahead)) at time zone 'UTC',
                                          interval '1 month') loop
        partition_name := parent || '_' || to_char(month at time zone 'UTC', 'YYYYMM');
        if to_regclass(partition_name) is null then
          execute format('create table %I partition of %I for values from (%L) to (%L)', partition_name, parent,
                         id_floor(month), id_floor((month at time zone 'UTC' + interval '1 month') at time zone 'UTC'));
        end if;
      end loop;
    end loop;
  end
  $$;
