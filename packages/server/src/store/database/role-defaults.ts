import { type Database, defaultIdleInTransactionTimeoutMs, defaultStatementTimeoutMs, plannerSettings } from "./database.ts";
import { transaction } from "./transaction.ts";

/**
 * Settings that a pooler refuses as options of a connection, so they are set as defaults of the role instead (store/database/database.ts
 * explains each of them).
 */
const defaults: Readonly<Record<string, string>> = {
  statement_timeout: String(defaultStatementTimeoutMs),
  idle_in_transaction_session_timeout: String(defaultIdleInTransactionTimeoutMs),
  ...plannerSettings,
};

/**
 * Every role may set its own defaults for a database, even if it owns nothing else. Two processes that start at the same time would change
 * the same catalogue row, which the server refuses ("tuple concurrently updated"). So this is serialized, and only differences are written.
 *
 * @param direct bypassing the pooler
 */
export async function setRoleDefaults(direct: Database): Promise<void> {
  await transaction(direct, async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtextextended('millrace.role-defaults', 0))`;
    const [row] = await tx<{ database: string; present: string[] }[]>`
      select quote_ident(d.datname) as database, coalesce(s.setconfig, '{}') as present
      from pg_database d join pg_roles r on r.rolname = current_user
      left join pg_db_role_setting s on s.setrole = r.oid and s.setdatabase = d.oid
      where d.datname = current_database()`;
    for (const [name, value] of Object.entries(defaults))
      if (!row!.present.includes(`${name}=${value}`))
        await tx.unsafe(`alter role current_user in database ${row!.database} set ${name} = ${value}`);
  });
}
