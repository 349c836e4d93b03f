import { expect, test } from "vitest";
import { testApp } from "../../../test/kit/app.ts";
import { randomName } from "../../../test/kit/factories.ts";

const app = await testApp();
const team = (fields: object = {}) => ({ name: randomName("team"), displayName: "A team", ...fields });

test("the user who creates a team is its owner, and the name is stored as a slug", async () => {
  const user = await app.make.user();
  const token = await app.make.userToken(user.id);
  const made = await app.as(token).post("/api/v2/team", { name: "The Hawks", displayName: "Hawks", status: "inactive" });
  expect(made).toMatchObject({
    status: 200,
    body: {
      name: "the-hawks",
      displayName: "Hawks",
      status: "active",
      members: [{ id: user.id, role: "owner" }],
      workflows: [],
      externalRef: null,
    },
  });
  expect((await app.as(token).get("/api/v2/team/The-Hawks")).body).toEqual(made.body);
  expect((await app.as(token).get(`/api/v2/team/${made.body.id}`)).body).toEqual(made.body);
});

test("the creator stays owner, whatever the request says, and invites others by address", async () => {
  const user = await app.make.user();
  const other = await app.make.user();
  const members = [
    { id: user.id, role: "reader" },
    { email: "New.One@Example.com", role: "Editor" },
    { id: other.id.toUpperCase(), role: "reader" },
  ];
  const { body } = await app.as(await app.make.userToken(user.id)).post("/api/v2/team", team({ members }));
  const roles = Object.fromEntries(body.members.map((member: { email: string; role: string }) => [member.email, member.role]));
  expect(roles).toEqual({ [user.email]: "owner", "new.one@example.com": "editor", [other.email]: "reader" });
  const [invited] = await app.sql`select status from app_user where email = 'new.one@example.com'`;
  expect(invited).toEqual({ status: "inactive" });
});

test("a token that acts as itself creates teams only with the permission for all teams", async () => {
  const home = await app.make.team();
  expect((await app.as().post("/api/v2/team", team())).body.members).toEqual([]);
  expect((await app.as(await app.make.teamToken(home.id)).post("/api/v2/team", team())).status).toBe(403);
  expect((await app.as(await app.make.globalToken(["**/read"])).post("/api/v2/team", team())).status).toBe(403);
  const user = await app.make.user();
  expect((await app.as(await app.make.userToken(user.id, ["workflow/**"])).post("/api/v2/team", team())).status).toBe(403);
});

test("labels, quotas, parameters, approver groups and the rest come back as they were given", async () => {
  const given = team({
    externalRef: "crm-7",
    type: "Pro",
    labels: { "a.b/c": "x", __note: "y" },
    quotas: { maxWorkflowCount: 5, maxConcurrentRuns: 0 },
    parameters: [{ name: "region", value: "eu", type: "text" }],
    members: [{ email: "lead@example.com", role: "owner" }],
    approverGroups: [{ name: "Leads", approvers: ["lead@example.com"] }],
  });
  const { status, body } = await app.as().post("/api/v2/team", given);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    externalRef: "crm-7",
    labels: { "a.b/c": "x", __note: "y" },
    parameters: [{ name: "region", value: "eu" }],
    quotas: { maxWorkflowCount: 5, maxConcurrentRuns: 0, maxWorkflowRunMonthly: 1_000_000_000, currentWorkflowCount: 0, currentRuns: 0 },
    approverGroups: [{ name: "Leads", approvers: [{ email: "lead@example.com" }] }],
  });
});

test.each([
  [{ name: "query" }, 422, "TEAM_NON_UNIQUE_NAME"],
  [{ name: "Validate Name" }, 422, "TEAM_NON_UNIQUE_NAME"],
  [{ name: "0198c1de-7d5c-7c3b-a1f0-2b7f6d2d9b1e" }, 422, "TEAM_NON_UNIQUE_NAME"],
  [{ name: "日本" }, 400, "VALIDATION_FAILED"],
  [{ name: " " }, 400, "VALIDATION_FAILED"],
  [{ name: null }, 400, "VALIDATION_FAILED"],
  [{ displayName: "" }, 400, "VALIDATION_FAILED"],
  [{ name: "x".repeat(129) }, 400, "VALIDATION_FAILED"],
  [{ type: "huge" }, 400, "VALIDATION_FAILED"],
  [{ labels: { a: 1 } }, 400, "VALIDATION_FAILED"],
  [{ quotas: { maxWorkflowCount: -1 } }, 400, "VALIDATION_FAILED"],
  [{ quotas: { maxWorkflowCount: 1e12 } }, 400, "VALIDATION_FAILED"],
  [{ members: [{ email: "x@example.com", role: "boss" }] }, 400, "TEAM_INVALID_USER_ROLE"],
  [{ members: [{ email: "x@example.com" }] }, 400, "TEAM_INVALID_USER_ROLE"],
  [{ members: [{ role: "owner" }] }, 400, "VALIDATION_FAILED"],
  [{ members: [{ email: "nobody", role: "owner" }] }, 400, "VALIDATION_FAILED"],
  [{ members: [{ id: "7", role: "owner" }] }, 400, "VALIDATION_FAILED"],
  [{ members: [{ id: "0198c1de-7d5c-7c3b-a1f0-2b7f6d2d9b1e", role: "owner" }] }, 400, "VALIDATION_FAILED"],
  [{ approverGroups: [{ name: "g", approvers: ["outsider@example.com"] }] }, 400, "VALIDATION_FAILED"],
])("%j is refused", async (fields, status, reason) => {
  expect(await app.as().post("/api/v2/team", team(fields))).toMatchObject({ status, body: { reason } });
});

test("of many who create the same name at once, one gets it", async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => app.as().post("/api/v2/team", team({ name: "once" }))));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422, 422, 422, 422, 422]);
});

test("the audit record of the creation has the caller, the team and the request", async () => {
  const { body, headers } = await app.as().post("/api/v2/team", team());
  const rows = await app.sql`
    select principal_id, action, object_kind, object_name, request_id, after->>'id' as id from audit where team_id = ${body.id}`;
  expect([...rows]).toEqual([
    {
      principal_id: "token:admin",
      action: "team/write",
      object_kind: "team",
      object_name: body.name,
      request_id: headers["x-request-id"],
      id: body.id,
    },
  ]);
});
