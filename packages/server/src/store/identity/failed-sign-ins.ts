import type { FailedSignIn } from "../../base/secret/sign-in-refusal.ts";
import type { Queryable } from "../database/database.ts";

/** Equal failures, combined. */
export interface FailureCount extends FailedSignIn {
  network: string;
  count: number;
}

export interface FailedSignInRow {
  hour: Date;
  network: string;
  way: string;
  reason: string;
  account: string;
  count: number;
  firstAt: Date;
  lastAt: Date;
}

/** Most rows per hour: from one network, and from all. Further failures are counted in a row of the network, or of all networks. */
const mostOfNetwork = 20;
const mostOfHour = 500;
const keptDays = 30;

/**
 * Adds to the row of this hour, or inserts it within the limit. This limits what outsiders can make the service write: some 360,000 rows in
 * all, however many networks take part. Two concurrent processes may exceed it by a row.
 */
export async function countFailedSignIn(db: Queryable, { network, way, why, account = "", count }: FailureCount): Promise<void> {
  await db`
    with now as (select (select db_now()) as at, date_trunc('hour', (select db_now())) as hour),
    room as (
      select exists (select from failed_sign_in f, now
                     where f.hour = now.hour and f.network = ${network} and f.way = ${way} and f.reason = ${why} and f.account = ${account}) as is_known,
        (select count(*) from failed_sign_in f, now where f.hour = now.hour) >= ${mostOfHour} as is_hour_full,
        (select count(*) from failed_sign_in f, now where f.hour = now.hour and f.network = ${network}) >= ${mostOfNetwork} as is_network_full)
    insert into failed_sign_in (hour, network, way, reason, account, count, first_at, last_at)
    select hour,
      case when not is_known and is_hour_full then '*' else ${network} end,
      case when not is_known and (is_hour_full or is_network_full) then '*' else ${way} end,
      case when not is_known and (is_hour_full or is_network_full) then '*' else ${why} end,
      case when not is_known and (is_hour_full or is_network_full) then '' else ${account} end,
      ${count}, at, at
    from now, room
    on conflict (hour, network, way, reason, account)
    do update set count = failed_sign_in.count + excluded.count, last_at = excluded.last_at`;
}

/** One page, the newest hour first, and the number of rows. */
export async function queryFailedSignIns(
  db: Queryable,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: FailedSignInRow[]; total: number }> {
  const rows = await db<FailedSignInRow[]>`
    select hour, network, way, reason, account, count::int8::float8 as count, first_at as "firstAt", last_at as "lastAt" from failed_sign_in
    order by hour desc, count desc, network, way, reason, account limit ${limit} offset ${offset}`;
  const [row] = await db<{ total: number }[]>`select count(*)::int as total from failed_sign_in`;
  return { rows, total: row!.total };
}

export async function deleteOldFailedSignIns(db: Queryable): Promise<void> {
  await db`delete from failed_sign_in where hour < (select db_now()) - make_interval(days => ${keptDays})`;
}
