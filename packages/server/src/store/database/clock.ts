import type { Queryable } from "./database.ts";

/** The current time for everyone: by the database's clock, to the millisecond. */
export async function readClock(db: Queryable): Promise<Date> {
  const [row] = await db<{ now: Date }[]>`select db_now() as now`;
  return row!.now;
}
