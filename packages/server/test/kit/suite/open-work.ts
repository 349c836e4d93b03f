import { createPool } from "../../../src/store/database/database.ts";
import type { DatabaseAddress } from "../../../src/store/database/database-address.ts";

/**
 * The unfinished work in a database, for the message of a failed test: runs and task runs with their claims, workers with their leases,
 * pending deliveries, lost attempts, and what each session does. On a separate connection, since those of the test may be stuck.
 */
export async function describeOpenWork(
  address: DatabaseAddress,
  names = Object.keys(queries) as (keyof typeof queries)[],
): Promise<string> {
  const look = createPool(address, { maxConnections: 1 });
  try {
    const parts: string[] = [];
    for (const name of names) parts.push(`${name}: ${lines(await look.unsafe(queries[name]))}`);
    return parts.join("\n");
  } catch (error) {
    return `what is open could not be read: ${String(error)}`;
  } finally {
    await look.end({ timeout: 1 });
  }
}

const lines = (rows: readonly object[]) =>
  rows.length === 0 ? "none" : rows.map((row) => `\n  ${JSON.stringify(row, (_key, value) => value ?? undefined)}`).join("");

const queries = {
  "runs by status": "select phase, status, count(*) from run group by 1, 2 order by 1, 2",
  "open runs": `
    select id, phase, status, reason, status_message, activity, db_now() - created_at as age, due_at
    from run where phase <> 'completed' order by id limit 30`,
  "open task runs": `
    select t.id, t.run_id, t.name, t.status, t.attempt, t.losses, t.given_back, t.worker_id, w.pid, w.lease_until - db_now() as lease_left,
      db_now() - t.claimable_at as claimable_for, db_now() - t.started_at as running_for, t.place, t.due_at, t.status_message
    from task_run t left join worker w on w.id = t.worker_id where t.phase <> 'completed' and t.status <> 'notstarted' order by t.id limit 60`,
  workers: `
    select id, pid, started_at, lease_until - db_now() as lease_left, executors, faults, slots,
      (select count(*) from task_run t where t.worker_id = w.id and t.status = 'running') as holds
    from worker w order by started_at`,
  "lost attempts": `
    select task_run_id, attempt, reason, status_message, worker_id, started_at, ended_at from task_run_attempt where status = 'lost' order by ended_at limit 60`,
  "deliveries by state": `
    select status, attempts, last_error, count(*), min(due_at) - db_now() as due_in from delivery group by 1, 2, 3 order by 1, 2, 3`,
  "changes without deliveries yet": "select count(*) from change_event where dispatched_at is null",
  "clock ahead by": "select db_now() - clock_timestamp() as ahead",
  sessions: `
    select pid, application_name, state, wait_event_type, wait_event, now() - xact_start as since, left(query, 200) as query
    from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`,
};
