import { describe, expect, test } from "vitest";
import { testApp } from "../../../test/kit/app.ts";
import { installationOf, sendFromCodehost, setIntegrationSettings } from "../../../test/kit/integration-kit.ts";

const app = await testApp();
const admin = app.as();
const secret = "webhook-secret";
const settings = {
  "codehost.webhookSecret": secret,
  "codehost.appName": "my app",
  "codehost.baseURL": "https://code.example/api/v3/",
};
await setIntegrationSettings(app, settings);

let count = 500;
async function installed() {
  const id = count++;
  const repositories = [
    { id: 1, name: "shop" },
    { id: 2, name: "docs" },
  ];
  await sendFromCodehost(app, {
    event: "installation",
    payload: { action: "created", installation: installationOf(id), repositories },
    secret,
  });
  const [row] = await app.sql`select id from installation where ref = ${String(id)}`;
  return { id, recordId: row!["id"] as string };
}
const at = (query: string) => `/api/v2/integration/codehost/installation?${query}`;
const link = (body: unknown, token?: string | null) => app.as(token).post("/api/v2/integration/codehost/link", body);
const unlink = (body: unknown, token?: string | null) => app.as(token).post("/api/v2/integration/codehost/unlink", body);
const linkedTo = async (recordId: string) =>
  (await app.sql`select team_id from team_installation where installation_id = ${recordId} order by created_at`).map(
    (row) => row["team_id"],
  );
const records = async (teamId: string) =>
  (await app.sql`select before, after from audit where team_id = ${teamId} and object_kind = 'integration' order by id`).map((row) => ({
    ...row,
  }));

describe("linking", () => {
  test("an installation to a team is kept, and once more changes nothing", async () => {
    const { id, recordId } = await installed();
    const [one, two] = [await app.make.team(), await app.make.team()];
    const answer = await link({ ref: String(id), team: one.name });
    expect(answer).toMatchObject({ status: 200, body: { id: "codehost_app", status: "linked", ref: recordId } });
    expect((await link({ ref: String(id), team: one.id.toUpperCase() })).body).toEqual(answer.body);
    expect((await link({ ref: recordId, team: two.name })).status).toBe(200);
    expect(await linkedTo(recordId)).toEqual([one.id, two.id]);
    expect(await records(one.id)).toEqual([
      { before: { linked: false }, after: { linked: true } },
      { before: { linked: true }, after: { linked: true } },
    ]);
  });

  test("at the same time, many times, is one link", async () => {
    const { id, recordId } = await installed();
    const team = await app.make.team();
    const answers = await Promise.all(Array.from({ length: 6 }, () => link({ ref: String(id), team: team.name })));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect(await linkedTo(recordId)).toEqual([team.id]);
  });

  test("an installation that the platform did not report is a 404", async () => {
    const team = await app.make.team();
    for (const ref of ["99999", "x", "01890000-0000-7000-8000-000000000000"]) {
      expect(await link({ ref, team: team.name })).toMatchObject({ status: 404, body: { reason: "NOT_FOUND" } });
    }
  });
});

describe("unlinking", () => {
  test("takes away that team's link only, by either name of the installation, and the team can be linked again", async () => {
    const { id, recordId } = await installed();
    const [one, two] = [await app.make.team(), await app.make.team()];
    for (const ref of [recordId, String(id)]) {
      for (const team of [one, two]) await link({ ref: String(id), team: team.name });
      expect(await unlink({ ref, team: one.name })).toMatchObject({ status: 204, text: "" });
      expect(await linkedTo(recordId)).toEqual([two.id]);
    }
    expect((await link({ ref: String(id), team: one.name })).status).toBe(200);
  });

  test("what is not linked, or not known, stays unchanged", async () => {
    const { id, recordId } = await installed();
    const team = await app.make.team();
    for (const ref of [String(id), "99999", "x"]) expect((await unlink({ ref, team: team.name })).status).toBe(204);
    expect(await linkedTo(recordId)).toEqual([]);
  });
});

describe.each([
  ["link", link],
  ["unlink", unlink],
])("%s", (_, call) => {
  test("needs the permission to write the team's integrations", async () => {
    const { id, recordId } = await installed();
    const team = await app.make.team();
    await link({ ref: String(id), team: team.name });
    const body = { ref: String(id), team: team.name };
    expect((await call(body, null)).status).toBe(401);
    const outsider = (await app.make.member((await app.make.team()).id, "owner")).token;
    expect(await call(body, outsider)).toMatchObject({ status: 404, body: { reason: "TEAM_INVALID_REF" } });
    expect(await call({ ...body, team: "no-such-team" }, outsider)).toMatchObject({ status: 404, body: { reason: "TEAM_INVALID_REF" } });
    expect((await call(body, (await app.make.member(team.id, "reader")).token)).status).toBe(403);
    expect(await linkedTo(recordId)).toEqual([team.id]);
    expect((await call(body, (await app.make.member(team.id, "editor")).token)).status).toBeLessThan(300);
  });

  test("refuses invalid input", async () => {
    const team = await app.make.team();
    for (const body of [{}, { ref: "1" }, { team: team.name }, { ref: 1, team: team.name }, { ref: "", team: team.name }, [], null, "{"]) {
      expect((await call(body)).status, JSON.stringify(body)).toBe(400);
    }
  });
});

describe("reading an installation", () => {
  test("shows what the platform reported", async () => {
    const { id } = await installed();
    const team = await app.make.team();
    await link({ ref: String(id), team: team.name });
    const expected = {
      appId: "77",
      installationId: id,
      orgSlug: `org-${id}`,
      orgUrl: `https://codehost.example/org-${id}`,
      orgId: id + 1000,
      orgType: "Organization",
      events: ["push", "pull_request"],
      repositories: ["shop", "docs"],
    };
    expect(await admin.get(at(`id=${id}`))).toMatchObject({ status: 200, body: expected });
    expect((await admin.get(at(`team=${team.name}`))).body).toEqual(expected);
    expect(await records(team.id)).toHaveLength(1);
  });

  test("shows what it can of malformed reports, and never fails", async () => {
    const id = count++;
    const installation = { id, account: "x", events: [5, "push"], app_id: {} };
    await sendFromCodehost(app, {
      event: "installation",
      payload: { action: "created", installation, repositories: [5, null, { name: 5 }] },
      secret,
    });
    expect((await admin.get(at(`id=${id}`))).body).toMatchObject({
      installationId: id,
      orgSlug: "",
      orgId: 0,
      events: ["push"],
      repositories: [],
    });
  });

  test("with id and team links them if allowed; a repeat changes nothing", async () => {
    const { id, recordId } = await installed();
    const team = await app.make.team();
    const editor = (await app.make.member(team.id, "editor")).token;
    const reader = (await app.make.member(team.id, "reader")).token;
    expect((await app.as(reader).get(at(`id=${id}&team=${team.name}`))).status).toBe(404);
    expect(await linkedTo(recordId)).toEqual([]);
    for (let times = 0; times < 2; times++) {
      expect(await app.as(editor).get(at(`id=${id}&team=${team.name}`))).toMatchObject({ status: 200, body: { installationId: id } });
    }
    expect(await linkedTo(recordId)).toEqual([team.id]);
    expect(await records(team.id)).toEqual([{ before: { linked: false }, after: { linked: true } }]);
    expect((await app.as(reader).get(at(`id=${id}&team=${team.name}`))).status).toBe(200);
    expect((await app.as(editor).send("HEAD", at(`id=${id}&team=${team.name}`))).status).toBe(405);
  });

  test("is for the linked teams, or, without one, for callers who could link it", async () => {
    const { id } = await installed();
    const [team, other] = [await app.make.team(), await app.make.team()];
    const [editor, reader] = [(await app.make.member(team.id, "editor")).token, (await app.make.member(team.id, "reader")).token];
    expect((await app.as(null).get(at(`id=${id}`))).status).toBe(401);
    expect((await app.as(editor).get(at(`id=${id}`))).status).toBe(200);
    expect((await app.as(reader).get(at(`id=${id}`))).status).toBe(404);
    await link({ ref: String(id), team: other.name });
    const hidden = await app.as(editor).get(at(`id=${id}`));
    expect(hidden.status).toBe(404);
    expect((await app.as(editor).get(at("id=99999"))).body.message.replace("99999", String(id))).toBe(hidden.body.message);
    expect((await app.as((await app.make.member(other.id, "reader")).token).get(at(`id=${id}`))).status).toBe(200);
    expect((await app.as(editor).get(at(`team=${other.name}`))).status).toBe(404);
  });

  test("of a team without one is a 409, without id and team a 400", async () => {
    const team = await app.make.team();
    expect(await admin.get(at(`team=${team.name}`))).toMatchObject({
      status: 409,
      body: { code: 1601, reason: "INTEGRATION_NOT_CONFIGURED" },
    });
    for (const query of ["", "id=", "id=x", "id=0", "id=-5", "id=1.5", "id=99999999999999999999", "team="]) {
      expect((await admin.get(at(query))).status, query).toBe(400);
    }
    expect((await admin.get(at("id=99999"))).status).toBe(404);
    expect((await admin.get(at("team=no-such-team"))).status).toBe(404);
  });
});

describe("the list of integrations", () => {
  const list = (team: string, token?: string | null) => app.as(token).get(`/api/v2/integration?team=${team}`);

  test("shows both, how they are configured and whether the team is linked", async () => {
    const { id, recordId } = await installed();
    const team = await app.make.team();
    const [codehost, chat] = (await list(team.name)).body;
    expect(codehost).toMatchObject({
      id: "codehost_app",
      status: "unlinked",
      isConfigured: true,
      link: "https://code.example/apps/my%20app/installations/select_target",
    });
    expect(codehost).not.toHaveProperty("ref");
    expect(chat).toMatchObject({ id: "chat", status: "unlinked", isConfigured: false, link: "" });
    await link({ ref: String(id), team: team.name });
    expect((await list(team.id)).body[0]).toMatchObject({ status: "linked", ref: recordId });
    for (const [api, web] of [
      [undefined, "https://github.com"],
      ["https://api.tenant.example", "https://tenant.example"],
    ]) {
      await setIntegrationSettings(app, { ...settings, ...{ "codehost.baseURL": api ?? "" } });
      expect((await list(team.id)).body[0].link).toBe(`${web}/apps/my%20app/installations/select_target`);
    }
    await setIntegrationSettings(app, settings);
    expect((await unlink({ ref: (await list(team.id)).body[0].ref, team: team.name })).status).toBe(204);
    expect((await list(team.id)).body[0]).toMatchObject({ status: "unlinked" });
  });

  test("needs the permission to read the team's integrations", async () => {
    const team = await app.make.team();
    expect((await list(team.name, null)).status).toBe(401);
    const outsider = (await app.make.member((await app.make.team()).id, "owner")).token;
    expect(await list(team.name, outsider)).toMatchObject({ status: 404, body: { reason: "TEAM_INVALID_REF" } });
    expect((await list(team.name, (await app.make.member(team.id, "reader")).token)).status).toBe(200);
    expect((await list(team.name, await app.make.teamToken(team.id, ["workflow/read"]))).status).toBe(403);
    expect((await admin.get("/api/v2/integration")).status).toBe(400);
  });
});
