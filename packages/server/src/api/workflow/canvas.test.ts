import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { testApp } from "../../../test/kit/app.ts";
import { makeTask } from "../../../test/kit/workflow-factories.ts";

const app = await testApp();
let team: { id: string; name: string };
let owner: string;
let path: string;

beforeAll(async () => {
  await makeTask(app.sql, { name: "shell", versions: 2 });
  await makeTask(app.sql, { name: "switch", type: "decision" });
});
beforeEach(async () => {
  team = await app.make.team();
  owner = (await app.make.member(team.id, "owner")).token;
  path = `/api/v2/team/${team.name}/workflow`;
});

const document = {
  name: "flow",
  description: "d",
  mine: [1],
  timeout: 10,
  params: [{ name: "day", default: "today" }],
  workspaces: [{ name: "workflow", type: "workflow" }],
  tasks: [
    { name: "start", type: "start", annotations: { "millrace.dev/position": { x: 1, y: 2 } } },
    { name: "which", taskRef: "switch", dependencies: [{ taskRef: "start" }], params: [{ name: "value", value: "$(params.day)" }] },
    {
      name: "go",
      taskRef: "shell",
      taskVersion: 1,
      timeout: 5,
      hint: "h",
      labels: { a: "b" },
      annotations: { note: [1] },
      workspaces: [{ name: "workflow", mountPath: "/w" }],
      retry: { count: 2 },
      forEach: { items: [1, 2] },
      onLost: "fail",
      dependencies: [{ taskRef: "which", decisionCondition: "a\nb", style: "dashed" }],
    },
    { name: "end", type: "end", dependencies: [{ taskRef: "go", executionCondition: "success" }] },
  ],
};
const put = (body: unknown, rest = "flow/compose", headers = {}) => app.as(owner).put(`${path}/${rest}`, body, headers);
const canvas = async (query = "") => (await app.as(owner).get(`${path}/flow/compose${query}`)).body;

describe("the canvas", () => {
  test("is equivalent to the document: writing back what was read changes nothing", async () => {
    await app.as(owner).post(path, document);
    const before = (await app.as(owner).get(`${path}/flow`)).body;
    const drawn = await canvas();
    expect(drawn).toMatchObject({ name: "flow", version: 1, config: [{ name: "day" }], icon: null, markdown: null, mine: [1] });
    expect(drawn).not.toHaveProperty("tasks");
    expect(drawn.nodes[0]).toMatchObject({ type: "start", position: { x: 1, y: 2 }, data: { name: "start", taskRef: null } });
    const written = await put(drawn);
    expect(written.body).toMatchObject({ version: 2, nodes: drawn.nodes, edges: drawn.edges });
    const after = (await app.as(owner).get(`${path}/flow`)).body;
    const withoutPositions = (tasks: { annotations: Record<string, unknown> }[]) =>
      tasks.map(({ annotations: { "millrace.dev/position": _, ...annotations }, ...task }) => ({ ...task, annotations }));
    expect(withoutPositions(after.tasks)).toEqual(withoutPositions(before.tasks));
    expect({ ...after, tasks: [], version: 1, changelog: before.changelog }).toEqual({ ...before, tasks: [] });
  });

  test("and the document can both be written back as they were read, under strict handling too, which names what it does not know", async () => {
    const { mine: _, ...known } = document;
    const tasks = known.tasks.map(({ hint: _hint, ...task }) => ({
      ...task,
      dependencies: (task.dependencies ?? []).map(({ style: _style, ...dependency }: Record<string, unknown>) => dependency),
    }));
    await app.as(owner).post(path, { ...known, tasks });
    const strict = { prefer: "handling=strict" };
    expect((await put(await canvas(), "flow/compose", strict)).status).toBe(200);
    const read = (await app.as(owner).get(`${path}/flow`)).body;
    expect((await app.as(owner).put(path, read, strict)).status).toBe(200);
    expect((await app.as(owner).put(path, document, strict)).body.message).toContain("/mine");
    const odd = { ...document, tasks: [{ name: "a", taskRef: "shell", retry: { count: 1, pauses: 2 } }] };
    expect((await app.as(owner).put(path, odd)).headers["x-unknown-members"]).toBe("/tasks/0/retry/pauses");
    expect((await app.as(owner).put(path, odd, strict)).status).toBe(400);
  });

  test("of an old version shows the old version", async () => {
    await app.as(owner).post(path, document);
    await app.as(owner).put(path, { name: "flow" });
    expect((await canvas()).nodes).toHaveLength(2);
    expect((await canvas("?version=1")).nodes).toHaveLength(4);
  });

  test("can be replaced, and honours If-Match", async () => {
    await app.as(owner).post(path, document);
    const { headers, body } = await app.as(owner).get(`${path}/flow/compose`);
    const mine = { "if-match": String(headers["etag"]) };
    expect((await put(body, "flow/compose?replace=true", mine)).body.version).toBe(1);
    expect((await put(body, "flow/compose", mine)).status).toBe(412);
  });
});

describe("the path names the workflow", () => {
  const tiny = { nodes: [{ id: "1", type: "start", data: { name: "start" } }], edges: [] };

  test("by name or id; the body may repeat its name, in any spelling of the slug", async () => {
    const created = await put(tiny, "my-flow/compose");
    expect(created.body).toMatchObject({ name: "my-flow", version: 1 });
    const { id } = (await app.as(owner).get(`${path}/my-flow`)).body;
    expect((await put({ ...tiny, name: "My Flow" }, `${id}/compose`)).body.version).toBe(2);
  });

  test("another name in the body is refused, and so is an unknown id", async () => {
    await put(tiny);
    const { status, body } = await put({ ...tiny, name: "other" });
    expect([status, body.errors[0].path]).toEqual([400, "/name"]);
    expect((await put(tiny, "0198c1de-7d5c-7c3b-a1f0-2b7f6d2d9b1e/compose")).status).toBe(404);
  });
});

describe("an invalid canvas is refused:", () => {
  const node = (id: string, data: object = {}) => ({ id, data: { name: id, taskRef: "shell", ...data } });
  test.each([
    ["an edge to nowhere", { nodes: [node("a")], edges: [{ source: "a", target: "b" }] }, "VALIDATION_FAILED"],
    ["two nodes of one id", { nodes: [node("a"), node("a")] }, "VALIDATION_FAILED"],
    ["two nodes of one name", { nodes: [node("a", { name: "x" }), node("b", { name: "x" })] }, "WORKFLOW_NON_UNIQUE_TASK_NAME"],
    [
      "a cycle",
      {
        nodes: [node("a"), node("b")],
        edges: [
          { source: "a", target: "b" },
          { source: "b", target: "a" },
        ],
      },
      "WORKFLOW_INVALID_GRAPH",
    ],
    ["a node without data", { nodes: [{ id: "a" }] }, "VALIDATION_FAILED"],
    ["a position that is none", { nodes: [{ ...node("a"), position: { x: "left" } }] }, "VALIDATION_FAILED"],
    ["no object", [], "VALIDATION_FAILED"],
  ])("%s", async (_, body, reason) => {
    expect((await put(body)).body).toMatchObject({ reason, status: "400 BAD_REQUEST" });
    expect((await app.as(owner).get(`${path}/flow`)).status).toBe(404);
  });
});

test("writing the canvas needs the permission to write", async () => {
  await put({ nodes: [] });
  const reader = (await app.make.member(team.id, "reader")).token;
  const outsider = (await app.make.member((await app.make.team()).id, "owner")).token;
  expect((await app.as(null).put(`${path}/flow/compose`, {})).status).toBe(401);
  expect((await app.as(reader).put(`${path}/flow/compose`, {})).status).toBe(403);
  expect((await app.as(outsider).put(`${path}/flow/compose`, {})).status).toBe(404);
});
