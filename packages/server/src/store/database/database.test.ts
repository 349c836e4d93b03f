import { expect, test } from "vitest";
import { moveTime, setTestTime, testDatabase } from "../../../test/kit/database.ts";

const { sql } = await testDatabase();

test("times are dates, counts are numbers, documents go in and out letter by letter", async () => {
  const text = '{"b": 1.0, "a": [1e2]}';
  const [row] = await sql`select db_now() as "at", 5::bigint as "count", ${text}::json as "document", ${text}::json::text as "text"`;
  expect(row).toMatchObject({ count: 5, document: { b: 1, a: [100] }, text });
  expect(row?.at).toBeInstanceOf(Date);
});

test("a test moves the database's clock", async () => {
  await setTestTime(sql, 3_600_000);
  await moveTime(sql, 1_800_000);
  const [row] = await sql`select extract(epoch from db_now() - clock_timestamp())::int as "ahead"`;
  expect(row?.ahead).toBeGreaterThanOrEqual(5399);
  expect(row?.ahead).toBeLessThanOrEqual(5400);
});
