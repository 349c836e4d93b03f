-- Gives ready task runs of external tasks to an external worker of the same team: a new attempt each, with its deadline, as claim_task_runs does for
-- the workers of the service. The place of such a task run is its task ('external/NAME'), so each task that is asked for is a stretch of the index
-- task_run_claimable, however much waits of other tasks. The task whose oldest waits longest goes first; then, of each task, the oldest.
--
-- A worker that claims is alive, so its lease is extended where a third of it is over: not each time, since it would write a row for each step of
-- a chain. One that is longer than it can be is renewed, too: the clock was set back. Its row must be there, since an attempt without it would
-- never be found lost: one whose lease is over is extended first, or is gone. A worker of another team or another credential gets nothing.
create or replace function claim_external_task_runs(team uuid, claimer uuid, claimer_owner text, wanted int, tasks text[])
  returns table (team_id uuid, run_id uuid, id uuid, node int, item int, attempt int, deadline_at timestamptz, claimed_at timestamptz,
                need text, losses int)
  language plpgsql
  set plan_cache_mode = force_generic_plan
  set jit = off
  set enable_sort = off
  set enable_incremental_sort = off
  set enable_hashjoin = off
  set enable_mergejoin = off
  as $$
  declare
    picked uuid[];
    remaining int := wanted;
    taken int;
    list text;
    lists text[];
    until timestamptz;
    seconds int;
  begin
    select w.lease_until, w.lease_seconds into until, seconds from worker w
    where w.id = claimer and w.team_id = team and w.owner = claimer_owner;
    if found and until not between db_now() + make_interval(secs => seconds * 2 / 3.0) and db_now() + make_interval(secs => seconds) then
      update worker w set lease_until = db_now() + make_interval(secs => seconds) where w.id = claimer;
    end if;
    if not found then
      return;
    end if;
    select array_agg(head.place order by head.at, head.place) into lists
    from (select p.place, (select q.claimable_at from task_run q where q.team_id = team and q.place = p.place and q.claimable_at is not null
                           order by q.claimable_at, q.id limit 1) as at
          from unnest(tasks) as p(place)) head
    where head.at is not null;
    foreach list in array coalesce(lists, '{}') loop
      exit when remaining <= 0;
      picked := array(
        select q.id from task_run q
        where q.team_id = team and q.place = list and q.claimable_at is not null
        order by q.claimable_at, q.id limit remaining for update skip locked);
      continue when picked = '{}';
      return query
        update task_run t
        set status = 'running', phase = 'running', attempt = t.attempt + 1, claimable_at = null, worker_id = claimer, reason = null, status_message = null,
            started_at = moment.at, deadline_at = moment.at + make_interval(mins => t.timeout_minutes),
            due_at = moment.at + make_interval(mins => t.timeout_minutes)
        from (select db_now() as at) moment, (select u.id from unnest(picked) as u(id) limit cardinality(picked)) p
        where t.id = any(array[p.id]) and (t.team_id = team) is true -- see apply_run_changes
        returning t.team_id, t.run_id, t.id, t.node, t.item, t.attempt, t.deadline_at, moment.at, t.executor, t.losses;
      get diagnostics taken = row_count;
      remaining := remaining - taken;
    end loop;
  end
  $$;

-- The end of attempts, the release of what follows and the next claims of the same external worker, in one round trip; see complete_and_claim.
-- "at_once" is explained there; a worker whose lease is to be extended claims in the usual way, once a third of its lease.
drop function if exists complete_and_claim_external(json, uuid, uuid, text, int, text[]);
create or replace function complete_and_claim_external(changes json, team uuid, claimer uuid, claimer_owner text, wanted int, tasks text[],
                                                       at_once boolean default false)
  returns table (applied uuid[], claims json)
  language plpgsql
  set plan_cache_mode = force_generic_plan
  as $$
  begin
    at_once := at_once and not is_kind_wanted('taskrun')
      and exists (select from worker w where w.id = claimer and w.team_id = team and w.owner = claimer_owner
                  and w.lease_until between db_now() + make_interval(secs => w.lease_seconds * 2 / 3.0)
                                        and db_now() + make_interval(secs => w.lease_seconds))
      and not exists (
        select from unnest(tasks) as p(place)
        cross join lateral (select 1 from task_run q where q.team_id = team and q.place = p.place and q.claimable_at is not null
                            order by q.claimable_at, q.id limit 1) waiting);
    select c.applied, c.claims into applied, claims from apply_and_claim(changes, case when at_once then claimer end) c;
    if claims is null and wanted > 0 then
      select json_agg(c) into claims from claim_external_task_runs(team, claimer, claimer_owner, wanted, tasks) c;
    end if;
    return next;
  end
  $$;
