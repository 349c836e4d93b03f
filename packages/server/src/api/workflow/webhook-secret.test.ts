import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { testApp } from "../../../test/kit/app.ts";
import { makeTriggered } from "../../../test/kit/integration-kit.ts";

const app = await testApp();
const admin = app.as();

async function workflow() {
  const team = await app.make.team();
  const id = await makeTriggered(app, team.id, "build", { webhook: { enabled: true } });
  return { team, id, path: `/api/v2/team/${team.name}/workflow/build/webhook-secret` };
}
const deliver = (id: string, secret: string) =>
  app.as(null).post(`/api/v2/webhook?ref=${id}`, "{}", {
    "content-type": "application/json",
    "x-signature-256": `sha256=${createHmac("sha256", secret).update("{}").digest("hex")}`,
  });

test("a secret is shown once, stored sealed, and its changes are in the audit without it", async () => {
  const { team, id, path } = await workflow();
  expect((await admin.get(path)).body).toEqual({ isSet: false });
  const made = await admin.put(path, undefined);
  expect(made).toMatchObject({ status: 200, body: { isSet: true, secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) } });
  expect(made.body.previousValidUntil).toBeUndefined();
  expect((await admin.get(path)).body).toEqual({ isSet: true, creationDate: made.body.creationDate });
  expect((await admin.delete(path)).status).toBe(204);
  expect((await admin.delete(path)).status).toBe(204);
  expect((await admin.get(path)).body).toEqual({ isSet: false });
  const records =
    await app.sql`select action, after, object_id from audit where team_id = ${team.id} and after::text like '%webhookSecret%' order by id`;
  expect(records.map(({ after, object_id }) => [after.webhookSecret, object_id])).toEqual([
    ["made", id],
    ["deleted", id],
  ]);
  expect(JSON.stringify(await app.sql`select * from audit where team_id = ${team.id}`)).not.toContain(made.body.secret.slice(6));
});

test("a replaced secret works for 24 more hours, a deleted one stops at once", async () => {
  const { team, id, path } = await workflow();
  const secrets: string[] = [];
  for (let n = 0; n < 3; n++) secrets.push((await admin.put(path, undefined)).body.secret);
  const [oldest, older, newest] = secrets as [string, string, string];
  const state = (await admin.get(path)).body;
  expect(Date.parse(state.previousValidUntil) - Date.parse(state.creationDate)).toBe(24 * 3600_000);
  expect([(await deliver(id, oldest)).status, (await deliver(id, older)).status, (await deliver(id, newest)).status]).toEqual([
    401, 200, 200,
  ]);
  await app.sql`update webhook_secret set previous_until = db_now() where team_id = ${team.id}`;
  expect([(await deliver(id, older)).status, (await deliver(id, newest)).status]).toEqual([401, 200]);
  expect((await admin.get(path)).body.previousValidUntil).toBeUndefined();
  await admin.delete(path);
  expect((await deliver(id, newest)).status).toBe(401);
  const [{ count }] = await app.sql<[{ count: number }]>`select count(*)::int as count from webhook_secret where team_id = ${team.id}`;
  expect(count).toBe(0);
});

test("secrets need the permission to write the workflow; others don't learn whether there is one", async () => {
  const { team, path } = await workflow();
  const reader = app.as((await app.make.member(team.id, "reader")).token);
  expect((await reader.get(path)).status).toBe(200);
  for (const refused of [await reader.put(path, undefined), await reader.delete(path)]) expect(refused.status).toBe(403);
  expect((await app.as(null).put(path, undefined)).status).toBe(401);
  const outsider = app.as(await app.make.teamToken((await app.make.team()).id));
  for (const answer of [await outsider.get(path), await outsider.put(path, undefined), await outsider.delete(path)])
    expect(answer.status).toBe(404);
  const missing = `/api/v2/team/${team.id}/workflow/missing/webhook-secret`;
  for (const answer of [await admin.get(missing), await admin.put(missing, undefined), await admin.delete(missing)])
    expect(answer).toMatchObject({ status: 404, body: { reason: "WORKFLOW_INVALID_REFERENCE" } });
  expect((await admin.get(path)).body).toEqual({ isSet: false });
});

test("the secret is deleted with its workflow, and a copy has none", async () => {
  const { team, id, path } = await workflow();
  await admin.put(path, undefined);
  await admin.post(`/api/v2/team/${team.id}/workflow/build/duplicate`, undefined);
  expect((await admin.get(path.replace("build", "build-duplicate"))).body).toEqual({ isSet: false });
  await app.sql`delete from run where team_id = ${team.id}`;
  await app.sql`delete from workflow where team_id = ${team.id} and id = ${id}`;
  expect(await app.sql`select 1 from webhook_secret where team_id = ${team.id}`).toHaveLength(0);
});
