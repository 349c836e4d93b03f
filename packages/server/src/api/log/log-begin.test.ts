import type { AddressInfo } from "node:net";
import { beforeAll, describe, expect, test } from "vitest";
import { adminToken } from "../../../test/kit/app.ts";
import { followStream } from "../../../test/kit/follow-stream.ts";
import { logKit } from "../../../test/kit/history/log-kit.ts";
import { insertLogChunks } from "../../store/log/log-chunks.ts";

const { app, kit, write, claimed, again } = await logKit();
const admin = app.as();
const json = { accept: "application/json" };
const between = "--- attempt 2; attempt 1 ended as failed (ExitCode) ---";
let path = "";
let port = 0;

beforeAll(async () => {
  await app.server.listen({ host: "127.0.0.1", port: 0 });
  port = (app.server.server.address() as AddressInfo).port;
  // Two attempts: a b c | d e, then the line of the service, f g | h.
  const made = await claimed();
  path = made.path;
  await write(made.claim, 0, ["a", "b", "c"]);
  await write(made.claim, 1, ["d", "e"]);
  await app.sql`
    insert into log_chunk (team_id, task_run_id, attempt, seq, first_line, line_count, raw_bytes, data)
    select team_id, task_run_id, attempt, seq, first_line, line_count, raw_bytes, data from log_chunk where task_run_id = ${made.claim.id} and seq = 1`;
  const second = await again(made.claim, made.id);
  await write(second, 0, ["f", "g"]);
  await write(second, 1, ["h"]);
  await kit.end(second);
});

describe("a part of a log of two attempts, one chunk of it stored twice,", () => {
  test.each<[string, string[], number]>([
    ["fromLine=1", ["a", "b", "c", "d", "e", between, "f", "g", "h"], 1],
    ["fromLine=3&limit=2", ["c", "d"], 3],
    ["fromLine=4&limit=1", ["d"], 4],
    ["fromLine=5&limit=3", ["e", between, "f"], 5],
    ["fromLine=6&limit=1", [between], 6],
    ["fromLine=7", ["f", "g", "h"], 7],
    ["fromLine=9", ["h"], 9],
    ["fromLine=10", [], 10],
    ["tail=1", ["h"], 9],
    ["tail=4", [between, "f", "g", "h"], 6],
    ["tail=5&limit=2", ["e", between], 5],
    ["tail=0", [], 10],
    ["tail=100", ["a", "b", "c", "d", "e", between, "f", "g", "h"], 1],
  ])("%s", async (query, lines, first) => {
    const text = await admin.get(`${path}?${query}`);
    expect(text).toMatchObject({ status: 200, text: lines.map((line) => `${line}\n`).join("") });
    expect([text.headers["x-first-line"], text.headers["x-total-lines"]]).toEqual([String(first), "9"]);
    const page = await admin.get(`${path}?${query}`, json);
    expect(page.body.lines.map((line: { text: string }) => line.text)).toEqual(lines);
    expect(page.body).toMatchObject({ firstLine: first, totalLines: 9 });
    expect(page.body.next === null).toBe(first + lines.length > 9);
  });

  test("has its times, and pages that continue after it", async () => {
    expect((await admin.get(`${path}?tail=1&timestamps=true`)).text).toBe("2026-01-02T00:00:01.000Z h\n");
    const { body } = await admin.get(`${path}?fromLine=4&limit=3`, json);
    const rest = await admin.get(`${path}?after=${body.next}`, json);
    expect(rest.body.lines.map((line: { text: string }) => line.text)).toEqual(["f", "g", "h"]);
    expect(rest.body).not.toHaveProperty("totalLines");
  });

  test.each([
    ["fromLine=11", /fromLine is 11, and the log has 9 lines so far; give 1 to 10, or tail=N/],
    ["fromLine=0", /fromLine/],
    ["fromLine=x", /fromLine/],
    ["tail=-1", /tail/],
    ["tail=all", /tail/],
    ["tail=2&fromLine=3", /fromLine \(3\) and tail \(2\) both say where to start; give only one/],
    ["tail=2&after=1.0.0", /after \("1\.0\.0"\) and tail \(2\) both say where to start/],
  ])("%s is refused with what would be right", async (query, message) => {
    for (const headers of [{}, json]) {
      const { status, body } = await admin.get(`${path}?${query}`, headers);
      expect([status, JSON.stringify(body).replaceAll('\\"', '"')]).toEqual([400, expect.stringMatching(message)]);
    }
  });

  test("a page is bounded where text is not", async () => {
    expect((await admin.get(`${path}?limit=10001`, json)).body.message).toMatch(/limit is 10001; a page has at most 10000 lines/);
    expect((await admin.get(`${path}?limit=10001`)).text).toMatch(/^a\n.*h\n$/s);
  });
});

test("a log without lines, or whose lines were deleted, begins and ends at line 1", async () => {
  const { claim, path: empty } = await claimed();
  for (const query of ["fromLine=1", "tail=5", "tail=0"]) {
    const { status, text, headers } = await admin.get(`${empty}?${query}&follow=false`);
    expect([status, text, headers["x-first-line"], headers["x-total-lines"]], query).toEqual([200, "", "1", "0"]);
    expect((await admin.get(`${empty}?${query}`, json)).body).toEqual({ lines: [], next: "0.0.0", firstLine: 1, totalLines: 0 });
  }
  expect((await admin.get(`${empty}?fromLine=2&follow=false`)).status).toBe(400);
  await write(claim, 0, ["a"]);
  await write(claim, 1, ["b"]);
  // As retention does by age: the oldest chunks are removed first, and the rest is counted from 1.
  await app.sql`delete from log_chunk where task_run_id = ${claim.id} and seq = 0`;
  const left = await admin.get(`${empty}?fromLine=1&follow=false`);
  expect([left.text, left.headers["x-total-lines"]]).toEqual(["b\n", "1"]);
});

describe("a live reader", () => {
  test("of the last lines gets them, and then those that come", async () => {
    const { claim, path: live } = await claimed();
    await write(claim, 0, ["a", "b", "c"]);
    const [last, onlyNew, one] = await Promise.all(
      ["tail=2", "tail=0", "fromLine=3&limit=2"].map((query) => followStream(port, `${live}?${query}`, adminToken)),
    );
    await last!.until("b\nc\n");
    await one!.until("c\n");
    expect(last!.response.headers["x-total-lines"]).toBe("3");
    await write(claim, 1, ["d", "e"]);
    expect(await one!.ended).toBe(true);
    await kit.end(claim);
    expect(await Promise.all([last!.ended, onlyNew!.ended])).toEqual([true, true]);
    expect([last!.text, onlyNew!.text, one!.text]).toEqual(["b\nc\nd\ne\n", "d\ne\n", "c\nd\n"]);
  });
});

test("nothing before the requested part is decoded", async () => {
  const { claim, path: part } = await claimed();
  const place = { teamId: claim.teamId, taskRunId: claim.id, attempt: claim.attempt, firstLine: 0, rawBytes: 1 };
  await insertLogChunks(app.sql, [{ ...place, seq: 0, lineCount: 1_000_000, data: Buffer.from("not deflated") }]);
  await write(claim, 1, ["last"]);
  const { body } = await admin.get(`${part}?tail=1`, json);
  expect(body).toMatchObject({ lines: [{ text: "last" }], firstLine: 1_000_001, totalLines: 1_000_001 });
});
