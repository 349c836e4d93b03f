import { describe, expect, test } from "vitest";
import { eventKit, eventPath, onEvent, structured } from "../../../test/kit/inbound/event-kit.ts";
import { makeTriggered, paramsOf } from "../../../test/kit/integration-kit.ts";

const { app, teamWith, newEvent, send, runsOf } = await eventKit();
const admin = app.as();

describe("a CloudEvent", () => {
  test("starts the workflow that ref names, with the event, its data and the members of its data as parameters", async () => {
    const { team, id, token } = await teamWith("build");
    const event = newEvent({ data: { order: 7, tags: ["a"], event: "mine", text: "$(params.order)" } });
    const answer = await send(event, `?ref=${id}`, token);
    expect(answer).toMatchObject({ status: 200, body: { workflowRef: id, trigger: "event", phase: "pending" } });
    expect(paramsOf(answer.body)).toEqual({ event, data: event["data"], order: 7, tags: ["a"], text: "$(params.order)" });
    expect(await runsOf(team.id)).toEqual([{ id: answer.body.id, trigger: "event" }]);
    const [record] = await app.sql`select team_id, action, object_kind, object_name, after from audit where object_id = ${answer.body.id}`;
    expect(record).toEqual({
      team_id: team.id,
      action: "event/write",
      object_kind: "workflowrun",
      object_name: "build",
      after: { event: { id: event.id, source: "/shop", type: "order.placed" } },
    });
  });

  test("is understood structured, as plain JSON, binary, in base64 and of version 0.3", async () => {
    const { id, token } = await teamWith("build");
    const at = `${eventPath}?ref=${id}`;
    const client = app.as(token);
    const binary = (more: Record<string, string>) => ({ "ce-specversion": "1.0", "ce-source": "/shop", "ce-type": "t", ...more });
    const data64 = Buffer.from('{"a":1}').toString("base64");
    const old = { ...newEvent(), specversion: "0.3", datacontentencoding: "base64", datacontenttype: "application/json", data: data64 };
    const answers = [
      await client.post(at, newEvent({ data: { a: 1 } })),
      await client.post(at, newEvent({ data_base64: data64, datacontenttype: "application/json" }), structured),
      await client.post(at, old, structured),
      await client.post(at, { a: 1 }, binary({ "ce-id": "b1" })),
      await client.post(at, { a: 1 }, binary({ "ce-id": "b2", "content-type": "application/vnd.shop+json" })),
    ];
    for (const answer of answers)
      expect([answer.status, paramsOf(answer.body)["data"], paramsOf(answer.body)["a"]]).toEqual([200, { a: 1 }, 1]);
    const text = await client.post(at, "hello", binary({ "ce-id": "b3", "content-type": "text/plain" }));
    expect(paramsOf(text.body)).toEqual({ event: expect.objectContaining({ id: "b3", data: "hello" }), data: "hello" });
    const without = await client.send("POST", at, undefined, binary({ "ce-id": "b4" }));
    expect(paramsOf(without.body)).toEqual({ event: { specversion: "1.0", id: "b4", source: "/shop", type: "t" } });
  });

  test("with more members than a run can have parameters passes them as data only", async () => {
    const { id, token } = await teamWith("build");
    const members = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`member-${index}`, index]));
    const namesAfter = async (count: number) =>
      Object.keys(paramsOf((await send(newEvent({ data: members(count) }), `?ref=${id}`, token)).body)).length;
    expect([await namesAfter(1000), await namesAfter(1001)]).toEqual([1002, 2]);
  });

  test("for an empty ref is refused instead of going to a workflow without a name", async () => {
    const { token } = await teamWith("build");
    expect(await send(newEvent(), "?ref=", token)).toMatchObject({ status: 400, body: { errors: [{ path: "ref" }] } });
  });

  test("names its workflow by the first segment of its subject, where there is no ref", async () => {
    const { id, token } = await teamWith("build");
    for (const subject of ["build", "/build", "/build/topic", `/${id}`]) {
      expect((await send(newEvent({ subject }), "", token)).body).toMatchObject({ workflowRef: id });
    }
    const other = await makeTriggered(app, (await app.sql`select team_id from workflow where id = ${id}`)[0]!["team_id"], "other", onEvent);
    expect((await send(newEvent({ subject: "/build" }), "?ref=other", token)).body).toMatchObject({ workflowRef: other });
    expect(await send(newEvent({ subject: "/nope/x" }), "", token)).toMatchObject({
      status: 404,
      body: { reason: "WORKFLOW_INVALID_REFERENCE" },
    });
  });

  test.each<[string, unknown, Record<string, string>, string]>([
    ["no event", { order: 7 }, {}, "no CloudEvent"],
    ["an empty structured event", {}, structured, "/specversion is missing"],
    ["an event without id", { ...newEvent(), id: undefined }, structured, "/id is missing"],
    ["an event without id as plain JSON", { ...newEvent(), id: undefined }, {}, "/id is missing"],
    ["an event without version as plain JSON", { ...newEvent(), specversion: undefined }, {}, "/specversion is missing"],
    ["another version", newEvent({ specversion: "3.0" }), structured, "/specversion is unknown"],
    ["a list", [newEvent()], structured, "is not a CloudEvent"],
    ["a batch that is none", newEvent(), { "content-type": "application/cloudevents-batch+json" }, "is not a list"],
    ["a binary event without type", {}, { "ce-id": "1", "ce-source": "/a", "ce-specversion": "1.0" }, "ce-type is missing"],
    ["no JSON", "{", structured, "not valid JSON"],
    ["nothing", "", structured, "no CloudEvent"],
  ])("is refused when it is %s", async (_, body, headers, message) => {
    const answer = await admin.post(eventPath, body, headers);
    expect(answer.status).toBe(400);
    expect(answer.text).toContain(message);
  });

  test("of another media type is a 415", async () => {
    expect((await admin.post(eventPath, "a=1", { "content-type": "application/x-www-form-urlencoded" })).status).toBe(415);
  });
});

describe("the trigger", () => {
  test("must be enabled, and all its conditions must hold", async () => {
    const conditions = [
      { field: "$.type", operation: "equals" as const, value: "order.placed" },
      { field: "$.data.amount", operation: "matches" as const, value: "\\d{3}" },
      { field: "$.source", operation: "in" as const, values: ["/shop", "/store"] },
    ];
    const { team, id, token } = await teamWith("build", {}, { event: { enabled: true, conditions } });
    const off = await makeTriggered(app, team.id, "off", { webhook: { enabled: true } });
    const refused = { status: 409, body: { code: 1305, reason: "WORKFLOWRUN_TRIGGER_DISABLED" } };
    expect(await send(newEvent(), `?ref=${off}`, token)).toMatchObject(refused);
    expect((await send(newEvent({ data: { amount: 500 } }), `?ref=${id}`, token)).status).toBe(200);
    for (const change of [{ type: "order.paid" }, { data: { amount: 5000 } }, { data: "500" }, { source: "/else" }]) {
      const answer = await send(newEvent({ data: { amount: 500 }, ...change }), `?ref=${id}`, token);
      expect(answer).toMatchObject(refused);
      expect(answer.body.message).toContain("does not match");
    }
    expect(await runsOf(team.id)).toHaveLength(1);
    const encoded = { datacontenttype: "application/json", data_base64: Buffer.from('{"amount":500}').toString("base64") };
    expect((await send(newEvent(encoded), `?ref=${id}`, token)).status).toBe(200);
  });

  test("may have filters on the attributes, which must hold too, for one workflow and for all that an event may fit", async () => {
    const filters = [
      { sql: "type LIKE 'order.%' AND EXISTS region" },
      { any: [{ exact: { region: "north" } }, { suffix: { region: "east" } }] },
    ];
    const { team, id, token } = await teamWith("build", {}, { event: { enabled: true, filters } });
    expect((await send(newEvent({ region: "south-east" }), `?ref=${id}`, token)).status).toBe(200);
    for (const change of [{ type: "invoice", region: "north" }, {}, { region: "south" }]) {
      const answer = await send(newEvent(change), `?ref=${id}`, token);
      expect(answer).toMatchObject({ status: 409, body: { reason: "WORKFLOWRUN_TRIGGER_DISABLED" } });
      expect(answer.body.message).toContain("not for this: the filter ");
      expect((await send(newEvent(change), "", token)).body).toMatchObject({ runs: [], refused: [] });
    }
    expect((await send(newEvent({ region: "north" }), "", token)).body.runs).toHaveLength(1);
    expect(await runsOf(team.id)).toHaveLength(2);
    expect((await admin.get(`/api/v2/team/${team.id}/workflow/${id}`)).body.triggers.event).toEqual({
      enabled: true,
      conditions: [],
      filters,
    });
    const broken = { event: { filters: [{ sql: "type LIKE" }] } };
    const refused = await admin.put(`/api/v2/team/${team.id}/workflow`, { name: "build", tasks: [], triggers: broken });
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: "/triggers/event/filters/0/sql" }] } });
    expect(refused.body.errors[0].message).toContain("at character 10: the expression ends");
  });

  test("does not start a workflow that can't run: inactive, over its quota, without a required parameter", async () => {
    const { team, id, token } = await teamWith("build", { params: [{ name: "order", type: "number", required: true }] });
    expect(await send(newEvent(), `?ref=${id}`, token)).toMatchObject({ status: 400, body: { reason: "WORKFLOWRUN_INVALID_REQUIREMENT" } });
    expect((await send(newEvent({ data: { order: 1 } }), `?ref=${id}`, token)).status).toBe(200);
    await app.sql`update team set max_workflow_run_monthly = 1 where id = ${team.id}`;
    const beyond = await send(newEvent({ data: { order: 1 } }), `?ref=${id}`, token);
    expect(beyond).toMatchObject({ status: 429, body: { reason: "QUOTA_EXCEEDED" } });
    expect(beyond.headers["retry-after"]).toBeDefined();
    await app.sql`update workflow set status = 'inactive' where id = ${id}`;
    expect(await send(newEvent({ data: { order: 1 } }), `?ref=${id}`, token)).toMatchObject({
      status: 409,
      body: { reason: "WORKFLOW_NOT_ACTIVE" },
    });
    await app.sql`update team set status = 'inactive' where id = ${team.id}`;
    expect((await send(newEvent({ data: { order: 1 } }), `?ref=${id}`, token)).status).toBe(423);
  });
});

describe("the workflow is known", () => {
  test("by its name, where the credential's teams have one of that name only", async () => {
    const [one, two] = [await teamWith("shared"), await teamWith("shared")];
    expect((await send(newEvent(), "?ref=Shared", one.token)).body).toMatchObject({ workflowRef: one.id });
    const { id: userId, token } = await app.make.member(one.team.id, "editor");
    expect((await send(newEvent(), "?ref=shared", token)).body).toMatchObject({ workflowRef: one.id });
    await app.sql`insert into team_member (team_id, user_id, role) values (${two.team.id}, ${userId}, 'editor')`;
    const both = await app.make.userToken(userId);
    const answer = await send(newEvent(), "?ref=shared", both);
    expect(answer.status).toBe(400);
    expect([one.id, two.id].every((id) => answer.text.includes(id))).toBe(true);
    expect((await send(newEvent(), `?ref=${two.id}`, both)).body).toMatchObject({ workflowRef: two.id });
    expect((await send(newEvent(), "?ref=shared")).status).toBe(400);
  });

  test("to callers who may deliver events in its team; others don't learn that it exists", async () => {
    const { team, id } = await teamWith("build");
    const unknown = { status: 404, body: { code: 1201, reason: "WORKFLOW_INVALID_REFERENCE" } };
    const outsider = (await app.make.member((await app.make.team()).id, "owner")).token;
    for (const ref of [id, "build", "01890000-0000-7000-8000-000000000000"]) {
      expect((await send(newEvent(), `?ref=${ref}`, null)).status).toBe(401);
      expect(await send(newEvent(), `?ref=${ref}`, outsider)).toMatchObject(unknown);
    }
    const reader = (await app.make.member(team.id, "reader")).token;
    expect(await send(newEvent(), `?ref=${id}`, reader)).toMatchObject({ status: 403, body: { reason: "PERMISSION_DENIED" } });
    expect(await runsOf(team.id)).toEqual([]);
  });

  test("to its own token, in the query too, and to that of no other workflow", async () => {
    const { team, id } = await teamWith("build");
    const other = await makeTriggered(app, team.id, "other", onEvent);
    const token = await app.make.workflowToken(team.id, id, ["webhook/action"]);
    expect((await send(newEvent(), `?ref=build&access_token=${token}`, null)).body).toMatchObject({ workflowRef: id });
    for (const ref of [other, "other"]) expect((await send(newEvent(), `?ref=${ref}`, token)).status).toBe(404);
    expect((await send(newEvent(), "", token)).body.runs).toMatchObject([{ workflowRef: id }]);
    expect(await runsOf(team.id)).toHaveLength(2);
  });
});

describe("an event that names no workflow", () => {
  test("starts all of the credential's teams that it fits, and no other", async () => {
    const { team, id, token } = await teamWith("one");
    const conditions = [{ field: "$.type", operation: "equals" as const, value: "order.placed" }];
    const two = await makeTriggered(app, team.id, "two", { event: { enabled: true, conditions } });
    await makeTriggered(app, team.id, "unfit", { event: { enabled: true, conditions: [{ ...conditions[0]!, value: "x" }] } });
    await makeTriggered(app, team.id, "off", {});
    const foreign = await teamWith("foreign");
    const answer = await send(newEvent(), "", token);
    expect(answer.body.runs.map((run: { workflowRef: string }) => run.workflowRef).sort()).toEqual([id, two].sort());
    expect(answer.body.refused).toEqual([]);
    expect(await runsOf(team.id)).toHaveLength(2);
    expect(await runsOf(foreign.team.id)).toEqual([]);
    const reader = (await app.make.member(team.id, "reader")).token;
    expect((await send(newEvent(), "", reader)).body).toEqual({ runs: [], refused: [] });
    expect((await send(newEvent({ subject: "/" }), "", foreign.token)).body.runs).toHaveLength(1);
  });

  test("reports a workflow that could not be started, and starts the others", async () => {
    const { team, id, token } = await teamWith("strict", { params: [{ name: "must", required: true }] });
    await makeTriggered(app, team.id, "lenient", onEvent);
    const answer = await send(newEvent({ data: { a: 1 } }), "", token);
    expect(answer.body).toMatchObject({
      runs: [{ workflowName: "lenient" }],
      refused: [{ workflowRef: id, workflowName: "strict", reason: "WORKFLOWRUN_INVALID_REQUIREMENT" }],
    });
    expect(await runsOf(team.id)).toHaveLength(1);
    expect(await app.sql`select 1 from audit where team_id = ${team.id} and object_kind = 'workflowrun'`).toHaveLength(1);
  });

  test("repeats the event in the response only while it is small", async () => {
    const { team, token } = await teamWith("one");
    for (const name of ["two", "three"]) await makeTriggered(app, team.id, name, onEvent);
    const answer = await send(newEvent({ data: { text: "x".repeat(200_000) } }), "", token);
    expect(answer.body.runs.map((run: { truncated?: boolean }) => run.truncated ?? false)).toEqual([false, true, true]);
    const [{ id }] = answer.body.runs.slice(-1);
    const whole = await app.as().get(`/api/v2/team/${team.id}/workflowrun/${id}`);
    expect(paramsOf(whole.body)["text"]).toHaveLength(200_000);
  });
});
