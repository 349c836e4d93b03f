import { beforeAll, expect, test } from "vitest";
import { serverOptions, testPool } from "../test/test-server.ts";
import { postgres } from "./postgres.ts";
import type { TransactionSql } from "./transaction.ts";

/** A separate table in the suite's maintenance database. */
const table = `transaction_test_${process.pid}`;

beforeAll(async () => {
  const sql = postgres(serverOptions());
  await sql.unsafe(`create table ${table} (id int primary key)`);
  return async () => {
    await sql.unsafe(`drop table ${table}`);
    await sql.end();
  };
});

const insert = (sql: TransactionSql, id: number) => sql`insert into ${sql(table)} values (${id})`;
const ids = async () => (await testPool()`select id from ${testPool()(table)} order by id`).map(({ id }) => id as number);

test("a transaction that lost its connection never continues outside of the transaction; the pool stays usable", async () => {
  const sql = testPool();
  const other = testPool();
  await other`select pg_advisory_lock(4711)`;
  const later: unknown[] = [];
  const lost = sql.begin(async (tx) => {
    await insert(tx, 1);
    const [row] = await tx`select pg_backend_pid() as pid`;
    const under = tx`select pg_advisory_xact_lock(4711)`.catch((error: unknown) => void later.push(error));
    const behind = insert(tx, 2).catch((error: unknown) => void later.push(error));
    await other`select pg_terminate_backend(${row!.pid})`;
    await Promise.all([under, behind]);
    for (const id of [3, 4]) await insert(tx, id).catch((error: unknown) => void later.push(error));
    await tx.savepoint((inner) => insert(inner, 5)).catch((error: unknown) => void later.push(error));
  });
  await expect(lost).rejects.toMatchObject({ code: expect.stringMatching(/^(57P01|CONNECTION_CLOSED|ECONNRESET|EPIPE)$/) });
  await expect.poll(() => later.length).toBe(5);
  expect(await sql`select 1 as one`).toEqual([{ one: 1 }]);
  expect(await ids()).toEqual([]);
});

test("a statement after the end of its transaction is not executed", async () => {
  const sql = testPool();
  let kept: TransactionSql | undefined;
  await sql.begin(async (tx) => {
    kept = tx;
    await tx`select 1`;
  });
  await expect(insert(kept!, 10)).rejects.toMatchObject({ code: "TRANSACTION_ENDED" });
  expect(await ids()).toEqual([]);
});

test("BEGIN is sent with the first statement, which is not executed if BEGIN is refused", async () => {
  const sql = testPool();
  const writing = sql.begin("isolation level imaginary", (tx) => insert(tx, 20));
  await expect(writing).rejects.toMatchObject({ code: "42601" });
  const text = sql.begin("isolation level imaginary", (tx) => tx.unsafe(`insert into ${table} values (21)`));
  await expect(text).rejects.toMatchObject({ code: "42601" });
  expect(await ids()).toEqual([]);
  expect(await sql`select 1 as one`).toEqual([{ one: 1 }]);
});

test("if the first statement can't be sent, the next one begins the transaction", async () => {
  const sql = testPool();
  const failing = sql.begin(async (tx) => {
    await tx`select ${undefined as never}`.catch(() => undefined);
    await insert(tx, 30);
  });
  await expect(failing).rejects.toMatchObject({ code: "UNDEFINED_VALUE" });
  expect(await ids()).toEqual([]);
});

test("a transaction without a statement sends nothing", async () => {
  const sent: string[] = [];
  const sql = testPool({ onStatement: (text) => void sent.push(text) });
  expect(await sql.begin(async () => "nothing to do")).toBe("nothing to do");
  expect(sent).toEqual([]);
});

test("a failed statement rolls back the transaction, also when nobody awaits it", async () => {
  const sql = testPool();
  const caught = sql.begin(async (tx) => {
    await insert(tx, 40);
    await tx`select 1 / 0`.catch(() => undefined);
  });
  await expect(caught).rejects.toMatchObject({ code: "22012" });
  const unawaited = sql.begin(async (tx) => {
    await insert(tx, 41);
    void tx`select 1 / 0`.catch(() => undefined);
  });
  await expect(unawaited).rejects.toMatchObject({ code: "22012" });
  expect(await ids()).toEqual([]);
});

test("a failed savepoint rolls back only its own part", async () => {
  const sql = testPool();
  await sql.begin(async (tx) => {
    const inner = tx.savepoint(async (part) => {
      await insert(part, 50);
      await part`select 1 / 0`;
    });
    await expect(inner).rejects.toMatchObject({ code: "22012" });
    await tx.savepoint((part) => insert(part, 51));
  });
  expect(await ids()).toEqual([51]);
});

test("a transaction that a caller opens with BEGIN on a shared connection is not left open for others", async () => {
  const sql = testPool();
  await sql`begin`;
  await expect(sql`insert into ${sql(table)} values (60)`).resolves.toEqual([]);
  expect(await sql`select pg_current_xact_id_if_assigned() is null as "isOutside"`).toEqual([{ isOutside: true }]);
  expect(await ids()).toEqual([51, 60]);
});
