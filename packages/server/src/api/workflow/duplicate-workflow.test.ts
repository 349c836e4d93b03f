import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { testApp } from "../../../test/kit/app.ts";
import { makeTask } from "../../../test/kit/workflow-factories.ts";

const app = await testApp();
let team: { id: string; name: string };
let owner: string;
let path: string;

beforeAll(async () => {
  await makeTask(app.sql, { name: "shell", versions: 2 });
});
beforeEach(async () => {
  team = await app.make.team();
  owner = (await app.make.member(team.id, "owner")).token;
  path = `/api/v2/team/${team.name}/workflow`;
});

const duplicate = (ref = "flow", token: string | null = owner) => app.as(token).post(`${path}/${ref}/duplicate`);

describe("POST duplicate", () => {
  test("copies the latest version as a workflow of its own, secrets and triggers included", async () => {
    const params = [{ name: "token", type: "password", default: "open sesame" }];
    const tasks = [{ name: "a", taskRef: "shell", taskVersion: 1 }];
    await app.as(owner).post(path, { name: "flow" });
    await app.as(owner).put(path, {
      name: "flow",
      displayName: "Flow",
      labels: { a: "b" },
      params,
      tasks,
      mine: 1,
      status: "inactive",
      triggers: { webhook: { enabled: true } },
    });
    const original = (await app.as(owner).get(`${path}/flow`)).body;
    const { status, body } = await duplicate();
    expect(status).toBe(200);
    expect(body).toEqual({
      ...original,
      id: expect.not.stringMatching(original.id),
      name: "flow-duplicate",
      displayName: "Flow (duplicate)",
      version: 1,
      status: "active",
      creationDate: expect.any(String),
      changelog: { ...original.changelog, reason: "Duplicate of flow version 2", date: expect.any(String) },
    });
    const rows = await app.sql<{ secret: string; used: string }[]>`
      select v.document->'params'->0->>'default' as secret, string_agg(u.task_version_id::text, ',') as used
      from workflow w join workflow_version v on v.team_id = w.team_id and v.workflow_id = w.id and v.version = w.latest_version
        join workflow_version_task u on u.team_id = v.team_id and u.workflow_version_id = v.id
      where w.team_id = ${team.id} group by v.id, v.document->'params'->0->>'default'`;
    expect(rows).toHaveLength(2);
    expect(rows[0]).toEqual(rows[1]);
  });

  test("has the tests of the original and how they ended, as its own", async () => {
    const as = app.as(owner);
    const tasks = [{ name: "a", taskRef: "shell" }];
    await as.post(path, { name: "flow", tasks, requireTests: true });
    const put = (name: string, status: string, more: object = {}) =>
      as.put(`${path}/flow/test/${name}`, { name, mocks: { a: {} }, expect: { status, ...more } });
    expect((await put("passes", "succeeded")).status).toBe(200);
    expect((await put("passes", "succeeded", { ran: ["a"] })).status).toBe(200);
    await put("fails", "failed");
    await put("gone", "succeeded");
    await as.delete(`${path}/flow/test/gone`);
    const editor = app.as((await app.make.member(team.id, "editor")).token);
    expect((await editor.post(`${path}/flow/duplicate`)).status).toBe(200);
    const listOf = async (name: string) => (await as.get(`${path}/${name}/test`)).body;
    const outcomes = ({ tests }: { tests: { name: string; lastOutcome?: { outcome: string } }[] }) =>
      tests.map(({ name, lastOutcome }) => [name, lastOutcome?.outcome]);
    const copied = await listOf("flow-duplicate");
    expect(copied.requireTests).toBe(true);
    expect(copied.tests.map(({ version }: { version: number }) => version)).toEqual([1, 1]);
    expect(outcomes(await listOf("flow"))).toEqual([
      ["fails", "failed"],
      ["passes", "passed"],
    ]);
    expect(outcomes(copied)).toEqual(outcomes(await listOf("flow")));
    expect((await as.get(`${path}/flow-duplicate/test/passes`)).body.expect).toEqual({ status: "succeeded", ran: ["a"] });
    // Each has its own from then on.
    expect((await as.delete(`${path}/flow-duplicate/test/passes`)).status).toBe(204);
    expect((await as.get(`${path}/flow/test/passes`)).status).toBe(200);
    expect((await as.post(`${path}/flow/test/run`, {})).body).toMatchObject({ failed: 1 });
    await as.delete(`${path}/flow`);
    expect((await as.get(`${path}/flow-duplicate/test/fails`)).status).toBe(200);
  });

  test("takes the first free name, also under concurrency", async () => {
    await app.as(owner).post(path, { name: "flow" });
    await app.as(owner).post(path, { name: "flow-duplicate-2" });
    const answers = await Promise.all(Array.from({ length: 4 }, () => duplicate()));
    expect(answers.map(({ body }) => body.name).sort()).toEqual([
      "flow-duplicate",
      "flow-duplicate-3",
      "flow-duplicate-4",
      "flow-duplicate-5",
    ]);
  });

  test("counts against the quota", async () => {
    await app.as(owner).post(path, { name: "flow" });
    await app.sql`update team set max_workflow_count = 1 where id = ${team.id}`;
    expect((await duplicate()).body).toMatchObject({ code: 1020, status: "429 TOO_MANY_REQUESTS" });
  });

  test("needs the permission to write, and an existing workflow", async () => {
    await app.as(owner).post(path, { name: "flow" });
    const reader = (await app.make.member(team.id, "reader")).token;
    const outsider = (await app.make.member((await app.make.team()).id, "owner")).token;
    expect((await duplicate("nope")).body).toMatchObject({ code: 1201, status: "404 NOT_FOUND" });
    expect((await duplicate("flow", null)).status).toBe(401);
    expect((await duplicate("flow", reader)).status).toBe(403);
    expect((await duplicate("flow", outsider)).status).toBe(404);
  });
});
