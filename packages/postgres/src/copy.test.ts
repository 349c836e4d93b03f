import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { expect, test } from "vitest";
import { testPool } from "../test/test-server.ts";

test("COPY writes and reads more rows than any buffer holds, and the connection stays usable", async () => {
  const sql = testPool();
  await sql`create temporary table copied (id int, note text)`;
  const line = (id: number) => `${id}\t${"x".repeat(500)}\n`;
  const lines = Array.from({ length: 4_000 }, (_, id) => line(id));
  await pipeline(Readable.from(lines.map((text) => Buffer.from(text))), await sql.unsafe("copy copied from stdin").writable());
  expect(await sql`select count(*) from copied`).toEqual([{ count: 4_000 }]);
  const pieces: Buffer[] = [];
  for await (const piece of await sql.unsafe("copy (select * from copied order by id) to stdout").readable()) pieces.push(piece as Buffer);
  expect(Buffer.concat(pieces).toString() === lines.join("")).toBe(true);
  expect(await sql`select 1 as one`).toEqual([{ one: 1 }]);
});

test.each([1, 2, 3, 17, 40])("a slow reader gets all rows, also when the last of %d fill its buffer", async (rows) => {
  const sql = testPool();
  const source = await sql.unsafe(`copy (select repeat('x', 8191) from generate_series(1, ${rows})) to stdout`).readable();
  let bytes = 0;
  for await (const piece of source) {
    bytes += (piece as Buffer).length;
    await new Promise(setImmediate);
  }
  expect(bytes).toBe(rows * 8192);
  expect(await sql`select 1 as one`).toEqual([{ one: 1 }]);
});

test("a reader that stops does not block the connection", async () => {
  const sql = testPool();
  const source = await sql.unsafe("copy (select repeat('x', 8191) from generate_series(1, 500)) to stdout").readable();
  for await (const _piece of source) break;
  expect(await sql`select 1 as one`).toEqual([{ one: 1 }]);
});

test("a COPY whose source fails leaves no rows, neither alone nor in a transaction", async () => {
  const sql = testPool();
  await sql`create temporary table half (id int)`;
  async function* broken() {
    yield Buffer.from("1\n");
    throw new Error("the file ends here");
  }
  const loading = sql.begin(async (tx) => {
    await tx`insert into half values (0)`;
    await pipeline(Readable.from(broken()), await tx.unsafe("copy half from stdin").writable());
  });
  await expect(loading).rejects.toThrow("the file ends here");
  expect(await sql`select id from half`).toEqual([]);
});

test("rows that the server refuses fail the stream with the server's message", async () => {
  const sql = testPool();
  await sql`create temporary table numbers (id int)`;
  const target = await sql.unsafe("copy numbers from stdin").writable();
  await expect(pipeline(Readable.from([Buffer.from("no number\n")]), target)).rejects.toMatchObject({ code: "22P02" });
  expect(await sql`select id from numbers`).toEqual([]);
});
