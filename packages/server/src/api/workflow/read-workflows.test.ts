import { beforeAll, describe, expect, test } from "vitest";
import { testApp } from "../../../test/kit/app.ts";
import { makeTask } from "../../../test/kit/workflow-factories.ts";

const app = await testApp();
const team = await app.make.team();
const other = await app.make.team();
const owner = (await app.make.member(team.id, "owner")).token;
const reader = (await app.make.member(team.id, "reader")).token;
const outsider = (await app.make.member(other.id, "owner")).token;
const path = `/api/v2/team/${team.name}/workflow`;
let id: string;

beforeAll(async () => {
  await makeTask(app.sql, { name: "shell", versions: 2, results: [{ name: "out" }] });
  const tasks = [{ name: "a", taskRef: "shell", taskVersion: 1, results: [{ name: "mine" }] }];
  const params = [{ name: "day", default: "today" }];
  const made = await app.as(owner).post(path, { name: "flow", tasks, params, changelog: { reason: "First" } });
  id = made.body.id;
  await app.as(owner).put(path, { name: "flow", markdown: "two" });
});

describe("GET workflow", () => {
  test("gives the latest version or the one asked for, by name or id, to everyone in the team", async () => {
    const latest = (await app.as(reader).get(`${path}/flow`)).body;
    expect(latest).toMatchObject({ id, version: 2, markdown: "two", upgradesAvailable: false });
    expect((await app.as(reader).get(`${path}/${id}`)).body).toEqual(latest);
    const first = (await app.as(reader).get(`${path}/flow?version=1`)).body;
    expect(first).toMatchObject({ version: 1, upgradesAvailable: true, changelog: { reason: "First" } });
    expect(first.tasks[1]).toMatchObject({ name: "a", taskVersion: 1, upgradesAvailable: true });
    expect(first).not.toHaveProperty("description");
  });

  test("leaves the tasks out when asked to, and still says whether there are upgrades", async () => {
    expect((await app.as(reader).get(`${path}/flow?version=1&withTasks=false`)).body).toMatchObject({ tasks: [], upgradesAvailable: true });
  });

  test("has a tag that changes with each write, and answers 304 if the reader has it", async () => {
    const first = await app.as(reader).get(`${path}/flow`);
    const tag = String(first.headers["etag"]);
    expect((await app.as(reader).get(`${path}/flow`, { "if-none-match": tag })).status).toBe(304);
    await app.as(owner).put(`${path}?replace=true`, { name: "flow", markdown: "two" });
    expect((await app.as(reader).get(`${path}/flow`, { "if-none-match": tag })).status).toBe(200);
  });

  test.each(["", "/compose", "/export", "/changelog", "/available-parameters"])(
    "%s: a caller without permission, and an unknown workflow",
    async (part) => {
      expect((await app.as(null).get(`${path}/flow${part}`)).status).toBe(401);
      expect((await app.as(outsider).get(`${path}/flow${part}`)).status).toBe(404);
      expect((await app.as(outsider).get(`/api/v2/team/${other.name}/workflow/${id}${part}`)).body).toMatchObject({
        code: 1201,
        status: "404 NOT_FOUND",
      });
      expect((await app.as(reader).get(`${path}/nope${part}`)).body).toMatchObject({ code: 1201, status: "404 NOT_FOUND" });
      expect((await app.as(reader).get(`${path}/flow${part}`)).status).toBe(200);
    },
  );

  test.each(["", "/compose"])("%s: a version that is not there", async (part) => {
    const { status, body } = await app.as(reader).get(`${path}/flow${part}?version=9`);
    expect([status, body.code, body.message]).toEqual([409, 1204, "Workflow flow (latest 2) has no version 9"]);
    expect((await app.as(reader).get(`${path}/flow${part}?version=x`)).status).toBe(400);
    expect((await app.as(reader).get(`${path}/flow${part}?version=0`)).status).toBe(400);
  });
});

describe("GET changelog", () => {
  test("lists every version in order, with author, reason and date", async () => {
    const { body } = await app.as(reader).get(`${path}/flow/changelog`);
    expect(body).toMatchObject([
      { version: 1, reason: "First" },
      { version: 2, reason: "Updated Workflow" },
    ]);
    for (const entry of body) expect(entry).toMatchObject({ author: expect.stringMatching(/./), date: expect.stringMatching(/Z$/) });
  });
});

describe("GET export", () => {
  test("is a file without id and with ISO dates that can be written to another team", async () => {
    const { headers, body } = await app.as(reader).get(`${path}/flow/export`);
    expect(headers["content-disposition"]).toBe('attachment; filename="flow.json"');
    expect(headers["content-type"]).toContain("application/json");
    expect(body).not.toHaveProperty("id");
    expect(body.creationDate).toMatch(/Z$/);
    const imported = await app.as(outsider).post(`/api/v2/team/${other.name}/workflow`, body);
    expect(imported.status).toBe(200);
    const { id: _id, version, creationDate, changelog, ...rest } = body;
    expect(imported.body).toMatchObject({ ...rest, version: 1 });
    expect((await app.as(owner).put(path, body)).body).toMatchObject({ version: version + 1, creationDate });
    expect(changelog.reason).toBe("Updated Workflow");
  });
});

describe("GET available-parameters", () => {
  test("lists parameters of all layers and the results of tasks, those of their definitions included", async () => {
    await app.sql`insert into global_parameter (name, document) values ('region', '{"name":"region"}')`;
    await app.sql`update team set parameters = '[{"name":"mail"}]' where id = ${team.id}`;
    await app.as(owner).put(path, {
      name: "flow",
      params: [{ name: "day" }, { name: "a.b" }],
      tasks: [{ name: "do it", taskRef: "shell", results: [{ name: "mine" }] }],
    });
    const { body } = await app.as(reader).get(`${path}/flow/available-parameters`);
    for (const key of [
      "global.params.region",
      "params.region",
      "team.params.mail",
      "workflow.params.day",
      "params.day",
      "workflow.params['a.b']",
      "context.params.workflow-name",
      "params.taskrun-name",
      "tasks.do it.results.out",
      "tasks.do it.results.mine",
    ]) {
      expect(body).toContain(key);
    }
    expect(new Set(body).size).toBe(body.length);
  });
});
