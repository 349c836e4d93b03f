import { expect, test } from "vitest";
import { answer, startFakeServer, welcome } from "../test/fake-server.ts";
import { serverOptions, testPool } from "../test/test-server.ts";

const pid = async (sql: ReturnType<typeof testPool>) => (await sql`select pg_backend_pid() as "pid"`)[0]!.pid as number;

test("sequential statements share one connection; concurrent ones use as many as allowed", async () => {
  const sql = testPool({ maxConnections: 3 });
  const first = await pid(sql);
  expect([await pid(sql), await pid(sql)]).toEqual([first, first]);
  const wait = (index: number) => sql.begin(async (tx) => [index, (await tx`select pg_backend_pid() as "pid"`)[0]!.pid]);
  const all = await Promise.all(Array.from({ length: 9 }, (_, index) => wait(index)));
  expect(all.map(([index]) => index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  expect(new Set(all.map(([, process]) => process)).size).toBeLessThanOrEqual(3);
});

test("the description of a statement is shared between connections", async () => {
  const sql = testPool({ maxConnections: 2 });
  const ask = (db: <T extends readonly object[]>(strings: TemplateStringsArray, ...values: number[]) => PromiseLike<T>) =>
    db<{ a: number }[]>`select ${41}::int + ${1} as a`;
  expect(await ask(sql)).toEqual([{ a: 42 }]);
  const [one, two] = await Promise.all([sql.reserve(), sql.reserve()]);
  expect(await Promise.all([ask(one), ask(one), ask(two), ask(two)])).toEqual(Array(4).fill([{ a: 42 }]));
  const known = await Promise.all([one, two].map((db) => db`select count(*) from pg_prepared_statements where statement like '%as a'`));
  expect(known.map(([row]) => row!.count)).toEqual([1, 1]);
  one.release();
  two.release();
});

test("a statement that became stale is prepared again, and one whose types changed works the next time", async () => {
  const sql = testPool();
  await sql`create temporary table shape (id int, note text)`;
  const read = () => sql`select * from shape where id = ${1}`;
  const write = () => sql`insert into shape values (1, ${"[1]"})`;
  await write();
  expect(await read()).toEqual([{ id: 1, note: "[1]" }]);
  await sql`alter table shape alter column note type json using note::json`;
  const again = read();
  expect(await again).toEqual([{ id: 1, note: [1] }]);
  expect(again.wasPreparedAgain).toBe(true);
  await write();
  expect(await read()).toHaveLength(2);
});

test("with prepared statements turned off, none stays on the server", async () => {
  const sql = testPool({ prepares: false });
  for (const value of [1, 2]) expect(await sql`select ${value}::int as a`).toEqual([{ a: value }]);
  expect(await sql`select name from pg_prepared_statements`).toEqual([]);
});

test("behind a pooler, one statement is in flight at a time", async () => {
  let inProgress = 0;
  let most = 0;
  const { options } = await startFakeServer((socket, piece) => {
    if (piece.readInt32BE(0) === piece.length) return void socket.write(welcome);
    inProgress += piece.toString("latin1").split("select").length - 1;
    most = Math.max(most, inProgress);
    setImmediate(() => {
      inProgress--;
      socket.write(answer("done"));
    });
  });
  const sql = testPool({ ...options, mostInProgress: 1 });
  await Promise.all([1, 2, 3].map((value) => sql.unsafe(`select ${value}`)));
  expect(most).toBe(1);
});

test("closing waits for running statements, refuses new ones, and aborts at its timeout", async () => {
  const sql = testPool({ maxConnections: 2 });
  const other = testPool();
  await other`select pg_advisory_lock(4712)`;
  const slow = sql`select pg_advisory_lock_shared(4712), 1 as done`.then(([row]) => row!.done as number);
  await expect
    .poll(async () => (await other`select from pg_locks where locktype = 'advisory' and objid = 4712 and not granted`).length)
    .toBe(1);
  const ended = sql.end();
  await expect(sql`select 1`).rejects.toMatchObject({ code: "CONNECTION_ENDED" });
  await other`select pg_advisory_unlock(4712)`;
  expect(await slow).toBe(1);
  await ended;

  const stuck = testPool();
  await other`select pg_advisory_lock(4712)`;
  const failing = stuck`select pg_advisory_lock(4712)`.catch((error: unknown) => error);
  await expect
    .poll(async () => (await other`select from pg_locks where locktype = 'advisory' and objid = 4712 and not granted`).length)
    .toBe(1);
  await stuck.end({ timeout: 0 });
  expect(await failing).toMatchObject({ code: "CONNECTION_DESTROYED" });
});

test("of several servers, the first that answers and has the wanted role is used", async () => {
  const { path, host = [], ...who } = serverOptions();
  const here = path === undefined ? host[0]! : path.replace(/\/\.s\.PGSQL\.\d+$/, "");
  const port = path === undefined ? who.port : 5432;
  const sql = testPool({ ...who, port, path: undefined, host: ["/nowhere", here], target: "primary" });
  expect(await sql`select pg_is_in_recovery() as standby`).toEqual([{ standby: false }]);
  const preferring = testPool({ ...who, port, path: undefined, host: [here], target: "prefer-standby" });
  expect(await preferring`select 1 as one`).toEqual([{ one: 1 }]);
  const missing = testPool({ ...who, port, path: undefined, host: [here], target: "standby" });
  await expect(missing`select 1`).rejects.toMatchObject({ code: "CONNECT_WRONG_TARGET" });
});

test("an idle connection is closed, and the next statement opens another one", async () => {
  const sql = testPool({ idleTimeoutMs: 40 });
  const first = await pid(sql);
  const other = testPool();
  await expect.poll(async () => (await other`select from pg_stat_activity where pid = ${first}`).length).toBe(0);
  expect(await pid(sql)).not.toBe(first);
});

test("notifications reach their listeners", async () => {
  const heard: string[] = [];
  const sql = testPool({ onNotification: (channel, payload) => void heard.push(`${channel}: ${payload}`) });
  await sql`listen ${sql("driver test")}`;
  await testPool()`select pg_notify('driver test', ${"ä €"})`;
  await expect.poll(() => heard).toEqual(["driver test: ä €"]);
});
