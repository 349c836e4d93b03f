import { BoundedCache } from "../../base/process/bounded-cache.ts";
import { readClock } from "./clock.ts";
import type { Queryable } from "./database.ts";

/**
 * The totals of long lists. A page shows how many rows match over all pages, and counting a hundred thousand rows for each page of twenty
 * costs more than the page. Lists of runs, task runs, actions and workflows grow at one end only, and the filtered columns of such a row
 * (team, workflow, trigger, type, dates) never change. So the number of old rows is cached, and only the newer ones are counted.
 *
 * History that is removed because of its age (domain/history) affects a number up to `keptMs` late.
 *
 * Old means older than `settledMs` by the database's clock: by then every transaction that inserted such a row has long committed. Rows
 * also disappear when their workflow is deleted: the caller passes the state of the deletions, and another state means another number. A
 * number is never cached for longer than `keptMs`. Short lists are always counted.
 */
const settledMs = 120_000;
const keptMs = 60_000;
const minKept = 10_000;
const maxEntries = 5_000;

interface Known {
  settled: number;
  until: Date;
  readAt: number;
}

const known = new BoundedCache<Known>("list-totals", { maxEntries });

/** Rows inserted at `from` or later, and before `to`. */
export interface Span {
  from?: Date;
  to?: Date;
}

/**
 * @param key the list, by its team, its filter and the state of the deletions
 * @param count counts its rows in a time range
 */
export async function countGrowing(db: Queryable, key: string, count: (span: Span) => Promise<number>): Promise<number> {
  const now = performance.now();
  const before = known.get(key, ({ readAt }) => now - readAt < keptMs);
  if (before !== undefined) return before.settled + (await count({ from: before.until }));
  known.delete(key);
  const total = await count({});
  if (total >= minKept) await keep(db, key, count);
  return total;
}

async function keep(db: Queryable, key: string, count: (span: Span) => Promise<number>): Promise<void> {
  const readAt = performance.now();
  const until = new Date((await readClock(db)).getTime() - settledMs);
  const settled = await count({ to: until });
  known.set(key, { settled, until, readAt });
}
