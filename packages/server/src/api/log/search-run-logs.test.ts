import { beforeAll, describe, expect, test } from "vitest";
import { logKit } from "../../../test/kit/history/log-kit.ts";
import { node, workflow } from "../../../test/kit/run-simulator.ts";

const { app, kit, write, team, outsider } = await logKit();
const admin = app.as();
let path = "";
let made: Awaited<ReturnType<typeof team>>;

beforeAll(async () => {
  made = await team();
  await made.workflow("two", workflow(node("build", "script", ["start"]), node("check", "script", ["start"])));
  const { id } = await made.submit("two");
  for (let n = 0; n < 2; n++) {
    const claim = await made.claim(await kit.worker());
    await write(claim, 0, ["begin", "order A-2345 taken", { text: "\u001b[31mfail\u001b[0med", step: "lint" }]);
    await write(claim, 1, ["order A-2345 sent", "x".repeat(3_000)]);
  }
  path = `${made.path}/workflowrun/${id}/log/search`;
});

const search = async (query: Record<string, string>) => (await admin.get(`${path}?${new URLSearchParams(query)}`)).body;
/** The pages of a search until its end: on a busy machine, a search stops after its half second, and says where it continues. */
async function searchAll(query: Record<string, string>) {
  const pages = [await search(query)];
  for (let last = pages[0]; last.next !== null; last = pages.at(-1)) pages.push(await search({ ...query, from: last.next }));
  return { matches: pages.flatMap(({ matches }) => matches), searchedTasks: pages.reduce((sum, page) => sum + page.searchedTasks, 0) };
}

const places = (matches: { taskName: string; line: number }[]) => matches.map(({ taskName, line }) => `${taskName} ${line}`);

describe("GET workflowrun/:runId/log/search", () => {
  test("finds lines of all tasks", async () => {
    const { matches, searchedTasks } = await searchAll({ text: "a-2345" });
    expect(places(matches)).toEqual(["build 2", "build 4", "check 2", "check 4"]);
    expect(searchedTasks).toBe(2);
    expect((await searchAll({ text: "failed" })).matches[0]).toMatchObject({ step: "lint", line: 3, text: "\u001b[31mfail\u001b[0med" });
    expect((await searchAll({ text: "xxx" })).matches[0].text).toHaveLength(1_000);
    expect((await searchAll({ text: "nothing" })).matches).toEqual([]);
  });

  test("continues where it stopped", async () => {
    const found: string[] = [];
    let next: string | null | undefined;
    while (next !== null) {
      const body = await search({ text: "2345", limit: "1", ...(next && { from: next }) });
      found.push(...places(body.matches));
      next = body.next;
    }
    expect(found).toEqual(["build 2", "build 4", "check 2", "check 4"]);
  });

  test("refuses invalid input, and callers without permission", async () => {
    for (const query of ["", "?text=", "?text=a&from=x", "?text=a&from=1.-.x.1", "?text=a&limit=0"])
      expect((await admin.get(`${path}${query}`)).status, query).toBe(400);
    expect((await (await made.member("reader")).get(`${path}?text=a`)).status).toBe(200);
    expect((await (await outsider()).get(`${path}?text=a`)).status).toBe(404);
    expect((await app.as(null).get(`${path}?text=a`)).status).toBe(401);
  });
});
