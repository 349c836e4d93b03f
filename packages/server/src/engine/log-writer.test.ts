import { expect, test } from "vitest";
import { testDatabase } from "../../test/kit/database.ts";
import { EventBus } from "../base/process/event-bus.ts";
import { createLog } from "../base/process/log.ts";
import { blockOfLine } from "../core/log/log-lines.ts";
import { LogWriter } from "./log-writer.ts";

const { sql } = await testDatabase();
const id = "01890000-0000-7000-8000-000000000001";
const attempt = { teamId: id, runId: id, id, attempt: 1 };

test("chunks are bounded by lines and by characters, and hold every line once", async () => {
  const writer = new LogWriter({ sql, bus: new EventBus(), log: createLog("silent") });
  const add = (count: number, text: string) => {
    for (let index = 0; index < count; index++) void writer.add(attempt, blockOfLine({ at: 1, step: "s", stream: "output", text }));
  };
  add(300, "x".repeat(16_384));
  add(20_000, "short");
  await writer.flush(attempt);
  const rows = await sql<{ lines: number; bytes: number; first: number }[]>`
    select line_count as lines, raw_bytes as bytes, first_line as first from log_chunk where task_run_id = ${id} order by seq`;
  expect(rows.reduce((sum, { lines }) => sum + lines, 0)).toBe(20_300);
  expect(rows.map(({ first }) => first)).toEqual(rows.map((_, at) => rows.slice(0, at).reduce((sum, { lines }) => sum + lines, 0)));
  for (const { lines, bytes } of rows) expect([lines <= 8000, bytes < 1_200_000]).toEqual([true, true]);
});

test("a writer faster than the database waits only until lines can be stored again", async () => {
  const writer = new LogWriter({ sql, bus: new EventBus(), log: createLog("silent") });
  const own = { ...attempt, attempt: 2 };
  const line = blockOfLine({ at: 1, step: "s", stream: "output", text: "x".repeat(16_000) });
  let room: Promise<void> | undefined;
  let added = 0;
  while (room === undefined && added < 5_000) {
    room = writer.add(own, line);
    added += 1;
  }
  expect(room).toBeDefined();
  expect(added * 16_000).toBeLessThan(20_000_000);
  await room;
  expect(writer.add(own, line)).toBeUndefined();
  await writer.flush(own);
});
