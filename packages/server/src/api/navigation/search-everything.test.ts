import type { SearchHit } from "@millrace/contract/search.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { testApp } from "../../../test/kit/app.ts";

const app = await testApp();
const mine = await app.make.team({ name: "hawks" });
const foreign = await app.make.team({ name: "owls-and-imports" });
const reader = await app.make.member(mine.id, "reader");

beforeAll(async () => {
  for (const { name } of [mine, foreign]) {
    for (const workflow of ["import-orders", "nightly-import", "reimporting", "other"])
      await app.as().post(`/api/v2/team/${name}/workflow`, { name: workflow, displayName: `${workflow} of ${name}`, tasks: [] });
    await app.as().post(`/api/v2/team/${name}/task`, { name: "import-task", displayName: "Import things", spec: { script: "x" } });
  }
  await app.as().post("/api/v2/task", { name: "import-globally", spec: { script: "x" } });
  await app.as().post("/api/v2/workflowtemplate", { name: "import-template", tasks: [] });
});

const search = async (q: string, token: string | null | undefined = reader.token, rest = "") =>
  app.as(token).get(`/api/v2/search?q=${encodeURIComponent(q)}${rest}`);
const hits = async (q: string, token?: string, rest?: string) => ((await search(q, token, rest)).body.hits ?? []) as SearchHit[];
const named = (found: readonly SearchHit[]) => found.map(({ kind, teamName, name }) => `${kind} ${teamName ?? "-"} ${name}`);

describe("GET search", () => {
  test("finds teams, workflows, tasks and templates, each kind with the best first", async () => {
    expect(named(await hits("import"))).toEqual([
      "workflow hawks import-orders",
      "workflow hawks nightly-import",
      "workflow hawks reimporting",
      "task - import-globally",
      "task hawks import-task",
      "template - import-template",
    ]);
    expect(await hits("HAWKS orders")).toMatchObject([
      { kind: "workflow", name: "import-orders", displayName: "import-orders of hawks", teamDisplayName: "hawks", status: "active" },
    ]);
  });

  test("says nothing of teams that the caller may not read, neither by their things nor by their names", async () => {
    for (const q of ["", "import", "owls", foreign.name, foreign.id, "%", "of owls"]) {
      const { status, text } = await search(q, reader.token, "&limit=50");
      expect([q, status, text.includes("owls")]).toEqual([q, 200, false]);
    }
    const narrow = await app.make.userToken(reader.id, ["team/read"]);
    expect(named(await hits("", narrow)).filter((hit) => hit.includes("hawks"))).toEqual(["team - hawks"]);
    const nobody = await app.make.userToken((await app.make.user()).id);
    expect(named(await hits("import", nobody))).toEqual(["task - import-globally", "template - import-template"]);
    expect((await search("import", null)).status).toBe(401);
  });

  test("covers all teams for callers who may read all", async () => {
    const admin = await app.make.userToken((await app.make.user({ type: "admin" })).id);
    expect(named(await hits("orders", admin)).sort()).toEqual(["workflow hawks import-orders", "workflow owls-and-imports import-orders"]);
    // By the team's name, too: below those that have it in their own.
    expect(named(await hits("imports", admin))[0]).toBe("team - owls-and-imports");
  });

  test("a deleted workflow is not found, nor anything of a deleted team", async () => {
    const gone = await app.make.team({ name: "gone-soon" });
    const owner = await app.make.member(gone.id, "owner");
    const asOwner = app.as(owner.token);
    await asOwner.post("/api/v2/team/gone-soon/workflow", { name: "vanishing-one", tasks: [] });
    await asOwner.post("/api/v2/team/gone-soon/workflow", { name: "vanishing-two", tasks: [] });
    await asOwner.delete("/api/v2/team/gone-soon/workflow/vanishing-one");
    expect(named(await hits("vanishing", owner.token))).toEqual(["workflow gone-soon vanishing-two"]);
    await asOwner.delete("/api/v2/team/gone-soon");
    expect(named(await hits("vanishing", await app.make.globalToken()))).toEqual([]);
  });

  test("takes wildcards literally, limits each kind, and can be limited to some kinds", async () => {
    expect(await hits("%")).toEqual([]);
    expect(await hits("import_orders")).toEqual([]);
    expect(await hits("im\\")).toEqual([]);
    expect(named(await hits("import", reader.token, "&limit=1"))).toHaveLength(3);
    expect(named(await hits("import", reader.token, "&kinds=template"))).toEqual(["template - import-template"]);
    expect((await search("import", reader.token, "&limit=51")).status).toBe(400);
  });
});
