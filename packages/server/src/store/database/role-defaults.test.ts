import { expect, test } from "vitest";
import { testDatabase } from "../../../test/kit/database.ts";
import { createPool } from "./database.ts";
import { setRoleDefaults } from "./role-defaults.ts";

const { sql, address, name } = await testDatabase();

async function defaultsOfNewConnections() {
  const later = createPool(address, { maxConnections: 1, sendsTimeouts: false });
  const [row] = await later`
    select current_setting('statement_timeout') as statement, current_setting('idle_in_transaction_session_timeout') as idle, current_setting('jit') as jit,
      current_setting('enable_seqscan') as scans`;
  await later.end();
  return row;
}

test("processes that start at the same time all set the defaults of their role", async () => {
  const pools = Array.from({ length: 8 }, () => createPool(address, { maxConnections: 1 }));
  for (let round = 0; round < 10; round++) {
    await sql.unsafe(`alter role current_user in database ${name} set statement_timeout = ${round + 1}`);
    await Promise.all(pools.map(setRoleDefaults));
  }
  await Promise.all(pools.map((pool) => pool.end()));
  expect(await defaultsOfNewConnections()).toEqual({ statement: "30s", idle: "1min", jit: "off", scans: "off" });
});

test("a default that is set already is not written again", async () => {
  const version = () =>
    sql`select xmin::text from pg_db_role_setting where setdatabase = (select oid from pg_database where datname = ${name})`;
  await setRoleDefaults(sql);
  const before = await version();
  await setRoleDefaults(sql);
  expect(await version()).toEqual(before);
});

test("no function that forbids sorts lets them be compiled: what is forbidden counts as endlessly expensive", async () => {
  const functions = await sql<{ name: string; settings: string[] }[]>`
    select proname as name, proconfig as settings from pg_proc where 'enable_sort=off' = any(proconfig)`;
  expect(functions.length).toBeGreaterThan(0);
  expect(functions.filter(({ settings }) => !settings.includes("jit=off"))).toEqual([]);
});
