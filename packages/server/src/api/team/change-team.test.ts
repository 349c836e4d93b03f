import { describe, expect, test } from "vitest";
import { testApp } from "../../../test/kit/app.ts";
import { teamParametersPlace } from "../../core/secret/sealed-places.ts";

const app = await testApp();

async function teamWith(...roles: ("owner" | "editor" | "reader")[]) {
  const team = await app.make.team();
  const members = [];
  for (const role of roles) members.push(await app.make.member(team.id, role));
  return { ...team, path: `/api/v2/team/${team.name}`, members };
}
const rolesOf = (body: { members: { id: string; role: string }[] }) => Object.fromEntries(body.members.map(({ id, role }) => [id, role]));

describe("PATCH team", () => {
  test("only what is given changes", async () => {
    const team = await teamWith();
    await app
      .as()
      .patch(team.path, { labels: { a: "1", b: "2" }, quotas: { maxWorkflowCount: 9, maxConcurrentRuns: 7 }, externalRef: "x" });
    const { body } = await app
      .as()
      .patch(team.path, { labels: { a: null, c: "3" }, quotas: { maxWorkflowCount: 3 }, displayName: " ", externalRef: null });
    expect(body).toMatchObject({
      name: team.name,
      displayName: team.name,
      externalRef: "x",
      quotas: { maxWorkflowCount: 3, maxConcurrentRuns: 7 },
    });
    expect(body.labels).toEqual({ b: "2", c: "3" });
  });

  test("a team is renamed under the rules of creation, and the old name is gone", async () => {
    const team = await teamWith();
    const other = await teamWith();
    expect(await app.as().patch(team.path, { name: other.name })).toMatchObject({ status: 422, body: { reason: "TEAM_NON_UNIQUE_NAME" } });
    expect((await app.as().patch(team.path, { name: "admin" })).status).toBe(422);
    expect((await app.as().patch(team.path, { name: `New ${team.name}` })).body.name).toBe(`new-${team.name}`);
    expect((await app.as().get(team.path)).status).toBe(404);
  });

  test("of two teams that are renamed to one name at once, one gets it and the other is refused with the reason", async () => {
    for (let round = 0; round < 5; round++) {
      const teams = [await teamWith(), await teamWith(), await teamWith()];
      const wanted = `wanted-${teams[0]!.name}`;
      const answers = await Promise.all(teams.map(({ path }) => app.as().patch(path, { name: wanted })));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
      expect(answers.filter(({ status }) => status === 422).every(({ body }) => body.reason === "TEAM_NON_UNIQUE_NAME")).toBe(true);
      expect((await app.as().get(`/api/v2/team/${wanted.toUpperCase()}`)).body.id).toBe(
        answers.find(({ status }) => status === 200)?.body.id,
      );
    }
  });

  test("a rename keeps what the team has, and frees the old name at once", async () => {
    const team = await teamWith("owner");
    const token = await app.make.teamToken(team.id);
    await app.as().patch(team.path, { parameters: [{ name: "a", value: "1" }], labels: { x: "y" }, quotas: { maxWorkflowCount: 3 } });
    await app.as().post(`${team.path}/workflow`, { name: "flow" });
    const before = (await app.as().get(team.path)).body;
    const { body } = await app.as().patch(team.path, { name: `${team.name}-b` });
    expect(body).toEqual({ ...before, name: `${team.name}-b` });
    expect((await app.as(token).get(`/api/v2/team/${team.name}-b/workflow/flow`)).status).toBe(200);
    const other = await app.as().post("/api/v2/team", { name: team.name, displayName: "Other" });
    expect(other.status).toBe(200);
    expect((await app.as().get(team.path)).body.id).toBe(other.body.id);
  });

  test("labels, parameters and approver groups are limited, also when added one by one", async () => {
    const team = await teamWith();
    const labels = (from: number, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`l${from + index}`, "x"]));
    expect((await app.as().patch(team.path, { labels: labels(0, 64) })).status).toBe(200);
    expect(await app.as().patch(team.path, { labels: labels(64, 1) })).toMatchObject({
      status: 400,
      body: { reason: "VALIDATION_FAILED", errors: [{ path: "/labels", message: expect.stringContaining("at most 64") }] },
    });
    expect((await app.as().patch(team.path, { labels: { ...labels(64, 1), l0: null } })).status).toBe(200);
    for (const wrong of [{ ["k".repeat(318)]: "v" }, { "": "v" }, { k: "v".repeat(1001) }]) {
      expect((await app.as().patch(team.path, { labels: wrong })).status).toBe(400);
    }
    const parameters = (from: number, count: number) =>
      Array.from({ length: count }, (_, index) => ({ name: `p${from + index}`, value: "1" }));
    expect((await app.as().patch(team.path, { parameters: parameters(0, 1000) })).status).toBe(200);
    expect((await app.as().patch(team.path, { parameters: parameters(1000, 1) })).status).toBe(400);
    expect((await app.as().patch(team.path, { parameters: parameters(999, 1) })).status).toBe(200);
    const groups = (from: number, count: number) => Array.from({ length: count }, (_, index) => ({ name: `g${from + index}` }));
    expect((await app.as().patch(team.path, { approverGroups: groups(0, 200) })).status).toBe(200);
    expect((await app.as().patch(team.path, { approverGroups: groups(200, 1) })).status).toBe(400);
    expect((await app.as().patch(team.path, { approverGroups: [{ name: "G199" }] })).status).toBe(200);
  });

  test("parameters are bounded by their size together, and those beyond it may only become smaller", async () => {
    const team = await teamWith();
    const parameter = (name: string, length: number) => ({ parameters: [{ name, value: "x".repeat(length) }] });
    expect((await app.as().patch(team.path, parameter("a", 700_000))).status).toBe(200);
    expect(await app.as().patch(team.path, parameter("b", 700_000))).toMatchObject({
      status: 400,
      body: { reason: "VALIDATION_FAILED", errors: [{ path: "/parameters", message: expect.stringContaining("at most 1048576") }] },
    });
    expect((await app.as().get(team.path)).body.parameters).toHaveLength(1);
    const large = [{ name: "a", value: "x".repeat(2_000_000) }];
    await app.sql`update team set parameters = ${JSON.stringify(large)}::json where id = ${team.id}`;
    expect((await app.as().patch(team.path, parameter("c", 1))).status).toBe(400);
    expect((await app.as().patch(team.path, parameter("a", 1_000_000))).status).toBe(200);
  });

  test("a page of teams holds no more parameters than an answer may have, and says how to get them", async () => {
    const prefix = `heavy${Date.now()}`;
    const large = JSON.stringify([{ name: "a", value: "x".repeat(20_000_000) }]);
    for (const name of [`${prefix}-a`, `${prefix}-b`]) {
      const { id } = await app.make.team({ name });
      await app.sql`update team set parameters = ${large}::json where id = ${id}`;
    }
    const page = (limit: number) => app.as().get(`/api/v2/team/query?page=0&limit=${limit}&search=${prefix}`);
    expect(await page(2)).toMatchObject({
      status: 400,
      body: { reason: "QUERY_INVALID_FILTERS", message: expect.stringContaining("ask for fewer") },
    });
    expect((await page(1)).body).toMatchObject({ totalElements: 2, numberOfElements: 1 });
  });

  test("parameters are replaced by name, and deleted by name", async () => {
    const team = await teamWith();
    await app.as().patch(team.path, {
      parameters: [
        { name: "a", value: "1" },
        { name: "b", value: "2" },
      ],
    });
    const { body } = await app.as().patch(team.path, { parameters: [{ name: "a", value: "3", type: "text" }] });
    expect(body.parameters).toEqual([
      expect.objectContaining({ name: "a", value: "3", type: "text" }),
      expect.objectContaining({ name: "b", value: "2" }),
    ]);
    expect((await app.as().delete(`${team.path}/parameters/a`)).status).toBe(204);
    expect(await app.as().delete(`${team.path}/parameters/a`)).toMatchObject({ status: 404, body: { reason: "PARAMS_INVALID_REFERENCE" } });
    expect((await app.as().get(team.path)).body.parameters).toHaveLength(1);
  });

  test("a secret parameter is sealed in the database and never read back; left empty in a write it stays", async () => {
    const team = await teamWith();
    await app.as().patch(team.path, { parameters: [{ name: "key", type: "password", value: "hunter22" }] });
    const { body } = await app.as().patch(team.path, { parameters: [{ name: "key", type: "password", value: "", label: "Key" }] });
    expect(body.parameters).toEqual([{ name: "key", type: "password", label: "Key", value: "", default: "", hiddenValue: true }]);
    const [row] = await app.sql`select parameters from team where id = ${team.id}`;
    expect(JSON.stringify(row)).not.toContain("hunter22");
    expect(app.keyring.openText(row!["parameters"][0].value, teamParametersPlace(team.id))).toBe("hunter22");
    const [audited] =
      await app.sql`select count(*)::int as count from audit where after::text like '%hunter22%' or before::text like '%hunter22%'`;
    expect(audited).toEqual({ count: 0 });
    expect((await app.as().patch(team.path, { parameters: [{ name: "key", type: "password", value: "abc" }] })).status).toBe(400);
  });

  test("a status is set by its word, ignoring case", async () => {
    const team = await teamWith();
    expect((await app.as().patch(team.path, { status: "Inactive" })).body.status).toBe("inactive");
    expect(await app.as().patch(team.path, { status: "gone" })).toMatchObject({ status: 400, body: { reason: "VALIDATION_FAILED" } });
  });

  test("quotas above the instance's default are an administrator's to give", async () => {
    const team = await teamWith("owner");
    const owner = app.as(team.members[0]!.token);
    expect((await owner.patch(team.path, { quotas: { maxConcurrentRuns: 100 } })).status).toBe(200);
    expect(await owner.patch(team.path, { quotas: { maxConcurrentRuns: 101 } })).toMatchObject({
      status: 403,
      body: { reason: "PERMISSION_DENIED" },
    });
    expect((await app.as().patch(team.path, { quotas: { maxConcurrentRuns: 500 } })).body.quotas.maxConcurrentRuns).toBe(500);
    expect((await owner.delete(`${team.path}/quotas`)).status).toBe(204);
    expect((await owner.get(team.path)).body.quotas.maxConcurrentRuns).toBe(100);
  });

  test("changes at the same time do not undo each other", async () => {
    const team = await teamWith();
    await Promise.all(Array.from({ length: 8 }, (_, index) => app.as().patch(team.path, { labels: { [`l${index}`]: "x" } })));
    expect(Object.keys((await app.as().get(team.path)).body.labels)).toHaveLength(8);
  });
});

describe("members", () => {
  test("are added and get other roles, which count at once", async () => {
    const team = await teamWith("owner", "reader");
    const [owner, reader] = team.members;
    expect((await app.as(reader!.token).patch(team.path, { displayName: "x" })).status).toBe(403);
    const { body } = await app.as(owner!.token).patch(team.path, { members: [{ id: reader!.id, role: "editor" }] });
    expect(rolesOf(body)[reader!.id]).toBe("editor");
    expect((await app.as(reader!.token).patch(team.path, { displayName: "x" })).status).toBe(200);
  });

  test("an editor can neither add nor remove an owner", async () => {
    const team = await teamWith("owner", "editor");
    const [owner, editor] = team.members;
    const as = app.as(editor!.token);
    expect(await as.patch(team.path, { members: [{ id: editor!.id, role: "owner" }] })).toMatchObject({
      status: 403,
      body: { reason: "PERMISSION_DENIED" },
    });
    expect((await as.patch(team.path, { members: [{ id: owner!.id, role: "reader" }] })).status).toBe(403);
    const { id } = await app.make.user();
    expect((await as.patch(team.path, { members: [{ id, role: "editor" }] })).status).toBe(200);
    expect((await as.delete(`${team.path}/members`, [{ id: owner!.id }])).status).toBe(403);
  });

  test("the last owner is not removed, does not leave and is not given another role; an owner who is not the last may", async () => {
    const team = await teamWith("owner", "editor");
    const [owner, editor] = team.members;
    const as = app.as(owner!.token);
    expect(await as.patch(team.path, { members: [{ id: owner!.id, role: "reader" }] })).toMatchObject({
      status: 409,
      body: { reason: "CONFLICT" },
    });
    expect((await as.delete(`${team.path}/members`, [{ email: owner!.email }])).status).toBe(409);
    expect((await as.delete(`${team.path}/leave`)).status).toBe(409);
    expect(
      (
        await as.patch(team.path, {
          members: [
            { id: editor!.id, role: "owner" },
            { id: owner!.id, role: "reader" },
          ],
        })
      ).status,
    ).toBe(200);
    expect((await as.delete(`${team.path}/leave`)).status).toBe(204);
    expect(await as.get(team.path)).toMatchObject({ status: 404, body: { reason: "TEAM_INVALID_REF" } });
  });

  test("if two owners leave at the same time, one stays", async () => {
    const team = await teamWith("owner", "owner");
    const answers = await Promise.all(team.members.map(({ token }) => app.as(token).delete(`${team.path}/leave`)));
    // The second request would leave the team without an owner, or its caller is no longer a member.
    const [removed, refused] = answers.map(({ status }) => status).sort();
    expect(removed).toBe(204);
    expect([404, 409]).toContain(refused);
  });

  test("a removed member loses access at once, also in approver groups; outsiders are ignored", async () => {
    const team = await teamWith("owner", "editor");
    const [owner, editor] = team.members;
    const as = app.as(owner!.token);
    const { body } = await as.patch(team.path, { approverGroups: [{ name: "Leads", approvers: [editor!.id, owner!.email] }] });
    expect(body.approverGroups[0].approvers).toHaveLength(2);
    expect((await as.delete(`${team.path}/members`, [{ id: editor!.id }, { email: "outsider@example.com" }, {}])).status).toBe(204);
    expect((await app.as(editor!.token).get(team.path)).status).toBe(404);
    expect((await as.get(team.path)).body.approverGroups[0].approvers).toEqual([expect.objectContaining({ id: owner!.id })]);
  });

  test("approver groups are replaced by name ignoring case, and deleted by id or name", async () => {
    const team = await teamWith("owner");
    const as = app.as(team.members[0]!.token);
    await as.patch(team.path, { approverGroups: [{ name: "Leads", approvers: [team.members[0]!.id] }, { name: "Others" }] });
    const lead = [expect.objectContaining({ id: team.members[0]!.id })];
    for (const untold of [{}, { approvers: null }]) {
      const kept = (await as.patch(team.path, { approverGroups: [{ name: "leads", ...untold }] })).body.approverGroups;
      expect(kept).toContainEqual(expect.objectContaining({ name: "leads", approvers: lead }));
    }
    const { body } = await as.patch(team.path, { approverGroups: [{ name: "LEADS", approvers: [] }] });
    expect(body.approverGroups).toEqual([
      expect.objectContaining({ name: "LEADS", approvers: [] }),
      expect.objectContaining({ name: "Others" }),
    ]);
    expect((await as.delete(`${team.path}/approvers`, [body.approverGroups[0].id, "others", "unknown"])).status).toBe(204);
    expect((await as.get(team.path)).body.approverGroups).toEqual([]);
  });

  test("a restricted token can't leave the team for its user", async () => {
    const team = await teamWith("owner", "editor");
    const editor = team.members[1]!;
    const reading = app.as(await app.make.userToken(editor.id, ["**/read"]));
    expect(await reading.delete(`${team.path}/leave`)).toMatchObject({ status: 403, body: { reason: "PERMISSION_DENIED" } });
    expect((await app.as(editor.token).delete(`${team.path}/leave`)).status).toBe(204);
  });

  test("if two owners remove each other at the same time, one stays", async () => {
    const team = await teamWith("owner", "owner");
    const [one, two] = team.members;
    const answers = await Promise.all([
      app.as(one!.token).delete(`${team.path}/members`, [{ id: two!.id }]),
      app.as(two!.token).delete(`${team.path}/members`, [{ email: one!.email.toUpperCase() }]),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404]);
    expect((await app.as().get(team.path)).body.members).toEqual([expect.objectContaining({ role: "owner" })]);
  });

  test("groups and members of another team are not touched, whatever ids are named", async () => {
    const [mine, theirs] = [await teamWith("owner"), await teamWith("owner", "editor")];
    const { body } = await app.as().patch(theirs.path, { approverGroups: [{ name: "theirs", approvers: [theirs.members[0]!.id] }] });
    const as = app.as(mine.members[0]!.token);
    expect((await as.delete(`${mine.path}/approvers`, [body.approverGroups[0].id, "theirs"])).status).toBe(204);
    expect((await as.delete(`${mine.path}/members`, [{ id: theirs.members[1]!.id }])).status).toBe(204);
    expect(await as.patch(mine.path, { approverGroups: [{ name: "g", approvers: [theirs.members[0]!.id] }] })).toMatchObject({
      status: 400,
    });
    expect((await app.as().get(theirs.path)).body).toEqual(body);
  });

  test("a token that acts as itself can't leave", async () => {
    const team = await teamWith();
    expect((await app.as(await app.make.teamToken(team.id)).delete(`${team.path}/leave`)).status).toBe(403);
  });
});

describe("DELETE team", () => {
  test("hides the team, revokes its tokens at once, and frees its name", async () => {
    const team = await teamWith("owner", "editor");
    const teamToken = await app.make.teamToken(team.id);
    expect((await app.as(teamToken).get(team.path)).status).toBe(200);
    expect((await app.as(team.members[1]!.token).delete(team.path)).status).toBe(403);
    expect((await app.as(team.members[0]!.token).delete(team.path)).status).toBe(204);
    expect((await app.as(team.members[0]!.token).get(team.path)).status).toBe(404);
    expect((await app.as(teamToken).get(team.path)).status).toBe(401);
    expect((await app.as().get(`/api/v2/team/${team.id}`)).status).toBe(404);
    expect((await app.as().post("/api/v2/team", { name: team.name, displayName: "again" })).status).toBe(200);
  });
});
