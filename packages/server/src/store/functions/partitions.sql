-- Makes the partitions of this month and of so many after it, of every table that is named in partitioned_table. Each start calls it, and
-- housekeeping daily.
create or replace function ensure_partitions(months_ahead int) returns void
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
