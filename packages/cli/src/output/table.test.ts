import { expect, test } from "vitest";
import { type Column, formatTable } from "./table.ts";

interface Row {
  id: string;
  text?: string;
}

const columns: Column<Row>[] = [
  { header: "ID", value: ({ id }) => id },
  { header: "TEXT", value: ({ text }) => text, canBeCut: true },
];
const id = "01a220fe-6d8c-78d9-8e46-1e64620f9d94";
const wide = "ワークフローの説明はとても長いので、狭い端末には入りきらない";
const long = "A long sentence about what it does, which no narrow terminal has room for.";

test("columns are aligned, also with wide characters", async () => {
  expect(await formatTable(columns, [{ id: "日本", text: "x" }, { id: "abcdef" }])).toBe("ID      TEXT\n日本    x\nabcdef\n");
});

test("without a terminal nothing is cut", async () => {
  expect(await formatTable(columns, [{ id, text: long }])).toContain(long);
});

test("at a terminal texts are cut to its width, and IDs are not", async () => {
  const lines = (await formatTable(columns, [{ id, text: long }], 60)).split("\n");
  expect(lines[1]).toBe(`${id}  A long sentence about…`);
  expect(await formatTable(columns, [{ id, text: long }], 10)).toContain(id);
});

test("wide characters are cut to the width of the terminal, too", async () => {
  const lines = (await formatTable(columns, [{ id, text: wide }], 60)).split("\n");
  expect(lines[1]).toBe(`${id}  ワークフローの説明は…`);
});

test("a row is one line and can't control the terminal", async () => {
  expect(await formatTable(columns, [{ id: "a\nb", text: "\u001b[2J" }])).toBe("ID   TEXT\na b  <U+001B>[2J\n");
});
