import { createServer } from "node:net";
import { expect, test } from "vitest";
import { emptyDatabase, testDatabase } from "../../test/database.ts";
import { createLog } from "../base/log.ts";
import { createPool } from "./database.ts";
import { describeAddress, parseDatabaseUrl } from "./database-address.ts";
import { openDatabase } from "./open-database.ts";

const { address, url } = await testDatabase();
const log = createLog("silent");

test("the pool has the time limits and the name of the service", async () => {
  const sql = await openDatabase({ address, applicationName: "millrace test" }, log);
  const [row] = await sql`
    select current_setting('statement_timeout') as "statement", current_setting('idle_in_transaction_session_timeout') as "idle",
           current_setting('application_name') as "name", current_setting('TimeZone') as "zone"`;
  expect(row).toEqual({ statement: "30s", idle: "1min", name: "millrace test", zone: "UTC" });
  await sql.end();
});

test("behind a pooler the limits are the role's, set past the pooler", async () => {
  const own = await emptyDatabase();
  const sql = await openDatabase({ address: own.address, directAddress: own.address, prepare: false }, log);
  const later = createPool(own.address, { maxConnections: 1, sendsTimeouts: false });
  expect(await later`select current_setting('statement_timeout') as "statement"`).toEqual([{ statement: "30s" }]);
  expect(await sql`select ${[1, 2]}::int[] as "list", ${"x"}::text as "text"`).toEqual([{ list: [1, 2], text: "x" }]);
  await Promise.all([later.end(), sql.end()]);
});

test("a URL with a socket folder is understood in the ways of libpq", async () => {
  const sql = await openDatabase({ address: { url } }, log);
  expect(await sql`select 1 as one`).toEqual([{ one: 1 }]);
  await sql.end();
  const expected = { socketFolder: "/run/my sql", user: "me", database: "db" };
  expect(parseDatabaseUrl("postgres://me@/db?host=/run/my%20sql")).toEqual(expected);
  expect(parseDatabaseUrl("postgresql:///db?host=/run/my%20sql&user=me")).toEqual(expected);
  expect(parseDatabaseUrl("postgres://me@%2Frun%2Fmy%20sql/db")).toEqual(expected);
  expect(parseDatabaseUrl("postgres://me:pw@db.example:6432/db")).toEqual({ url: "postgres://me:pw@db.example:6432/db" });
});

test("a server that is not there is waited for, then named without its password", async () => {
  const port = await freePort();
  const missing = { url: `postgres://me:secret-word@127.0.0.1:${port}/db` };
  const failure = await openDatabase({ address: missing, patienceMs: 200 }, log).catch((error: Error) => error);
  expect(String(failure)).toContain(`127.0.0.1:${port}, database db cannot be used: ECONNREFUSED`);
  expect(String(failure)).not.toContain("secret-word");
  expect(describeAddress(missing)).not.toContain("secret-word");
});

test("a database that does not exist is told at once", async () => {
  const missing = "socketFolder" in address ? { ...address, database: "nowhere" } : { url: address.url.replace(/\/[^/]*$/, "/nowhere") };
  await expect(openDatabase({ address: missing }, log)).rejects.toThrow(/cannot be used: database "nowhere" does not exist/);
});

test("a text that is no URL of PostgreSQL is refused without being repeated", async () => {
  for (const text of ["mysql://me:secret-word@host/db", "secret-word"]) {
    const failure = await openDatabase({ address: { url: text } }, log).catch((error: Error) => error);
    expect(String(failure)).toContain("must look like postgres://");
    expect(String(failure)).not.toContain("secret-word");
  }
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
