import { beforeAll, describe, expect, test } from "vitest";
import { testApp } from "../../test/kit/app.ts";
import { randomName } from "../../test/kit/factories.ts";
import { makeTask } from "../../test/kit/workflow-factories.ts";

const app = await testApp();
const team = await app.make.team();
const owner = (await app.make.member(team.id, "owner")).token;
const path = `/api/v2/team/${team.name}`;
const strict = { prefer: "handling=strict" };

beforeAll(() => makeTask(app.sql, { name: "call", params: [{ name: "url" }] }));

const older = [
  { key: "region", defaultValue: "eu", default: null, helperText: "Where", label: null, options: null },
  { key: "zones", type: "multiselect", values: ["a"], options: [{ key: "a", value: "A" }] },
  { name: "both", key: "other", default: "new", defaultValue: "old" },
];
const present = [
  { name: "region", default: "eu", helpertext: "Where" },
  { name: "zones", type: "multiselect", value: ["a"] },
  { name: "both", default: "new" },
];

describe("parameters with the names that older clients have, and with nulls, are read", () => {
  test("of a workflow", async () => {
    const made = await app.as(owner).post(`${path}/workflow`, { name: "older", params: older }, strict);
    expect(made.body.params).toMatchObject(present);
    expect(made.body.params[0]).not.toHaveProperty("key");
    expect((await app.as(owner).put(`${path}/workflow`, { name: "older", params: older })).body.params).toMatchObject(present);
  });

  test("of an export, whose dates are milliseconds", async () => {
    const dates = { creationDate: 1718000000000, changelog: { author: "me", reason: "Exported", date: 1718100000000 } };
    const { status, body } = await app.as(owner).put(`${path}/workflow`, { name: "exported", ...dates }, strict);
    expect([status, body.changelog?.reason]).toEqual([200, "Exported"]);
    for (const creationDate of [1e300, true, {}])
      expect((await app.as(owner).put(`${path}/workflow`, { name: "exported", creationDate })).status).toBe(400);
  });

  test("of a canvas", async () => {
    expect((await app.as(owner).put(`${path}/workflow/drawn/compose`, { config: older }, strict)).body.config).toMatchObject(present);
  });

  test("of a template", async () => {
    const name = randomName("older");
    expect((await app.as().post("/api/v2/workflowtemplate", { name, params: older }, strict)).body.params).toMatchObject(present);
    expect((await app.as().put("/api/v2/workflowtemplate", { name, params: older }, strict)).body.params).toMatchObject(present);
  });

  test("of a task", async () => {
    const task = { name: "older", type: "script", spec: { script: "true", params: older, results: [{ name: "r", description: null }] } };
    expect((await app.as(owner).post(`${path}/task`, task, strict)).body.spec.params).toMatchObject(present);
    expect((await app.as(owner).put(`${path}/task/older`, task, strict)).body.spec.params).toMatchObject(present);
  });

  test("of a team", async () => {
    const named = (parameters: { name: string }[]) => parameters.toSorted((a, b) => (a.name < b.name ? 1 : -1));
    const wanted = named(present as { name: string }[]);
    expect(named((await app.as(owner).patch(path, { parameters: older }, strict)).body.parameters)).toMatchObject(wanted);
    const made = await app.as().post("/api/v2/team", { name: randomName("older"), displayName: "Older", parameters: older }, strict);
    expect(named(made.body.parameters)).toMatchObject(wanted);
  });
});

test("null is the same as absent everywhere in the document of a workflow, as docs/workflows.md says", async () => {
  const task = {
    name: "a",
    taskRef: "call",
    params: [{ name: "url", value: "x", hiddenValue: null }],
    results: [{ name: "r", description: null }],
    workspaces: [{ name: "workflow", type: null, optional: null, mountPath: null }],
  };
  const document = {
    name: "nulls",
    changelog: { author: null, reason: null, date: null },
    workspaces: [
      { name: "workflow", type: "workflow", description: null, optional: null, spec: { size: null, accessMode: null, mountPath: null } },
    ],
    tasks: [task],
  };
  expect(await app.as(owner).post(`${path}/workflow`, document)).toMatchObject({ status: 200 });
  const { name, ...data } = task;
  const canvas = { ...document, name: "drawn-nulls", tasks: undefined, nodes: [{ id: "1", data: { name, ...data } }] };
  expect(await app.as(owner).put(`${path}/workflow/drawn-nulls/compose`, canvas)).toMatchObject({ status: 200 });
  const bare = { name: "bare", workspaces: [{ name: "workflow", spec: null }], params: [{ name: "a", default: null }] };
  expect((await app.as(owner).post(`${path}/workflow`, bare)).body.params).toMatchObject([{ name: "a", default: null }]);
});

describe("words are matched ignoring case", () => {
  const condition = { field: "$.type", operation: "Equals", value: "x" };
  const document = {
    name: "words",
    triggers: { event: { enabled: true, conditions: [condition] } },
    workspaces: [{ name: "WorkflowRun", type: "WorkflowRun" }],
  };
  const members = { taskRef: "call", onLost: "FAIL", retry: { count: 1, on: ["Failed"] } };
  const wanted = {
    triggers: { event: { conditions: [{ operation: "equals" }] } },
    workspaces: [{ name: "workflowrun", type: "workflowrun" }],
  };
  const wantedMembers = { onLost: "fail", retry: { on: ["failed"] } };

  test("in a workflow", async () => {
    const dependencies = [{ taskRef: "start", executionCondition: "Success" }];
    const tasks = [
      { name: "start", type: "Start" },
      { name: "a", type: "Template", ...members, dependencies },
    ];
    const made = await app.as(owner).post(`${path}/workflow`, { ...document, tasks });
    expect(made.body).toMatchObject(wanted);
    expect(made.body.tasks[1]).toMatchObject({ type: "template", ...wantedMembers, dependencies: [{ executionCondition: "success" }] });
  });

  test("on a canvas", async () => {
    const nodes = [
      { id: "1", type: "START", data: { name: "start" } },
      { id: "2", type: "Template", data: { name: "a", ...members } },
    ];
    const edges = [{ source: "1", target: "2", data: { executionCondition: "Success" } }];
    const made = await app.as(owner).put(`${path}/workflow/words-drawn/compose`, { ...document, name: "words-drawn", nodes, edges });
    expect(made.body).toMatchObject(wanted);
    expect(made.body.nodes[1]).toMatchObject({ type: "template", data: wantedMembers });
    expect(made.body.edges[0].data.executionCondition).toBe("success");
  });

  test("of a submission, and one that is none is refused with those that there are", async () => {
    await app.as(owner).post(`${path}/workflow`, { name: "run-me" });
    expect((await app.as(owner).post(`${path}/workflow/run-me/submit`, { trigger: "MANUAL" })).body.trigger).toBe("manual");
    const refused = await app.as(owner).post(`${path}/workflow/run-me/submit`, { trigger: "hand" });
    expect(refused.body.message).toMatch(/"hand"; it must be one of manual, schedule, webhook, event, codehost, workflow, engine, task$/);
  });
});

test.each([{ params: [null] }, { params: [5] }, { params: {} }, { params: [{ key: 5 }] }, { tasks: [null] }, { changelog: 5 }])(
  "other bodies are refused as before: %j",
  async (members) => {
    expect((await app.as(owner).post(`${path}/workflow`, { name: "w", ...members })).status).toBe(400);
    expect((await app.as(owner).post(`${path}/workflow`, [members])).status).toBe(400);
  },
);
