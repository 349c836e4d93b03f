import fc from "fast-check";
import { expect, test } from "vitest";
import { testPool } from "../test/test-server.ts";

test("values are read back with their types", async () => {
  const sql = testPool();
  const at = new Date("2026-02-03T04:05:06.078Z");
  const bytes = Buffer.from([0, 1, 255]);
  const [row] = await sql`
    select ${true} as "yes", ${false} as "no", ${null}::text as "nothing", ${-7}::int as "int", ${2 ** 40}::bigint as "count",
           ${1.5}::float8 as "double", ${"1.50"}::numeric as "exact", ${at} as "at", ${bytes} as "bytes", ${"ä€😀\\"}::text as "text",
           ${{ a: [1] } as never}::jsonb as "document", ${at}::date as "day", ${5n} as "big"`;
  expect(row).toEqual({
    ...{ yes: true, no: false, nothing: null, int: -7, count: 2 ** 40, double: 1.5, exact: "1.50", at, bytes, text: "ä€😀\\" },
    ...{ document: { a: [1] }, day: new Date("2026-02-03T00:00:00Z"), big: 5 },
  });
});

test("times are read as Date reads them, whatever their fraction, year and zone", async () => {
  const sql = testPool({ settings: { TimeZone: "UTC" } });
  const texts = ["2026-01-02 03:04:05+00", "2026-01-02 03:04:05.1+00", "1969-12-31 23:59:59.123456+00", "12026-01-01 00:00:00+00"];
  for (const text of [...texts, "2026-01-02 03:04:05.12+05:30"]) {
    const [row] = await sql`select ${text}::timestamptz as "at", extract(epoch from ${text}::timestamptz)::float8 as "seconds"`;
    if (text.startsWith("12026")) expect(row!.at).toEqual(new Date(text));
    else expect((row!.at as Date).getTime()).toBe(Math.floor(row!.seconds * 1000));
  }
});

test("documents given as text are sent unchanged, and so are lists of them", async () => {
  const sql = testPool();
  const text = '{"b": 1.0,  "a": [1e2]}';
  const [row] =
    await sql`select ${text}::json::text as "one", ${[text, '"\\""']}::json[]::text[] as "all", ${[{ a: "x" }] as never}::json as "list"`;
  expect(row).toEqual({ one: text, all: [text, '"\\""'], list: [{ a: "x" }] });
});

test("a list of texts, numbers, times, bytes or booleans is one parameter", async () => {
  const sql = testPool();
  const anyText = fc.string({ unit: "grapheme" }).filter((text) => !text.includes("\0"));
  const lists = fc.record({
    texts: fc.array(fc.option(fc.oneof(anyText, fc.constantFrom("NULL", "", '"', "\\", "{}", ",")))),
    numbers: fc.array(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })),
    bigints: fc.array(fc.maxSafeInteger()),
    times: fc.array(fc.date({ min: new Date(0), max: new Date("2100-01-01"), noInvalidDate: true }), { minLength: 1 }),
    words: fc.array(fc.boolean(), { minLength: 1 }),
    bytes: fc.array(
      fc.uint8Array().map((bytes) => Buffer.from(bytes)),
      { minLength: 1 },
    ),
  });
  await fc.assert(
    fc.asyncProperty(lists, async ({ texts, numbers, bigints, times, words, bytes }) => {
      const [row] = await sql`
        select ${texts}::text[] as "texts", ${numbers}::int[] as "numbers", ${bigints}::bigint[] as "bigints",
               ${sql.array(times, 1184)} as "times", ${words} as "words", ${bytes} as "bytes"`;
      expect(row).toEqual({ texts, numbers, bigints, times, words, bytes });
    }),
    { numRuns: 50 },
  );
  expect(await sql`select ${[[1, 2], [3, 4]]}::int[] as "square", '[0:1]={1,2}'::int[] as "shifted"`).toEqual([
    {
      square: [
        [1, 2],
        [3, 4],
      ],
      shifted: [1, 2],
    },
  ]);
});

test("a number beyond 2^53 is refused instead of being rounded", async () => {
  await expect(testPool()`select 9007199254740993::bigint`).rejects.toThrow("bigint 9007199254740993 is outside the safe range");
});

test("undefined is an error that names the statement, also in a list", async () => {
  const sql = testPool();
  await expect(sql`select ${undefined as never}`).rejects.toMatchObject({ code: "UNDEFINED_VALUE" });
  const failure = await sql`select ${[1, undefined as never]}::int[]`.catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: "UNDEFINED_VALUE", query: "select $1::int[]" });
  expect((failure as Error).stack).toContain("values.test.ts");
});

test("parts of statements, names and lists of parts become one text with its parameters in order", async () => {
  const sql = testPool();
  const conditions = [sql`and a > ${1}`, sql`and b = any(${["x", "y"]})`];
  const rows = await sql`select ${sql('odd "name')} from (values (1, 'x'), (2, 'y'), (3, 'z')) t (${sql('odd "name')}, b)
    cross join lateral (select ${sql('odd "name')} as a) u where true ${conditions} ${sql``}`;
  expect(rows).toEqual([{ 'odd "name': 2 }]);
  expect(rows.count).toBe(1);
});

test("the number of changed rows is known, and several statements in one text each have their own result", async () => {
  const sql = testPool();
  await sql`create temporary table changed (id int)`;
  expect((await sql`insert into changed select generate_series(1, 12)`).count).toBe(12);
  expect((await sql`update changed set id = id + ${1} where id > ${2}`).count).toBe(10);
  expect(await sql.unsafe("select 1 as a; select 2 as b")).toEqual([[{ a: 1 }], [{ b: 2 }]]);
  expect(await sql.unsafe("select $1::text as a", ["given"])).toEqual([{ a: "given" }]);
});
