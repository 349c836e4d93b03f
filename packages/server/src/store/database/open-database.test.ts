import { expect, test } from "vitest";
import { emptyDatabase, testDatabase } from "../../../test/kit/database.ts";
import { freePort } from "../../../test/kit/free-port.ts";
import { createLog } from "../../base/process/log.ts";
import { createPool } from "./database.ts";
import { addressOptions, describeAddress, parseDatabaseUrl } from "./database-address.ts";
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

test("statements are not compiled just in time, whatever the server's default is, with a pooler and without", async () => {
  for (const isPooled of [false, true]) {
    const own = await emptyDatabase();
    await own.sql.unsafe(`alter database ${own.name} set jit = on`);
    const sql = await openDatabase({ address: own.address, ...(isPooled && { directAddress: own.address }) }, log);
    expect(await sql`select current_setting('jit') as jit, current_setting('enable_seqscan') as scans`, `pooled: ${isPooled}`).toEqual([
      { jit: "off", scans: "off" },
    ]);
    await sql.end();
  }
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

test("a database that does not exist is reported at once", async () => {
  const missing = "socketFolder" in address ? { ...address, database: "nowhere" } : { url: address.url.replace(/\/[^/]*$/, "/nowhere") };
  await expect(openDatabase({ address: missing }, log)).rejects.toThrow(/cannot be used: database "nowhere" does not exist/);
});

test("a text that is not a URL of PostgreSQL is refused without being repeated", async () => {
  for (const text of ["mysql://me:secret-word@host/db", "secret-word"]) {
    const failure = await openDatabase({ address: { url: text } }, log).catch((error: Error) => error);
    expect(String(failure)).toContain("must look like postgres://");
    expect(String(failure)).not.toContain("secret-word");
  }
});

test.each(["se/cret", "se#cret", "se?cret", "12/cret", "12?cret", "50%cret", "se%zzcret"])(
  "a raw character in the password %s is named as the reason, and the password is not",
  (password) => {
    const parse = () => addressOptions({ url: `postgres://me:${password}@db.example:5432/db` });
    expect(parse).toThrow(/has a character that ends that part of a URL: percent-encode it/);
    expect(parse).not.toThrow(/cret/);
  },
);

test("what a URL says reaches the driver as it is meant", () => {
  const options = (url: string) => addressOptions({ url });
  expect(options("postgres://me%40tenant:p%2Fw%40%25x@db.example:6432/my%20db?application_name=own")).toEqual({
    host: ["db.example"],
    port: 6432,
    user: "me@tenant",
    password: "p/w@%x",
    database: "my db",
    settings: { application_name: "own" },
  });
  expect(options("postgres://me:a@b@[::1]/db")).toMatchObject({ host: ["::1"], password: "a@b" });
  expect(options("postgres://one,two:5433/db?user=me@tenant&target_session_attrs=primary")).toMatchObject({
    host: ["one", "two"],
    port: 5433,
    user: "me@tenant",
    target: "primary",
    settings: {},
  });
  expect(options("postgres:///db")).toEqual({ database: "db", settings: {} });
  expect(() => options("postgres://me@host/db?target_session_attrs=leader")).toThrow(
    /target_session_attrs=leader; it must be one of any, /,
  );
});
