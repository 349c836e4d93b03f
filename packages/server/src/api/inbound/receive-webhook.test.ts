import { describe, expect, test } from "vitest";
import { testApp } from "../../../test/kit/app.ts";
import { makeTriggered, paramsOf } from "../../../test/kit/integration-kit.ts";

const app = await testApp();
const enabled = { webhook: { enabled: true } };

async function teamWith(name: string, triggers: Parameters<typeof makeTriggered>[3] = enabled, more: Record<string, unknown> = {}) {
  const team = await app.make.team();
  const id = await makeTriggered(app, team.id, name, triggers, more);
  return { team, id, token: await app.make.teamToken(team.id, ["webhook/action"]), path: `/api/v2/webhook?ref=${id}` };
}
const countRuns = async (teamId: string) => (await app.sql`select 1 from run where team_id = ${teamId}`).length;

describe("a webhook", () => {
  test("starts the workflow with the payload, the query and safe headers, none of which is expanded", async () => {
    const { team, id, token, path } = await teamWith("build");
    const payload = { a: 1, text: "$(global.params.secret)" };
    const headers = {
      "x-access-token": token,
      cookie: "session=1",
      "x-gitlab-token": "their-secret",
      "x-hub-signature": "sha1=00",
      "x-topic": "orders",
      "content-type": "application/json; charset=utf-8",
    };
    const answer = await app.as(null).post(`${path}&access_token=${token}`, payload, headers);
    expect(answer).toMatchObject({ status: 200, body: { workflowRef: id, trigger: "webhook", phase: "pending" } });
    const params = paramsOf(answer.body);
    expect(params).toMatchObject({ data: payload, query: { ref: id }, headers: { "x-topic": "orders" } });
    expect(JSON.stringify(params)).not.toMatch(new RegExp(`${token}|session=1|their-secret|sha1=00`));
    const [record] = await app.sql`select team_id, principal_kind, object_name from audit where object_id = ${answer.body.id}`;
    expect(record).toEqual({ team_id: team.id, principal_kind: "team", object_name: "build" });
  });

  test("passes on the other query parameters, but not the credential", async () => {
    const { id, token, path } = await teamWith("build");
    const answer = await app.as(null).post(`${path}&branch=main&tag=a&tag=b%20c&toString=1&__proto__=2&access_token=${token}`, {});
    expect(paramsOf(answer.body)["query"]).toEqual({ ref: id, branch: "main", tag: ["a", "b c"], toString: "1" });
    expect(answer.headers["x-unknown-members"]).toBeUndefined();
    expect(answer.text).not.toContain(token);
  });

  test("needs the trigger to be enabled and its conditions to hold for the payload", async () => {
    const refused = { status: 409, body: { code: 1305, reason: "WORKFLOWRUN_TRIGGER_DISABLED" } };
    const off = await teamWith("off", { event: { enabled: true } });
    expect(await app.as(off.token).post(off.path, {})).toMatchObject(refused);
    const conditions = [{ field: "$.ref", operation: "matches" as const, value: "refs/heads/.+" }];
    const { team, token, path } = await teamWith("build", { webhook: { enabled: true, conditions } });
    expect(await app.as(token).post(path, { ref: "refs/tags/v1" })).toMatchObject(refused);
    expect(await app.as(token).post(path, { ref: "x refs/heads/main" })).toMatchObject(refused);
    expect((await app.as(token).post(path, { ref: "refs/heads/main" })).status).toBe(200);
    expect(await countRuns(team.id)).toBe(1);
  });

  test("is refused when it is malformed", async () => {
    const { team, token, path } = await teamWith("build");
    const client = app.as(token);
    for (const body of [[], "text", 5, null, "{", ""]) expect((await client.post(path, body)).status, JSON.stringify(body)).toBe(400);
    const none = await client.post("/api/v2/webhook", {});
    expect(none).toMatchObject({ status: 400, body: { reason: "BAD_REQUEST" } });
    expect(none.body.message).toContain("ref is missing");
    expect((await client.post(path, "a=1", { "content-type": "application/x-www-form-urlencoded" })).status).toBe(415);
    expect((await client.post(path, { a: "x".repeat(1024 * 1024) })).status).toBe(413);
    expect((await client.get(path)).status).toBe(405);
    expect(await countRuns(team.id)).toBe(0);
  });

  test("needs the permission to deliver events in the team of the workflow", async () => {
    const { team, id, path } = await teamWith("only-here");
    expect((await app.as(null).post(path, {})).status).toBe(401);
    expect((await app.as("mrt_nonsense").post(path, {})).status).toBe(401);
    const outsider = await app.make.teamToken((await app.make.team()).id);
    expect(await app.as(outsider).post(path, {})).toMatchObject({ status: 404, body: { reason: "WORKFLOW_INVALID_REFERENCE" } });
    expect((await app.as((await app.make.member(team.id, "reader")).token).post(path, {})).status).toBe(403);
    expect((await app.as(await app.make.teamToken(team.id, ["workflow/action"])).post(path, {})).status).toBe(403);
    expect(await countRuns(team.id)).toBe(0);
    for (const token of [await app.make.workflowToken(team.id, id), await app.make.globalToken(["webhook/action"])]) {
      expect((await app.as(token).post("/api/v2/webhook?ref=only-here", {})).status).toBe(200);
    }
  });

  test("with an Idempotency-Key starts one run, however often and at once it comes", async () => {
    const { team, token, path } = await teamWith("build");
    const send = (body: unknown) => app.as(token).post(path, body, { "idempotency-key": "once" });
    const answers = await Promise.all(Array.from({ length: 6 }, () => send({ a: 1 })));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect((await send({ a: 2 })).status).toBe(409);
    expect(await countRuns(team.id)).toBe(1);
  });

  test("beyond the team's quota is a 429", async () => {
    const { team, token, path } = await teamWith("build");
    await app.sql`update team set max_workflow_run_monthly = 1 where id = ${team.id}`;
    expect((await app.as(token).post(path, {})).status).toBe(200);
    expect(await app.as(token).post(path, {})).toMatchObject({ status: 429, body: { reason: "QUOTA_EXCEEDED" } });
  });
});
