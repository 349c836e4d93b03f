import { describe, expect, onTestFinished, test } from "vitest";
import { canPool, type PgBouncer, startPgBouncer, whyNotPooled } from "../../../test/fakes/pgbouncer.ts";
import { testDatabase } from "../../../test/kit/database.ts";
import { createLog } from "../../base/process/log.ts";
import { createPool, type Database } from "./database.ts";
import type { DatabaseAddress } from "./database-address.ts";
import { findPooling, keepsPrepared } from "./find-pooling.ts";
import { openDatabase } from "./open-database.ts";

/** Against a real PgBouncer. */
const { address } = await testDatabase();
const log = createLog("silent");
if (!canPool) console.log(`skipped: ${whyNotPooled}`);

async function pooler(settings: Record<string, string> = {}): Promise<PgBouncer> {
  const made = await startPgBouncer(address, settings);
  onTestFinished(() => made.stop());
  return made;
}

async function open(pooled: DatabaseAddress, more: object = {}): Promise<Database> {
  const sql = await openDatabase({ address: pooled, directAddress: address, maxConnections: 20, ...more }, log);
  onTestFinished(() => sql.end({ timeout: 1 }));
  return sql;
}

/** One of five kinds of statements; returns what is wrong with the result. */
async function askOne(sql: Database, index: number): Promise<string | undefined> {
  const text = `text ${index}`;
  if (index % 5 === 0) return differs(await sql`select ${index}::int as a`, [{ a: index }]);
  if (index % 5 === 1) return differs(await sql`select ${text}::text as b, ${index}::int as c`, [{ b: text, c: index }]);
  if (index % 5 === 2) return differs(await sql`select 7 as d`, [{ d: 7 }]);
  if (index % 5 === 3) {
    const rows = await sql`select ${[index, 2]}::int[] as list, (select count(*)::int from generate_series(1, 5000)) as l`;
    return differs(rows, [{ list: [index, 2], l: 5000 }]);
  }
  return sql.begin(async (tx) => {
    const first = differs(await tx`select ${index}::int as e`, [{ e: index }]);
    const [second, third] = await Promise.all([tx`select ${index}::int as f`, tx`select ${text}::text as g`]);
    return first ?? differs(second, [{ f: index }]) ?? differs(third, [{ g: text }]);
  });
}

function differs(rows: readonly object[], expected: readonly object[]): string | undefined {
  const [seen, wanted] = [JSON.stringify(rows), JSON.stringify(expected)];
  return seen === wanted ? undefined : `${seen} instead of ${wanted}`;
}

async function load(sql: Database, rounds: number): Promise<string[]> {
  const wrong = new Set<string>();
  for (let round = 0; round < rounds; round++) {
    const asked = Array.from({ length: 60 }, (_, index) => askOne(sql, round * 100 + index).catch((error: Error) => error.message));
    for (const answer of await Promise.all(asked)) if (answer !== undefined) wrong.add(answer);
  }
  return [...wrong];
}

describe.runIf(canPool)("behind PgBouncer", () => {
  test.each<Record<string, string>>([{}, { server_round_robin: "1" }, { default_pool_size: "2" }])(
    "in transaction mode (%o) every answer is the one to its statement, also under load",
    async (settings) => {
      const sql = await open((await pooler(settings)).address);
      expect(await load(sql, 20)).toEqual([]);
    },
  );

  test("transaction pooling, session pooling and none are distinguished, also where one process serves all", async () => {
    expect(await findPooling(address, true)).toBe("none");
    for (const settings of [{}, { server_round_robin: "1" }, { default_pool_size: "1" }] as Record<string, string>[]) {
      expect(await findPooling((await pooler(settings)).address, false), JSON.stringify(settings)).toBe("transaction");
    }
    expect(await findPooling((await pooler({ pool_mode: "session" })).address, false)).toBe("session");
  });

  test("statements that the pooler loses are not prepared, even where the setting asks for it", async () => {
    const pooled = (await pooler()).address;
    expect(await keepsPrepared(address, true)).toBe(true);
    if (await keepsPrepared(pooled, false)) return;
    await expect(open(pooled, { prepare: true })).rejects.toThrow(/loses prepared statements: remove MILLRACE_DATABASE_PREPARE=true/);
  });

  test("without the direct address the start ends at once, with the server's words and the setting's name", async () => {
    const strict = openDatabase({ address: (await pooler()).address }, log);
    await expect(strict).rejects.toThrow(
      /unsupported startup parameter.*\(08P01\)\. This is a connection pooler\. Set MILLRACE_DATABASE_DIRECT_URL/,
    );
    const lenient = await pooler({ ignore_startup_parameters: "statement_timeout,idle_in_transaction_session_timeout" });
    await expect(openDatabase({ address: lenient.address }, log)).rejects.toThrow(
      /behind a pooler in transaction mode.*set MILLRACE_DATABASE_DIRECT_URL/,
    );
    const twice = openDatabase({ address: lenient.address, directAddress: lenient.address }, log);
    await expect(twice).rejects.toThrow(/\(MILLRACE_DATABASE_DIRECT_URL\) is behind a pooler.*it must be the address of the server itself/);
  });

  test("a pooler with a session for each connection needs no direct address", async () => {
    const settings = { pool_mode: "session", ignore_startup_parameters: "statement_timeout,idle_in_transaction_session_timeout" };
    const sql = await openDatabase({ address: (await pooler(settings)).address }, log);
    onTestFinished(() => sql.end({ timeout: 1 }));
    expect(await load(sql, 3)).toEqual([]);
  });
});

test("a transaction that begins on a connection that is full takes its turn", async () => {
  const sql = createPool(address, { maxConnections: 1, pipelines: false });
  onTestFinished(() => sql.end({ timeout: 1 }));
  const results = await Promise.all([sql`select 1 as one`, sql.begin((tx) => tx`select 2 as two`), sql`select 3 as three`]);
  expect(results.map(([row]) => row)).toEqual([{ one: 1 }, { two: 2 }, { three: 3 }]);
});
