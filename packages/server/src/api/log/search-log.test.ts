import { beforeAll, describe, expect, test } from "vitest";
import { logKit } from "../../../test/kit/history/log-kit.ts";
import { expectElapsed } from "../../../test/kit/processor-ms.ts";
import { logStart } from "../../core/log/log-lines.ts";
import { LineSearch } from "./search-lines.ts";

const { app, kit, write, claimed, again, outsider } = await logKit();
const admin = app.as();
let path = "";

beforeAll(async () => {
  const made = await claimed();
  path = `${made.path}/search`;
  await write(made.claim, 0, ["Begin", "compile a", "compile b", { text: "0 errors", step: "lint" }]);
  await write(made.claim, 1, [
    { text: "TypeError: no", step: "lint", stream: "stderr" },
    { text: '\u001b[31mnot\u001b[0m "found"', step: "lint" },
  ]);
  const second = await again(made.claim, made.id);
  await write(second, 0, ["begin", "a.b", "fatal: gone"]);
  await kit.end(second);
});

const search = async (query: Record<string, string | number | boolean>) => {
  const { status, body } = await admin.get(
    `${path}?${new URLSearchParams(Object.entries(query).map(([key, value]): [string, string] => [key, String(value)]))}`,
  );
  return { status, body, found: body.ranges?.map(({ first, last }: { first: number; last: number }) => [first, last]) };
};

describe("lines are found", () => {
  test.each<[string, Record<string, string | number | boolean>, number[][]]>([
    [
      "by a text in upper or lower case",
      { text: "begin" },
      [
        [1, 1],
        [8, 8],
      ],
    ],
    ["by a text to the letter", { text: "begin", matchCase: true }, [[8, 8]]],
    ["next to each other as one range", { text: "compile" }, [[2, 3]]],
    ["whatever their colours", { text: 'not "found"' }, [[6, 6]]],
    ["with signs that JSON escapes", { text: '"found' }, [[6, 6]]],
    ["to the letter, not by pattern", { text: "a.b" }, [[9, 9]]],
    [
      "by a pattern",
      { pattern: "^(compile|fatal)" },
      [
        [2, 3],
        [10, 10],
      ],
    ],
    ["by a pattern to the letter", { pattern: "^B", matchCase: true }, [[1, 1]]],
    ["by their step", { step: "lint" }, [[4, 6]]],
    [
      "by words of errors",
      { errors: true },
      [
        [5, 5],
        [10, 10],
      ],
    ],
    ["by their stream, where it is known", { stream: "stderr" }, [[5, 5]]],
    ["by the service's own words", { stream: "system" }, [[7, 7]]],
    ["by all that is given", { errors: true, step: "lint", text: "type" }, [[5, 5]]],
    ["without criteria: all", {}, [[1, 10]]],
    ["from a line on", { text: "begin", fromLine: 2 }, [[8, 8]]],
    ["behind the last line: none", { fromLine: 11 }, []],
    ["in the line of the service", { text: "attempt 1 ended" }, [[7, 7]]],
    ["not at all", { text: "nowhere" }, []],
  ])("%s", async (_, query, ranges) => {
    const { status, body, found } = await search(query);
    expect([status, found]).toEqual([200, ranges]);
    expect(body.lines).toBe(ranges.reduce((sum, [first = 0, last = 0]) => sum + last - first + 1, 0));
    expect(body.searchedTo).toBe(10);
    expect(body).not.toHaveProperty("next");
  });

  test("with the names of their steps", async () => {
    expect((await search({})).body.steps).toEqual(["main", "lint"]);
    expect((await search({ text: "fatal" })).body.steps).toEqual(["main"]);
  });

  test("in pages of a limited number of ranges, without gaps", async () => {
    const seen: number[][] = [];
    let next: number | undefined = 1;
    while (next !== undefined) {
      const { body, found } = await search({ pattern: "begin|compile|fatal", limit: 1, fromLine: next });
      seen.push(...found);
      next = body.next;
    }
    expect(seen).toEqual([
      [1, 3],
      [8, 8],
      [10, 10],
    ]);
  });
});

test.each([
  [{ text: "a", pattern: "b" }, /text \("a"\) and pattern \("b"\) were both given; give only one/],
  [{ pattern: "(a" }, /pattern is "\(a": .*close the group/],
  [{ pattern: "(?=a)" }, /look-around/],
  [{ text: "" }, /text/],
  [{ fromLine: 12 }, /fromLine is 12, and the log has 10 lines so far/],
  [{ limit: 10_001 }, /limit/],
])("%j is refused with what would be right", async (query, message) => {
  const { status, body } = await search(query as Record<string, string>);
  expect([status, JSON.stringify(body).replaceAll('\\"', '"')]).toEqual([400, expect.stringMatching(message)]);
});

test("a costly pattern over many lines blocks nobody, and the search can be continued", async () => {
  const { claim, path: long } = await claimed();
  for (let seq = 0; seq < 6; seq++)
    await write(
      claim,
      seq,
      Array.from({ length: 2000 }, (_, index) => `${seq} ${index} ${"ab".repeat(60)}`),
    );
  await write(claim, 6, ["the end aac"]);
  let [next, requests, slowest] = [1, 0, 0];
  const found: number[] = [];
  while (next) {
    const startedAt = performance.now();
    const { body } = await admin.get(`${long}/search?fromLine=${next}&pattern=${encodeURIComponent("(a|b|ab|aba)*c$")}`);
    slowest = Math.max(slowest, performance.now() - startedAt);
    found.push(...body.ranges.map(({ first }: { first: number }) => first));
    requests += 1;
    expect(body.next ?? Number.POSITIVE_INFINITY).toBeGreaterThan(next);
    next = body.next;
  }
  expect(found).toEqual([12_001]);
  expect(requests).toBeGreaterThan(0);
  // Half a second of work, plus the delays of a busy machine.
  expectElapsed(slowest, 5_000);
});

test("a search makes progress even if the time was over before the first line", async () => {
  const { claim } = await claimed();
  await write(claim, 0, ["one", "two"]);
  const source = { db: app.sql, store: undefined, teamId: claim.teamId, taskRunId: claim.id };
  const waitLong = () => {
    const endsAt = performance.now() + 600;
    while (performance.now() < endsAt);
    return true;
  };
  const search = new LineSearch({ source, filter: { fits: waitLong, mayFit: waitLong }, limit: 10 }, 1);
  expect(await search.run(logStart)).toMatchObject({ searchedTo: 1, hasMore: true });
});

test("searching needs the permission to read the log", async () => {
  const { id, path: own, member, workflowId } = await claimed();
  const unknown = { status: 404, body: { reason: "TASKRUN_INVALID_REFERENCE" } };
  expect((await app.as(null).get(`${own}/search`)).status).toBe(401);
  expect(await (await outsider()).get(`${own}/search`)).toMatchObject(unknown);
  expect((await app.as(await app.make.teamToken(id, ["workflow/read"])).get(`${own}/search`)).status).toBe(403);
  expect((await (await member("reader")).get(`${own}/search`)).status).toBe(200);
  expect((await app.as(await app.make.workflowToken(id, workflowId, ["taskrun/read"])).get(`${own}/search`)).status).toBe(200);
});
