import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { testApp } from "../../../test/kit/app.ts";
import { makeTask } from "../../../test/kit/workflow-factories.ts";

const app = await testApp();
let owner: string;
let team: { id: string; name: string };
let path: string;

beforeAll(async () => {
  await makeTask(app.sql, { name: "call", params: [{ name: "password", type: "password" }, { name: "url" }] });
  await makeTask(app.sql, { name: "mail", params: [{ name: "password", type: "password" }] });
});
beforeEach(async () => {
  team = await app.make.team();
  owner = (await app.make.member(team.id, "owner")).token;
  path = `/api/v2/team/${team.name}/workflow`;
});

const secret = (name: string, taskRef = "call") => ({ name, taskRef, params: [{ name: "password", value: `correct horse ${name}` }] });
const hidden = [{ name: "password", value: "", hiddenValue: true }];
const create = (...names: string[]) => app.as(owner).post(path, { name: "w", tasks: names.map((name) => secret(name)) });
const apply = (tasks: object[], headers = {}) => app.as(owner).put(path, { name: "w", tasks }, headers);

/** The encrypted secrets of the latest version, by task. */
async function sealed(): Promise<Record<string, string>> {
  const [row] = await app.sql<{ tasks: { name: string; params: { value: string; hiddenValue?: boolean }[] }[] }[]>`
    select v.document->'tasks' as tasks from workflow_version v join workflow w on w.id = v.workflow_id
    where w.team_id = ${team.id} and w.name = 'w' order by v.version desc, v.id desc limit 1`;
  const secrets = (row?.tasks ?? []).flatMap((task) =>
    task.params.filter((param) => param.hiddenValue).map(({ value }) => [task.name, value]),
  );
  return Object.fromEntries(secrets);
}

describe("a task that gets another name keeps its secrets", () => {
  test.each([
    ["one", { a: "x" }, { x: "a", b: "b" }],
    ["two at once", { a: "x", b: "y" }, { x: "a", y: "b" }],
    ["two that change places", { a: "b", b: "a" }, { a: "b", b: "a" }],
    ["one that takes the name of another", { a: "x", b: "a" }, { x: "a", a: "b" }],
  ])("on the canvas, where its node tells which one it was, without the mark of the read, too: %s", async (_, renames, expected) => {
    await create("a", "b");
    const before = await sealed();
    const canvas = (await app.as(owner).get(`${path}/w/compose`)).body;
    for (const { data } of canvas.nodes) {
      if (data.taskRef === null) continue;
      data.params = [{ name: "password", value: "" }];
      data.name = (renames as Record<string, string>)[data.name] ?? data.name;
    }
    const written = await app.as(owner).put(`${path}/w/compose`, canvas);
    expect([written.status, written.headers["x-missing-secrets"]]).toEqual([200, undefined]);
    expect(await sealed()).toEqual(Object.fromEntries(Object.entries(expected).map(([now, then]) => [now, before[then]])));
  });

  test("on a canvas whose nodes have ids of the client's own, or ids of an earlier read, by the name", async () => {
    await create("a");
    const canvas = (await app.as(owner).get(`${path}/w/compose`)).body;
    const node = canvas.nodes.find(({ data }: { data: { name: string } }) => data.name === "a");
    const save = () => app.as(owner).put(`${path}/w/compose`, { nodes: canvas.nodes, edges: canvas.edges });
    node.data.name = "b";
    await save();
    const { b } = await sealed();
    canvas.nodes.push({
      id: "mine",
      type: node.type,
      data: { name: "a", taskRef: "call", params: [{ name: "password", value: "another horse" }] },
    });
    await save();
    canvas.nodes.at(-1).data.params = hidden;
    const { a } = await sealed();
    await save();
    expect(await sealed()).toEqual({ a, b });
    node.data.name = "c";
    expect((await save()).headers["x-missing-secrets"]).toBeUndefined();
    expect(await sealed()).toEqual({ a, c: b });
  });

  test("in the document, when it is the only one of its definition without a counterpart", async () => {
    await create("a", "b");
    const before = await sealed();
    const written = await apply([
      { name: "renamed", taskRef: "call", params: hidden },
      { ...secret("b"), params: hidden },
    ]);
    expect([written.status, written.headers["x-missing-secrets"]]).toEqual([200, undefined]);
    expect(written.body.tasks.find((task: { name: string }) => task.name === "renamed").params).toEqual(hidden);
    expect(await sealed()).toEqual({ renamed: before["a"], b: before["b"] });
  });
});

describe("a secret is never passed to the wrong task, and the response names tasks without one:", () => {
  test.each([
    ["two that went", ["a", "b"], [{ name: "c", taskRef: "call", params: hidden }], "/tasks/0/params/0"],
    ["two that ask", ["a"], ["c", "d"].map((name) => ({ name, taskRef: "call", params: hidden })), "/tasks/0/params/0, /tasks/1/params/0"],
    ["another definition", ["a"], [{ name: "c", taskRef: "mail", params: hidden }], "/tasks/0/params/0"],
    ["one that does not ask", ["a"], [{ name: "c", taskRef: "call", params: [{ name: "password", value: "" }] }], undefined],
  ])("%s", async (_, names, tasks, header) => {
    await create(...names);
    const answer = await apply(tasks);
    expect([answer.status, answer.headers["x-missing-secrets"]]).toEqual([200, header]);
    expect(await sealed()).toEqual({});
  });

  test("what was copied on the canvas, by its node", async () => {
    await create("a");
    const canvas = (await app.as(owner).get(`${path}/w/compose`)).body;
    const node = canvas.nodes.find(({ data }: { data: { name: string } }) => data.name === "a");
    canvas.nodes.push({ ...node, id: "copy", data: { ...node.data, name: "a copy" } });
    const written = await app.as(owner).put(`${path}/w/compose`, canvas);
    expect(written.headers["x-missing-secrets"]).toBe(`/nodes/${canvas.nodes.length - 1}/data/params/0`);
    expect(Object.keys(await sealed())).toEqual(["a"]);
  });

  test("what is imported; refused under strict handling, and then nothing is written", async () => {
    await create("a");
    const file = { ...(await app.as(owner).get(`${path}/w/export`)).body, name: "imported" };
    const strict = { prefer: "handling=strict" };
    for (const refused of [await app.as(owner).post(path, file, strict), await app.as(owner).put(path, file, strict)]) {
      expect([refused.status, refused.body.errors[0].path]).toEqual([400, "/tasks/1/params/0/value"]);
    }
    expect((await app.as(owner).get(`${path}/imported`)).status).toBe(404);
    const answer = await app.as(owner).post(path, file);
    expect([answer.status, answer.headers["x-missing-secrets"]]).toEqual([200, "/tasks/1/params/0"]);
  });
});

test("a parameter that gets another name keeps its secret, too, when it is the only one", async () => {
  const param = (name: string) => ({ name, type: "password", default: `open sesame ${name}` });
  await app.as(owner).post(path, { name: "w", params: [param("token"), param("other")] });
  const read = (await app.as(owner).get(`${path}/w`)).body;
  const stored = async () =>
    (
      await app.sql<{ params: { name: string; default?: string }[] }[]>`
        select document->'params' as params from workflow_version where team_id = ${team.id} order by version desc limit 1`
    )[0]!.params.map(({ name, default: value }) => [name, value]);
  const before = Object.fromEntries(await stored());
  await app.as(owner).put(path, { ...read, params: [{ ...read.params[0], name: "apiToken" }, read.params[1]] });
  expect(await stored()).toEqual([
    ["apiToken", before["token"]],
    ["other", before["other"]],
  ]);
  await app.as(owner).put(path, { ...read, params: read.params.map((one: object, index: number) => ({ ...one, name: `new ${index}` })) });
  expect(await stored()).toEqual([
    ["new 0", undefined],
    ["new 1", undefined],
  ]);
});
