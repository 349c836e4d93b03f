import { setTimeout as sleep } from "node:timers/promises";
import { nothingRemoved, type Removed } from "../../../src/domain/history/removal.ts";
import { removeHistory } from "../../../src/domain/history/remove-history.ts";
import type { Database } from "../../../src/store/database/database.ts";
import { fillHistory, makePastMonths } from "../data/fill-history.ts";
import { createFactories } from "../factories.ts";

/** The retention of an instance with default settings. */
export const shippedRetention = { runs: 180, logs: 30, deliveries: 30, audit: 400 };

const months = 15;
const tables =
  "run, task_run, task_run_attempt, log_chunk, workflow_proposal, action, action_vote, action_note, run_event, change_event, delivery, audit, history_removal, log_object, log_object_unused";

/** Oldest row of each kind of history, by a condition on the team. */
const oldestRows = {
  run: "select min(created_at) from run where of_team",
  task_run: "select min(created_at) from task_run where of_team",
  attempt: "select min(ended_at) from task_run_attempt where of_team",
  log: "select id_date(id) from log_chunk where of_team order by id limit 1",
  action: "select min(created_at) from action where of_team",
  run_event: "select min(at) from run_event where of_team",
  change_event: "select min(at) from change_event where of_team",
  delivery: "select min(ended_at) from delivery where of_team",
  audit: "select min(at) from audit where of_team",
};

/** What must never remain, whatever happens: rows without their run. */
export const noOrphans = { tasks: 0, attempts: 0, logs: 0, objects: 0, actions: 0, events: 0 };

/** Months of generated history, its removal, and what is left of it. */
export function historyKit(sql: Database) {
  const make = createFactories(sql);
  return {
    /** Creates partitions as after fifteen months, without rows. */
    async empty() {
      for (const table of tables.split(", ")) await sql.unsafe(`delete from ${table}`);
      await makePastMonths(sql, months);
    },
    /** A team with fourteen months of runs. */
    async world(everyHours = 24) {
      const { id } = await make.team();
      const [workflow] = await sql<{ id: string }[]>`
        insert into workflow (team_id, name, display_name, triggers, latest_version) values (${id}, 'w', 'W', '{}', 1) returning id`;
      await fillHistory(sql, id, workflow!.id, { everyHours, days: 440 });
      return { teamId: id, workflowId: workflow!.id };
    },
    /** @param isHasty skips the pauses between batches, which a test need not wait for */
    async remove(retention: Partial<typeof shippedRetention> = {}, db = sql, isHasty = true): Promise<Removed & { busy: string[] }> {
      const removed = nothingRemoved();
      const busy: string[] = [];
      await removeHistory({
        sql: db,
        retention: { ...shippedRetention, ...retention },
        signal: new AbortController().signal,
        pause: isHasty ? async () => undefined : (ms) => sleep(ms),
        removed,
        onBusy: (name) => busy.push(name),
      });
      return { ...removed, busy };
    },
    /** Age in days of the oldest row of each table. */
    async oldest(teamId?: string) {
      const condition = teamId ? `team_id = '${teamId}'` : "true";
      const ages = Object.entries(oldestRows).map(
        ([name, query]) => `floor(extract(epoch from now() - (${query.replace("of_team", condition)})) / 86400)::int as ${name}`,
      );
      const [row] = await sql.unsafe<Record<keyof typeof oldestRows, number>[]>(`select ${ages.join(", ")}`);
      return row!;
    },
    async orphans() {
      const [row] = await sql`
        select (select count(*)::int from task_run t where not exists (select from run r where r.id = t.run_id)) as tasks,
          (select count(*)::int from task_run_attempt a where not exists (select from task_run t where t.id = a.task_run_id)) as attempts,
          (select count(*)::int from log_chunk c where not exists (select from task_run t where t.id = c.task_run_id)) as logs,
          (select count(*)::int from log_object o where not exists (select from task_run t where t.id = o.task_run_id)) as objects,
          (select count(*)::int from action a where not exists (select from run r where r.id = a.run_id)) as actions,
          (select count(*)::int from run_event e where not exists (select from run r where r.id = e.run_id)) as events`;
      return row;
    },
    /** Runs that lack something that each of them had, except those of months that are about to be removed. */
    async incomplete() {
      const [row] = await sql<{ count: number }[]>`
        select count(*)::int as count from run r
        where not to_char(id_date(r.id) at time zone 'UTC', 'YYYYMM') = any(coalesce((select leaving_months from history_removal), '{}'))
          and ((select count(*) from task_run t join task_run_attempt a on a.task_run_id = t.id where t.run_id = r.id) <> 2
            or not exists (select from action a where a.run_id = r.id) or not exists (select from run_event e where e.run_id = r.id))`;
      return row!.count;
    },
  };
}
