import { beforeEach, describe, expect, test } from "vitest";
import { addInstallation, fakeCodehost } from "../../../test/fakes/fake-codehost.ts";
import { testApp } from "../../../test/kit/app.ts";
import { installationOf, sendFromCodehost, setIntegrationSettings } from "../../../test/kit/integration-kit.ts";
import { setMembers } from "../../store/team/members.ts";

const host = await fakeCodehost();
const app = await testApp();
const secret = "webhook-secret";
const settings = {
  "codehost.webhookSecret": secret,
  "codehost.appId": host.appId,
  "codehost.pem": host.pem,
  "codehost.baseURL": host.url,
};
beforeEach(() => setIntegrationSettings(app, settings));

const hourMs = 3_600_000;
const notConfigured = { status: 409, body: { code: 1601, reason: "INTEGRATION_NOT_CONFIGURED" } };
const read = (query: string, token?: string | null) => app.as(token).get(`/api/v2/integration/codehost/installation?${query}`);
const link = (ref: unknown, team: string, token?: string | null) =>
  app.as(token).post("/api/v2/integration/codehost/link", { ref: String(ref), team });
const editorOf = async (teamId: string) => (await app.make.member(teamId, "editor")).token;
const linkedTeams = async (id: number) =>
  (
    await app.sql`select t.team_id from team_installation t join installation i on i.id = t.installation_id where i.ref = ${String(id)}
      order by t.created_at`
  ).map((row) => row["team_id"]);
const record = async (id: number) => (await app.sql`select repositories, status from installation where ref = ${String(id)}`)[0];

let count = 2000;
/** On the platform, and announced unless said otherwise. */
async function installed({ isAnnounced = true, ageMs = 0 } = {}) {
  const id = count++;
  addInstallation(host, id, { createdAt: new Date(Date.now() - ageMs).toISOString() });
  const payload = { action: "created", installation: installationOf(id), repositories: [{ id: 1, name: "old" }] };
  if (isAnnounced) await sendFromCodehost(app, { event: "installation", payload, secret });
  return id;
}
/** It was created more than an hour ago. */
const age = (id: number) => app.sql`update installation set linkable_until = db_now() - interval '1 second' where ref = ${String(id)}`;

describe("reading an installation", () => {
  test("asks the platform and brings the record up to date", async () => {
    const id = await installed();
    const team = await app.make.team();
    await link(id, team.name);
    expect((await record(id))?.["repositories"]).toEqual(["old"]);
    host.installations.get(id)!.repositories = Array.from({ length: 101 }, (_, index) => ({ id: index, name: `r${index}` }));
    const answer = await read(`team=${team.name}`);
    expect(answer).toMatchObject({ status: 200, body: { installationId: id, orgSlug: `org-${id}`, appId: host.appId } });
    expect(answer.body.repositories).toHaveLength(101);
    expect((await record(id))?.["repositories"]).toHaveLength(101);
    host.installations.get(id)!.suspendedAt = new Date().toISOString();
    expect((await read(`id=${id}`)).body.repositories).toHaveLength(101);
    expect(await record(id)).toMatchObject({ status: "suspended" });
  });

  test("finds one that was never announced, records it, and links it where that is asked for", async () => {
    const [one, two] = [await installed({ isAnnounced: false }), await installed({ isAnnounced: false })];
    const team = await app.make.team();
    const editor = await editorOf(team.id);
    expect(await read(`id=${one}&team=${team.name}`, editor)).toMatchObject({ status: 200, body: { repositories: ["shop"] } });
    expect(await link(two, team.name, editor)).toMatchObject({ status: 200, body: { status: "linked" } });
    for (const id of [one, two]) expect(await linkedTeams(id)).toEqual([team.id]);
    const records = await app.sql`select before, after from audit where object_name = ${`org-${one}`}`;
    expect(records.map((row) => ({ ...row }))).toEqual([
      { before: null, after: { ref: String(one), status: "active", repositories: ["shop"] } },
    ]);
  });

  test("is a 409 that names what to fix when the platform refuses, and changes nothing", async () => {
    const id = await installed();
    const team = await app.make.team();
    await link(id, team.name);
    const wrong: [Record<string, string>, string][] = [
      [{ "codehost.appId": "78" }, "codehost.appId"],
      [{ "codehost.pem": "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----" }, "codehost.pem"],
      [{ "codehost.pem": "" }, "codehost.pem"],
      [{ "codehost.appId": "" }, "codehost.appId"],
    ];
    for (const [more, words] of wrong) {
      await setIntegrationSettings(app, { ...settings, ...more });
      const answer = await read(`team=${team.name}`);
      expect(answer, words).toMatchObject(notConfigured);
      expect(answer.body.message).toContain(words);
    }
    await setIntegrationSettings(app, settings);
    host.disturb("GET /app/installations", { status: 429, headers: { "retry-after": "60" } });
    expect(await read(`team=${team.name}`)).toMatchObject({ status: 409, body: { code: 1601, reason: "INTEGRATION_FAILED" } });
    expect((await record(id))?.["repositories"]).toEqual(["old"]);
    expect((await read(`team=${team.name}`)).status).toBe(200);
  });

  test("answers the same for an unknown one and one that the caller can't see, and records nothing", async () => {
    const team = await app.make.team();
    const editor = await editorOf(team.id);
    const hidden = await installed();
    await link(hidden, (await app.make.team()).name);
    const [unknown, refused] = [await read("id=4711", editor), await read(`id=${hidden}`, editor)];
    expect(unknown).toMatchObject(notConfigured);
    expect(refused.body.message).toBe(unknown.body.message.replace("4711", String(hidden)));
    const old = await installed({ isAnnounced: false, ageMs: 2 * hourMs });
    expect(await read(`id=${old}`, editor)).toMatchObject(notConfigured);
    expect(await link(4711, team.name, editor)).toMatchObject(notConfigured);
    expect(await link("x", team.name, editor)).toMatchObject({ status: 404 });
    for (const id of [4711, old]) expect(await record(id)).toBeUndefined();
    expect(await read(`team=${team.name}`, editor)).toMatchObject(notConfigured);
  });

  test("for a reader asks the platform only about what they may see", async () => {
    const team = await app.make.team();
    const reader = (await app.make.member(team.id, "reader")).token;
    const before = host.requests.length;
    expect((await read(`id=${await installed({ isAnnounced: false })}`, reader)).status).toBe(409);
    expect((await read(`id=${await installed()}`, null)).status).toBe(401);
    expect(host.requests.length).toBe(before);
  });
});

describe("who links an installation", () => {
  test("that is new: callers who may write the team's integrations; after an hour only administrators", async () => {
    const [fresh, old] = [await installed(), await installed()];
    await age(old);
    const team = await app.make.team();
    const editor = await editorOf(team.id);
    expect((await link(fresh, team.name, editor)).status).toBe(200);
    expect(await link(old, team.name, editor)).toMatchObject({ status: 403, body: { reason: "PERMISSION_DENIED" } });
    expect((await read(`id=${old}&team=${team.name}`, editor)).status).toBe(409);
    expect(await linkedTeams(old)).toEqual([]);
    expect((await link(old, team.name)).status).toBe(200);
    expect((await link(old, team.name, editor)).status).toBe(200);
  });

  test("that other teams have: callers who may write their integrations, too", async () => {
    const id = await installed();
    const [first, second, outsider] = [await app.make.team(), await app.make.team(), await app.make.team()];
    expect((await link(id, first.name, await editorOf(first.id))).status).toBe(200);
    expect((await link(id, outsider.name, await editorOf(outsider.id))).status).toBe(403);
    const both = await app.make.member(first.id, "editor");
    await setMembers(app.sql, second.id, [{ userId: both.id, role: "editor" }]);
    expect((await link(id, second.name, both.token)).status).toBe(200);
    expect(await linkedTeams(id)).toEqual([first.id, second.id]);
  });

  test("of two teams at once only one, and the hour does not restart", async () => {
    const id = await installed();
    const teams = [await app.make.team(), await app.make.team()];
    const editors = await Promise.all(teams.map((team) => editorOf(team.id)));
    const answers = await Promise.all(teams.map((team, index) => link(id, team.name, editors[index]!)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
    const [winner] = await linkedTeams(id);
    await app.as().post("/api/v2/integration/codehost/unlink", { ref: String(id), team: winner });
    await age(id);
    await sendFromCodehost(app, { event: "installation", payload: { action: "created", installation: installationOf(id) }, secret });
    expect((await link(id, teams[0]!.name, editors[0]!)).status).toBe(403);
  });

  test("is limited to administrators, or opened to all, by a setting", async () => {
    const [fresh, old] = [await installed(), await installed()];
    await age(old);
    const team = await app.make.team();
    const editor = await editorOf(team.id);
    await setIntegrationSettings(app, { ...settings, "codehost.linking": "administrators" });
    expect((await link(fresh, team.name, editor)).status).toBe(403);
    expect((await read(`id=${fresh}`, editor)).status).toBe(409);
    await setIntegrationSettings(app, { ...settings, "codehost.linking": "open" });
    expect((await link(old, team.name, editor)).status).toBe(200);
  });
});
