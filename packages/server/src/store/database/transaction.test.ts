import { afterAll, beforeAll, expect, test } from "vitest";
import { testDatabase } from "../../../test/kit/database.ts";
import { createPool } from "./database.ts";
import { sqlState } from "./database-error.ts";
import { transaction } from "./transaction.ts";

const { sql, address } = await testDatabase();
const other = createPool(address, { maxConnections: 2 });
afterAll(() => other.end({ timeout: 1 }));

beforeAll(async () => {
  await sql`create table account (id int primary key, amount int not null)`;
  await sql`insert into account values (1, 10), (2, 10)`;
  await sql`create table entry (id int primary key)`;
});

test("a failed transaction leaves nothing", async () => {
  const failing = transaction(sql, async (tx) => {
    await tx`insert into entry values (1)`;
    throw new Error("no");
  });
  await expect(failing).rejects.toThrow("no");
  expect(await sql`select id from entry`).toEqual([]);
});

test("the victim of a deadlock is retried, and both succeed", async () => {
  let runs = 0;
  const bothHold = meetingPoint(2);
  const move = (first: number, second: number) =>
    transaction(sql, async (tx) => {
      runs++;
      await tx`update account set amount = amount - 1 where id = ${first}`;
      await bothHold();
      await tx`update account set amount = amount + 1 where id = ${second}`;
    });
  await Promise.all([move(1, 2), move(2, 1)]);
  expect(runs).toBe(3);
  expect(await sql`select id, amount from account order by id`).toEqual([
    { id: 1, amount: 10 },
    { id: 2, amount: 10 },
  ]);
});

test("a statement that a migration made stale is prepared again", async () => {
  await sql`create table shape (id int)`;
  await sql`insert into shape values (7)`;
  const one = createPool(address, { maxConnections: 1 });
  const read = () => transaction(one, async (tx) => [...(await tx`select id from shape where id > ${0}`)]);
  expect(await read()).toEqual([{ id: 7 }]);
  await sql`alter table shape alter column id type text using 'x' || id`;
  await sql`alter table shape alter column id type bigint using substr(id, 2)::bigint`;
  expect(await read()).toEqual([{ id: 7 }]);
  await one.end();
});

test("an error after COMMIT was sent is not tried again", async () => {
  await sql.unsafe(`
    create function refuse() returns trigger language plpgsql as $$ begin raise 'late' using errcode = '40001'; end $$;
    create constraint trigger refuse after insert on entry deferrable initially deferred for each row execute function refuse()`);
  let runs = 0;
  const ambiguous = transaction(sql, async (tx) => {
    runs++;
    await tx`insert into entry values (2)`;
  });
  await expect(ambiguous).rejects.toThrow("late");
  expect(runs).toBe(1);
  await sql`drop trigger refuse on entry`;
});

test("an endless conflict is given up", async () => {
  let runs = 0;
  const hopeless = transaction(sql, async (tx) => {
    runs++;
    await tx.unsafe("do $$ begin raise 'again' using errcode = '40001'; end $$");
  });
  await expect(hopeless).rejects.toSatisfy((error) => sqlState(error) === "40001");
  expect(runs).toBe(5);
});

test("a reading transaction refuses writes and sees one moment", async () => {
  await expect(transaction(sql, (tx) => tx`insert into entry values (3)`, { access: "read" })).rejects.toThrow(/read-only/);
  const seen = await transaction(
    sql,
    async (tx) => {
      const [before] = await tx`select count(*)::int as "count" from entry`;
      await other`insert into entry values (4)`;
      const [after] = await tx`select count(*)::int as "count" from entry`;
      return [before?.count, after?.count];
    },
    { access: "read" },
  );
  expect(seen[0]).toBe(seen[1]);
});

/** The first time, waits until so many callers have arrived; later callers pass. */
function meetingPoint(size: number): () => Promise<void> {
  let come = 0;
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return async () => {
    if (++come >= size) open();
    await opened;
  };
}
