import { afterEach, expect, test } from "vitest";
import { testApp } from "../../../test/kit/app.ts";

const app = await testApp();
const admin = app.as();
const set = (key: string, value: string) => admin.put("/api/v2/settings", [{ key: "history", config: [{ key, value }] }]);
afterEach(() => app.sql`delete from setting where group_key = 'history'`);

async function made() {
  const team = await app.make.team();
  const path = `/api/v2/team/${team.name}`;
  const as = async (role: "owner" | "editor" | "reader") => app.as((await app.make.member(team.id, role)).token);
  return { path, as, patch: (retention: unknown) => admin.patch(path, { retention }) };
}

test("a team keeps what the instance keeps until it says so, and again after null", async () => {
  const { path, patch } = await made();
  expect((await admin.get(path)).body).toMatchObject({ retention: {}, retentionInForce: { runs: 180, logs: 30, deliveries: 30 } });
  expect((await patch({ logs: 7, runs: 90 })).body).toMatchObject({
    retention: { logs: 7, runs: 90 },
    retentionInForce: { runs: 90, logs: 7, deliveries: 30 },
  });
  const { body } = await patch({ logs: null });
  expect(body).toMatchObject({ retentionInForce: { runs: 90, logs: 30, deliveries: 30 } });
  expect(body.retention).toEqual({ runs: 90 });
  expect((await admin.patch(path, { displayName: "Other" })).body.retention).toEqual({ runs: 90 });
});

test("a team can be created with its own retention", async () => {
  const name = `short-${process.hrtime.bigint()}`;
  expect((await admin.post("/api/v2/team", { name, displayName: name, retention: { logs: 3 } })).body).toMatchObject({
    retention: { logs: 3 },
  });
  const refused = await admin.post("/api/v2/team", { name: `${name}-x`, displayName: name, retention: { logs: 31 } });
  expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: expect.stringContaining("retention/logs") }] } });
});

test("longer than the instance is refused with the number that would do, also after the instance has become shorter", async () => {
  const { path, patch } = await made();
  const refused = await patch({ runs: 181 });
  expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: "/retention/runs", message: expect.stringContaining("180") }] } });
  expect((await patch({ runs: 180 })).status).toBe(200);
  expect((await set("runs", "100")).status).toBe(200);
  const { body } = await admin.get(path);
  expect(body).toMatchObject({ retention: { runs: 180 }, retentionInForce: { runs: 100 } });
  expect((await patch(body.retention)).status, "what it has may be sent back").toBe(200);
  expect((await patch({ runs: 179 })).status).toBe(400);
});

test("where the instance keeps history forever, a team may choose any retention", async () => {
  const { patch } = await made();
  await set("runs", "0");
  expect((await patch({ runs: 5000 })).body.retentionInForce.runs).toBe(5000);
});

test.each([[{ runs: 0 }], [{ runs: -1 }], [{ logs: 1.5 }], [{ logs: "7" }], [{ deliveries: 36_501 }], ["30"]])(
  "%j is refused",
  async (retention) => {
    const { patch } = await made();
    expect(await patch(retention)).toMatchObject({ status: 400 });
  },
);

test("owners change it, other members read it", async () => {
  const { path, as } = await made();
  for (const role of ["editor", "reader"] as const) {
    expect((await (await as(role)).patch(path, { retention: { logs: 7 } })).status).toBe(403);
    expect((await (await as(role)).get(path)).body.retentionInForce.logs).toBe(30);
    expect((await (await as(role)).patch(path, { retention: { logs: null } })).status, "as it is").toBe(role === "editor" ? 200 : 403);
  }
  expect((await (await as("owner")).patch(path, { retention: { logs: 7 } })).status).toBe(200);
  expect(
    (await app.as((await app.make.member((await app.make.team()).id, "owner")).token).patch(path, { retention: { logs: 7 } })).status,
  ).toBe(404);
});

test("an unknown kind of history is refused", async () => {
  const { path } = await made();
  const answer = await admin.patch(path, { retention: { log: 7, audit: 10, logs: 5 } });
  expect(answer).toMatchObject({ status: 200, headers: { "x-unknown-members": "/retention/log, /retention/audit" } });
  expect(answer.body.retention).toEqual({ logs: 5 });
});
