import { beforeEach, describe, expect, test } from "vitest";
import { testApp } from "../../../test/kit/app.ts";
import {
  type CodehostRequest,
  installationOf,
  makeTriggered,
  paramsOf,
  sendFromCodehost,
  setIntegrationSettings,
} from "../../../test/kit/integration-kit.ts";

const app = await testApp();
const admin = app.as();
const secret = "webhook-secret";
const enabled = { codehost: { enabled: true } };

beforeEach(() => setIntegrationSettings(app, { "codehost.webhookSecret": secret, "codehost.appName": "millrace-app" }));

let count = 100;
const send = (event: string, payload: unknown, more: Partial<CodehostRequest> = {}) =>
  sendFromCodehost(app, { event, payload, secret, ...more });
const push = (id: number, more: Record<string, unknown> = {}) => ({
  ref: "refs/heads/main",
  repository: { id: 5, name: "shop", full_name: "org/shop" },
  installation: { id },
  ...more,
});

/** A new installation, recorded from the platform's event. */
async function installed(repositories = [{ id: 1, name: "shop", full_name: "org/shop" }]) {
  const id = count++;
  const answer = await send("installation", { action: "created", installation: installationOf(id), repositories });
  expect(answer).toMatchObject({ status: 200, body: { runs: [] } });
  return id;
}

async function linkedTeam(id: number) {
  const team = await app.make.team();
  expect((await admin.post("/api/v2/integration/codehost/link", { ref: String(id), team: team.name })).status).toBe(200);
  return team;
}

const runsOf = async (teamId: string) =>
  (await app.sql`select trigger, initiated_by from run where team_id = ${teamId} order by id`).map((row) => ({ ...row }));
const record = async (id: number) =>
  (await app.sql`select repositories, status from installation where ref = ${String(id)}`).map((row) => ({ ...row }))[0];

describe("an installation", () => {
  test("is recorded when the app is installed, and removed with its links when it goes", async () => {
    const id = await installed();
    const team = await linkedTeam(id);
    expect(await record(id)).toEqual({ repositories: ["shop"], status: "active" });
    expect((await send("installation", { action: "deleted", installation: installationOf(id) })).status).toBe(200);
    expect(await record(id)).toBeUndefined();
    expect(await app.sql`select 1 from team_installation where team_id = ${team.id}`).toHaveLength(0);
    expect((await send("installation", { action: "deleted", installation: installationOf(id) })).status).toBe(200);
    const records =
      await app.sql`select principal_id, object_name, before, after from audit where object_kind = 'integration' and object_name = ${`org-${id}`} order by id`;
    expect(records.map((row) => ({ ...row }))).toEqual([
      {
        principal_id: "integration:codehost",
        object_name: `org-${id}`,
        before: null,
        after: { ref: String(id), status: "active", repositories: ["shop"] },
      },
      {
        principal_id: "integration:codehost",
        object_name: `org-${id}`,
        before: { ref: String(id), status: "active", repositories: ["shop"] },
        after: null,
      },
    ]);
  });

  test("keeps its links when its details are updated", async () => {
    const id = await installed();
    const team = await linkedTeam(id);
    await send("installation_repositories", {
      action: "added",
      installation: installationOf(id),
      repositories_added: [
        { id: 2, name: "docs" },
        { id: 3, name: "site" },
      ],
      repositories_removed: [{ id: 1, name: "shop" }],
    });
    expect(await record(id)).toEqual({ repositories: ["docs", "site"], status: "active" });
    await send("installation", { action: "suspend", installation: { ...installationOf(id), suspended_at: "2026-03-01T12:00:00Z" } });
    expect(await record(id)).toEqual({ repositories: ["docs", "site"], status: "suspended" });
    await send("installation", { action: "unsuspend", installation: installationOf(id) });
    await send("installation", { action: "created", installation: installationOf(id) });
    expect(await record(id)).toEqual({ repositories: ["docs", "site"], status: "active" });
    expect(await app.sql`select 1 from team_installation where team_id = ${team.id}`).toHaveLength(1);
  });

  test("whose first event was missed is recorded by a later one", async () => {
    const id = count++;
    await send("installation_repositories", { action: "added", installation: installationOf(id), repositories_added: [{ name: "shop" }] });
    expect(await record(id)).toEqual({ repositories: ["shop"], status: "active" });
  });

  test("reported many times at once is recorded once", async () => {
    const id = count++;
    const payload = { action: "created", installation: installationOf(id) };
    const answers = await Promise.all(Array.from({ length: 6 }, () => send("installation", payload)));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect(await app.sql`select 1 from installation where ref = ${String(id)}`).toHaveLength(1);
  });
});

describe("another event", () => {
  test("starts the fitting workflows of every linked team, and of no other", async () => {
    const id = await installed();
    const [one, two, other] = [await linkedTeam(id), await linkedTeam(id), await linkedTeam(await installed())];
    for (const team of [one, two, other]) await makeTriggered(app, team.id, "build", enabled);
    await makeTriggered(app, one.id, "off", { webhook: { enabled: true } });
    const payload = push(id);
    const answer = await send("push", payload);
    expect(answer.body.runs).toHaveLength(2);
    expect(paramsOf(answer.body.runs[0])).toEqual({ data: payload, event: "push" });
    for (const team of [one, two]) expect(await runsOf(team.id)).toEqual([{ trigger: "codehost", initiated_by: "integration:codehost" }]);
    expect(await runsOf(other.id)).toEqual([]);
  });

  test("fits by its name, by the repository and by what is in it", async () => {
    const id = await installed();
    const team = await linkedTeam(id);
    const workflow = (name: string, field: string, values: string[]) =>
      makeTriggered(app, team.id, name, { codehost: { enabled: true, conditions: [{ field, operation: "in", values }] } });
    await workflow("by-event", "events", ["push", "release"]);
    await workflow("by-repository", "repositories", ["shop"]);
    await workflow("by-full-name", "repositories", ["org/shop"]);
    await workflow("by-branch", "$.ref", ["refs/heads/main"]);
    await workflow("other-event", "events", ["release"]);
    await workflow("other-repository", "repositories", ["docs"]);
    await workflow("other-branch", "$.ref", ["refs/heads/next"]);
    const answer = await send("push", push(id));
    expect(answer.body.runs.map((run: { workflowName: string }) => run.workflowName).sort()).toEqual([
      "by-branch",
      "by-event",
      "by-full-name",
      "by-repository",
    ]);
  });

  test("fits by the attributes that an event of it has", async () => {
    const id = await installed();
    const team = await linkedTeam(id);
    const workflow = (name: string, sql: string) => makeTriggered(app, team.id, name, { codehost: { enabled: true, filters: [{ sql }] } });
    await workflow("fits", "type = 'push' AND subject LIKE 'refs/heads/%' AND repository = 'org/shop'");
    await workflow("other", "type = 'push' AND subject LIKE 'refs/tags/%'");
    const answer = await send("push", push(id));
    expect(answer.body.runs.map((run: { workflowName: string }) => run.workflowName)).toEqual(["fits"]);
  });

  test("starts the others when one can't be started", async () => {
    const id = await installed();
    const [full, team] = [await linkedTeam(id), await linkedTeam(id)];
    await makeTriggered(app, full.id, "full", enabled);
    await app.sql`update team set max_workflow_run_monthly = 0 where id = ${full.id}`;
    await makeTriggered(app, team.id, "strict", enabled, { params: [{ name: "must", required: true }] });
    await makeTriggered(app, team.id, "fine", enabled);
    const { status, body } = await send("push", push(id));
    expect(status).toBe(200);
    expect(body.runs.map((run: { workflowName: string }) => run.workflowName)).toEqual(["fine"]);
    expect(body.refused.map((one: { reason: string }) => one.reason).sort()).toEqual(["QUOTA_EXCEEDED", "WORKFLOWRUN_INVALID_REQUIREMENT"]);
  });

  test("of an unknown installation, or the platform's trial, starts nothing", async () => {
    expect((await send("push", push(99_999))).body).toEqual({ runs: [], refused: [] });
    expect((await send("ping", { zen: "x" })).body).toEqual({ runs: [], refused: [] });
    for (const installation of [undefined, null, {}, { id: "5" }, { id: -1 }, { id: 1.5 }, []]) {
      expect((await send("push", { ...push(1), installation })).status).toBe(400);
    }
  });

  test("delivered twice starts nothing twice, also at the same time, and gets the first answer", async () => {
    const id = await installed();
    const team = await linkedTeam(id);
    await makeTriggered(app, team.id, "build", enabled);
    const answers = await Promise.all(Array.from({ length: 6 }, () => send("push", push(id), { delivery: `delivery-${id}` })));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect((await send("push", push(id), { delivery: `other-${id}` })).body.runs).toHaveLength(1);
    expect(await runsOf(team.id)).toHaveLength(2);
  });
});

describe("who sends it", () => {
  test("proves that by the signature, and a credential is no substitute", async () => {
    const id = await installed();
    const unauthenticated = { status: 401, body: { reason: "UNAUTHENTICATED" } };
    expect(await send("push", push(id), { secret: "wrong" })).toMatchObject(unauthenticated);
    expect(await sendFromCodehost(app, { event: "push", payload: push(id) })).toMatchObject(unauthenticated);
    const token = await app.make.globalToken();
    expect(await sendFromCodehost(app, { event: "push", payload: push(id), token })).toMatchObject(unauthenticated);
    expect((await send("push", push(id), { token })).status).toBe(200);
  });

  test("needs a credential where no secret is set, and reaches the workflows of its own teams only", async () => {
    const id = await installed();
    const [mine, other] = [await linkedTeam(id), await linkedTeam(id)];
    for (const team of [mine, other]) await makeTriggered(app, team.id, "build", enabled);
    const second = await makeTriggered(app, mine.id, "second", enabled);
    await setIntegrationSettings(app, {});
    expect((await send("push", push(id))).status).toBe(401);
    const token = await app.make.teamToken(mine.id, ["webhook/action"]);
    const unsigned = (event: string, payload: unknown, as: string) => sendFromCodehost(app, { event, payload, token: as });
    expect((await unsigned("push", push(id), token)).body.runs).toHaveLength(2);
    expect((await unsigned("push", push(id), await app.make.workflowToken(mine.id, second))).body.runs).toMatchObject([
      { workflowName: "second" },
    ]);
    expect(await runsOf(other.id)).toEqual([]);
    const removal = { action: "deleted", installation: installationOf(id) };
    expect(await unsigned("installation", removal, token)).toMatchObject({ status: 403, body: { reason: "PERMISSION_DENIED" } });
    expect(await record(id)).toBeDefined();
    expect((await unsigned("installation", removal, await app.make.globalToken(["webhook/action"]))).status).toBe(200);
    expect(await record(id)).toBeUndefined();
  });

  test("is checked before anything else, also with the neutral header names", async () => {
    const body = JSON.stringify(push(1));
    for (const headers of [
      { "x-codehost-event": "push", "x-codehost-signature-256": "sha256=00" },
      { "X-Codehost-Event": "push", "X-Hub-Signature-256": "" },
      { "X-GitHub-Event": "installation", "x-codehost-signature-256": `sha256=${"0".repeat(64)}` },
    ] as Record<string, string>[]) {
      expect((await app.as(null).post("/api/v2/webhook?ref=x", body, headers)).status).toBe(401);
    }
  });
});
