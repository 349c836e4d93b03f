import { beforeEach, describe, expect, test } from "vitest";
import { testApp } from "../../../test/kit/app.ts";
import { countTurns } from "../../../test/kit/count-turns.ts";
import { makeTriggered, paramsOf } from "../../../test/kit/integration-kit.ts";

const app = await testApp();
let team: { id: string; name: string };
let reader: string;

beforeEach(async () => {
  team = await app.make.team();
  reader = (await app.make.member(team.id, "reader")).token;
});

const equals = (field: string, value: string) => ({ field, operation: "equals" as const, value });
const ask = (workflow: string, body: unknown, token: string | null = reader) =>
  app.as(token).post(`/api/v2/team/${team.name}/workflow/${workflow}/trigger/test`, body);
const push = { ref: "refs/heads/main", repository: { name: "shop", full_name: "org/shop" }, installation: { id: 4711 } };
const runCount = async () => (await app.sql`select 1 from run where team_id = ${team.id}`).length;

describe("a possible event is checked against a trigger", () => {
  const conditions = [equals("events", "push"), equals("branches", "release")];
  const codehost = { kind: "codehost", event: "push", payload: push };

  test("many costly conditions don't block other requests", async () => {
    await makeTriggered(app, team.name, "costly", { webhook: { enabled: true } });
    const trigger = { conditions: Array.from({ length: 60 }, () => equals("$..*", "x")) };
    const { result, turns } = await countTurns(() => ask("costly", { kind: "webhook", payload: push, trigger }));
    expect(result.status, result.text).toBe(200);
    expect(result.body.checks).toHaveLength(60);
    expect(turns).toBeGreaterThanOrEqual(60);
  });

  test("each condition says whether it holds, and nothing is started", async () => {
    await makeTriggered(app, team.name, "build", { codehost: { enabled: true, conditions } });
    const { status, body } = await ask("build", codehost);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      holds: false,
      checks: [
        { path: "/conditions/0", holds: true, found: ["push"] },
        { path: "/conditions/1", holds: false, found: ["main"] },
      ],
      blockers: ["The team is not linked to the codehost, so no event of it arrives."],
      attributes: { type: "push", subject: "refs/heads/main", repository: "org/shop" },
      words: { branches: ["main"], tags: [], repositories: ["shop", "org/shop"] },
    });
    expect(await runCount()).toBe(0);
  });

  test("unsaved members replace the saved ones, and stay unsaved", async () => {
    await makeTriggered(app, team.name, "build", { codehost: { enabled: true, conditions } });
    const trigger = { conditions: [], filters: [{ any: [{ exact: { type: "push" } }, { sql: "subject LIKE '%x'" }] }] };
    const { body } = await ask("build", { ...codehost, trigger });
    expect(body).toMatchObject({
      holds: true,
      checks: [
        { path: "/filters/0", holds: true },
        { path: "/filters/0/any/0", holds: true },
        { path: "/filters/0/any/1", holds: false },
      ],
    });
    const read = await app.as(reader).get(`/api/v2/team/${team.name}/workflow/build`);
    expect(read.body.triggers.codehost).toMatchObject({ conditions });
  });

  test("a trigger that is off, and an inactive workflow, are reported", async () => {
    await makeTriggered(app, team.name, "build", {});
    await app.as().put(`/api/v2/team/${team.name}/workflow`, { name: "build", tasks: [], status: "inactive" });
    const { body } = await ask("build", { ...codehost, trigger: { conditions: [] } });
    expect(body.holds).toBe(true);
    expect(body.blockers.slice(0, 2)).toEqual(["Workflow build is inactive.", "The trigger codehost of workflow build is off."]);
  });

  test("the suggested submission starts the run like the event, and is in the audit", async () => {
    await makeTriggered(app, team.name, "build", { codehost: { enabled: true, conditions: [] } });
    const { submission } = (await ask("build", codehost)).body;
    const editor = (await app.make.member(team.id, "editor")).token;
    const run = await app.as(editor).post(`/api/v2/team/${team.name}/workflow/build/submit`, submission);
    expect(run).toMatchObject({ status: 200, body: { trigger: "codehost" } });
    expect(paramsOf(run.body)).toMatchObject({ event: "push", data: push });
    expect(await app.sql`select 1 from audit where object_kind = 'workflowrun' and object_id = ${run.body.id}`).toHaveLength(1);
    expect((await app.as(reader).post(`/api/v2/team/${team.name}/workflow/build/submit`, submission)).status).toBe(403);
  });

  test("a CloudEvent and a webhook payload are checked against their triggers", async () => {
    const when = [equals("$.data.amount", "5")];
    await makeTriggered(app, team.name, "pay", {
      event: { enabled: true, conditions: when },
      webhook: { enabled: true, conditions: [equals("$.amount", "5")] },
    });
    const event = { specversion: "1.0", id: "1", source: "/s", type: "paid", data: { amount: 5 } };
    expect((await ask("pay", { kind: "event", payload: event })).body).toMatchObject({ holds: true, attributes: { type: "paid" } });
    const { body } = await ask("pay", { kind: "webhook", payload: { amount: 6 } });
    expect(body).toMatchObject({ holds: false, submission: { trigger: "webhook" } });
    expect(paramsOf(body.submission)).toEqual({ data: { amount: 6 }, headers: {}, query: {} });
  });
});

describe("the end of another workflow's run", () => {
  const trigger = { workflow: { enabled: true, conditions: [equals("workflows", "first"), equals("statuses", "succeeded")] } };
  const ended = async () => (await app.as().post(`/api/v2/team/${team.name}/workflow/first/submit?start=true`, {})).body.id;

  beforeEach(async () => {
    await makeTriggered(app, team.name, "first", {});
    await makeTriggered(app, team.name, "second", trigger);
  });

  test("is checked as if it had just ended", async () => {
    const workflowRunRef = await ended();
    const { status, body } = await ask("second", { kind: "workflow", workflowRunRef });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      holds: true,
      blockers: [],
      attributes: { type: "dev.millrace.workflowrun.succeeded", workflow: "first" },
    });
    expect(body.submission.trigger).toBeUndefined();
    expect(paramsOf(body.submission).data).toMatchObject({ id: workflowRunRef, status: "succeeded" });
    const run = await app.as().post(`/api/v2/team/${team.name}/workflow/second/submit`, body.submission);
    expect(run.status).toBe(200);
  });

  test("that would create a loop is reported", async () => {
    const workflowRunRef = await ended();
    const { body } = await ask("first", { kind: "workflow", workflowRunRef, trigger: { enabled: true } });
    expect(body.holds).toBe(true);
    expect(body.blockers[0]).toContain("it would create a loop");
  });

  test("is refused for a run that has not ended, or of another team", async () => {
    const queued = (await app.as().post(`/api/v2/team/${team.name}/workflow/first/submit`, {})).body.id;
    expect(await ask("second", { kind: "workflow", workflowRunRef: queued })).toMatchObject({
      status: 400,
      body: { errors: [{ path: "/workflowRunRef" }] },
    });
    const other = await app.make.team();
    await makeTriggered(app, other.name, "first", {});
    const foreign = (await app.as().post(`/api/v2/team/${other.name}/workflow/first/submit?start=true`, {})).body.id;
    expect((await ask("second", { kind: "workflow", workflowRunRef: foreign })).status).toBe(404);
  });

  test("needs the right to read runs", async () => {
    const workflowRunRef = await ended();
    const token = await app.make.teamToken(team.id, ["workflow/read"]);
    expect((await ask("second", { kind: "workflow", workflowRunRef }, token)).status).toBe(403);
  });
});

describe("it is refused", () => {
  beforeEach(() => makeTriggered(app, team.name, "build", {}));

  test("to anyone who may not see the team", async () => {
    const outsider = (await app.make.member((await app.make.team()).id, "owner")).token;
    expect((await ask("build", { kind: "webhook", payload: {} }, outsider)).status).toBe(404);
    expect((await ask("gone", { kind: "webhook", payload: {} })).status).toBe(404);
  });

  test.each([
    [{ kind: "manual" }, "/kind"],
    [{ kind: "webhook" }, "/payload"],
    [{ kind: "codehost", payload: push }, "/event"],
    [{ kind: "workflow" }, "/workflowRunRef"],
    [{ kind: "event", payload: { specversion: "1.0", id: "1", source: "/s" } }, "/payload/type"],
    [{ kind: "event", payload: {}, trigger: { filters: [{}] } }, "/trigger/filters/0"],
    [
      { kind: "webhook", payload: {}, trigger: { conditions: [{ field: "x", operation: "equals", value: "y" }] } },
      "/trigger/conditions/0/field",
    ],
  ])("for %j, at %s", async (request, path) => {
    const { status, body } = await ask("build", request);
    expect(status).toBe(400);
    expect(body.errors[0].path).toBe(path);
  });
});
