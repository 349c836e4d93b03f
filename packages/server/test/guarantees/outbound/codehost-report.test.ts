import type { Status } from "@millrace/contract/status.ts";
import { beforeEach, describe, expect, test } from "vitest";
import { createLog } from "../../../src/base/process/log.ts";
import { createCodehostSender } from "../../../src/channels/codehost-sender.ts";
import type { ChangeEvent, ClaimedDelivery } from "../../../src/core/outbound/change-event.ts";
import { outboundEvent } from "../../../src/core/outbound/outbound-event.ts";
import { readCodehostTarget } from "../../../src/domain/outbound/codehost-target.ts";
import { reportToCodehost } from "../../../src/domain/outbound/report-to-codehost.ts";
import type { DeliveryReport, Sender } from "../../../src/engine/channel.ts";
import { Deliverer } from "../../../src/engine/outbound/deliverer.ts";
import { EventDispatcher } from "../../../src/engine/outbound/event-dispatcher.ts";
import { reactions } from "../../../src/engine/outbound/reactions.ts";
import { pairChannels } from "../../../src/engine/outbound/target-readers.ts";
import { CodehostClients } from "../../../src/integrations/codehost/codehost-client.ts";
import { createHousekeepingService } from "../../../src/services/housekeeping-service.ts";
import { transaction } from "../../../src/store/database/transaction.ts";
import { saveCheckRunId } from "../../../src/store/integration/codehost-reports.ts";
import { addInstallation, fakeCodehost } from "../../fakes/fake-codehost.ts";
import { testApp } from "../../kit/app.ts";
import { engineKit } from "../../kit/engine-kit.ts";
import { installationOf, sendFromCodehost, setIntegrationSettings } from "../../kit/integration-kit.ts";
import { platformFetch } from "../../kit/platform-fetch.ts";
import { node, workflow } from "../../kit/run-simulator.ts";

const host = await fakeCodehost();
const app = await testApp();
const kit = engineKit(app.sql, app);
const secret = "webhook-secret";
const settings = {
  "codehost.webhookSecret": secret,
  "codehost.appId": host.appId,
  "codehost.pem": host.pem,
  "codehost.baseURL": host.url,
};
const sha = "ec26c3e57ca3a959ca5aad62de7213c562f8c821";
const sender = createCodehostSender({
  clients: new CodehostClients(platformFetch),
  rememberCheckRun: ({ teamId, runId }, id) => saveCheckRunId(app.sql, teamId, runId, id),
});

beforeEach(async () => {
  await setIntegrationSettings(app, settings);
  host.checkRuns.clear();
  host.statuses.length = 0;
  host.requests.length = 0;
});

let count = 5000;
/** A team with a workflow that waits for an event, and a push that has started it. */
async function pushed({ permissions, trigger = { reportStatus: true }, payload = {}, event = "push" }: PushOptions = {}) {
  const id = count++;
  addInstallation(host, id, { ...(permissions && { permissions }) });
  await sendFromCodehost(app, { event: "installation", payload: { action: "created", installation: installationOf(id) }, secret });
  const team = await app.make.team();
  await app.as().post("/api/v2/integration/codehost/link", { ref: String(id), team: team.name });
  await kit.workflow(team.id, "build", workflow(node("wait", "eventwait", ["start"], { params: [{ name: "topic", value: "go" }] })));
  const triggers = JSON.stringify({ codehost: { enabled: true, conditions: [], ...trigger } });
  await app.sql`update workflow set triggers = ${triggers}::jsonb where team_id = ${team.id}`;
  const repository = { id: id * 10, name: "shop", full_name: `org-${id}/shop` };
  const answer = await sendFromCodehost(app, {
    event,
    payload: { ref: "refs/heads/main", after: sha, repository, installation: { id }, ...payload },
    secret,
  });
  expect(answer.body.refused).toEqual([]);
  return { id, team, runId: answer.body.runs[0].id as string };
}
interface PushOptions {
  permissions?: Record<string, string>;
  trigger?: Record<string, unknown>;
  payload?: Record<string, unknown>;
  event?: string;
}

/** The changes of the run that have been recorded, in order. */
async function changes(runId: string): Promise<ChangeEvent[]> {
  const rows = await app.sql<ChangeEvent[]>`
    select id, seq, team_id as "teamId", kind, status, object_id as "objectId", lane_id as "laneId", team_name as "teamName",
           workflow_id as "workflowId", workflow_name as "workflowName", initiator_context as "initiatorContext", lineage, data, at
    from change_event where object_id = ${runId} order by seq`;
  return rows.map((row) => ({ ...row, seq: Number(row.seq) }));
}

/** Whether the change is to be published, decided by the same function as in the dispatcher. */
async function isReported(event: ChangeEvent): Promise<boolean> {
  if (!reportToCodehost.concerns(event)) return false;
  await transaction(app.sql, (tx) => reportToCodehost.react(tx, event, { context: app.context, bus: app.bus, afterCommit: () => {} }));
  return (await app.sql`select 1 from delivery where event_id = ${event.id} and channel = 'codehost'`).length > 0;
}

/** Sends it as the deliverer does. */
async function tell(event: ChangeEvent, attempt = 1): Promise<DeliveryReport> {
  const claimed: ClaimedDelivery = {
    id: event.id,
    channel: "codehost",
    subscriptionId: null,
    subscriptionTeamId: null,
    teamId: event.teamId,
    receiverId: event.teamId!,
    attempt,
    target: {},
    secrets: [],
    event,
  };
  const read = await readCodehostTarget(app.sql, app.keyring, claimed);
  if ("report" in read) return read.report;
  const outgoing = {
    deliveryId: event.id,
    event: outboundEvent(event, "https://millrace.example"),
    attempt,
    signal: AbortSignal.timeout(20_000),
  };
  return sender.send(outgoing, read.target);
}

/** Reports everything that has happened to the run and was not yet reported. */
async function notifyAll(runId: string, reported = new Set<string>()): Promise<DeliveryReport[]> {
  const reports: DeliveryReport[] = [];
  for (const event of await changes(runId)) {
    if (reported.has(event.id) || !(await isReported(event))) continue;
    reported.add(event.id);
    reports.push(await tell(event));
  }
  return reports;
}
const callBack = (runId: string) => app.as().post(`/api/v2/callback?ref=${runId}&topic=go`, {});
const checks = () => [...host.checkRuns.values()];

describe("a run that an event of the codehost has started", () => {
  test("is a check at the commit: in progress when it starts, completed when it ends, with a link to it", async () => {
    const { id, team, runId } = await pushed();
    expect(await notifyAll(runId)).toEqual([]);
    await kit.settle();
    const reported = new Set<string>();
    expect(await notifyAll(runId, reported)).toEqual([{ outcome: "delivered" }]);
    const link = `https://millrace.example/api/v2/team/${team.id}/workflowrun/${runId}`;
    const check = { name: `${team.name}/build`, head_sha: sha, external_id: runId, details_url: link, repository: `org-${id}/shop` };
    expect(checks()).toEqual([expect.objectContaining({ ...check, status: "in_progress" })]);
    expect(checks()[0]).not.toHaveProperty("conclusion");
    await callBack(runId);
    await kit.settle();
    expect(await notifyAll(runId, reported)).toEqual([{ outcome: "delivered" }]);
    expect(checks()).toEqual([expect.objectContaining({ ...check, status: "completed", conclusion: "success" })]);
  });

  test.each<[Status, string, string]>([
    ["succeeded", "success", "success"],
    ["failed", "failure", "failure"],
    ["invalid", "failure", "failure"],
    ["cancelled", "cancelled", "error"],
    ["timedout", "timed_out", "error"],
    ["skipped", "skipped", "success"],
  ])("ends there as it ended: %s is %s, and %s where there are only commit statuses", async (status, conclusion, state) => {
    const [one, two] = [await pushed(), await pushed({ permissions: { statuses: "write" } })];
    await kit.settle();
    for (const { runId } of [one, two]) {
      const [, begun] = await changes(runId);
      const [first] = (await changes(runId)).filter((event) => event.status === "running");
      expect(await tell({ ...(first ?? begun)!, status })).toEqual({ outcome: "delivered" });
    }
    expect(checks()).toMatchObject([{ status: "completed", conclusion }]);
    expect(host.statuses).toMatchObject([{ sha, state, context: `${two.team.name}/build` }]);
  });

  test("has one check, however often a message comes, and also when the first answer was lost", async () => {
    const { id, runId } = await pushed();
    await kit.settle();
    const [begun] = (await changes(runId)).filter(({ status }) => status === "running");
    const path = `/repos/org-${id}/shop/check-runs`;
    host.disturb(`POST ${path}`, { status: 502 });
    expect(await tell(begun!)).toMatchObject({ outcome: "retry", status: 502 });
    expect(await tell(begun!, 2)).toEqual({ outcome: "delivered" });
    await app.sql`update codehost_report set check_run_id = null where run_id = ${runId}`;
    for (const attempt of [2, 3]) expect(await tell(begun!, attempt)).toEqual({ outcome: "delivered" });
    expect(checks()).toHaveLength(1);
    expect(await tell({ ...begun!, status: "failed" })).toEqual({ outcome: "delivered" });
    expect(checks()).toMatchObject([{ conclusion: "failure" }]);
  });

  test("is a commit status where the app may not write checks, and nothing where it may write neither", async () => {
    const [statuses, nothing] = [await pushed({ permissions: { statuses: "write" } }), await pushed({ permissions: {} })];
    await kit.settle();
    expect(await notifyAll(statuses.runId)).toEqual([{ outcome: "delivered" }]);
    expect(host.statuses).toMatchObject([{ state: "pending", target_url: expect.stringContaining(statuses.runId) }]);
    const [report] = await notifyAll(nothing.runId);
    expect(report).toMatchObject({ outcome: "rejected", status: 403 });
    expect(report!.error).toContain("permission");
    expect(checks()).toEqual([]);
  });

  test("waits as long as the platform asks, and gives up on permanent errors", async () => {
    const { id, runId } = await pushed();
    await kit.settle();
    const [begun] = (await changes(runId)).filter(({ status }) => status === "running");
    const path = `POST /repos/org-${id}/shop/check-runs`;
    host.disturb(path, { status: 429, headers: { "retry-after": "120" } });
    expect(await tell(begun!)).toMatchObject({ outcome: "retry", retryAfterMs: 120_000 });
    host.disturb(path, { status: 422, body: { message: "No commit found for SHA" } });
    expect(await tell(begun!)).toMatchObject({ outcome: "rejected", status: 422 });
    await setIntegrationSettings(app, { ...settings, "codehost.pem": "" });
    expect(await tell(begun!)).toMatchObject({ outcome: "retry", error: expect.stringContaining("codehost.pem") });
  });

  test("is not reported any more when its team is no longer linked to the installation", async () => {
    const { id, team, runId } = await pushed();
    await kit.settle();
    await app.as().post("/api/v2/integration/codehost/unlink", { ref: String(id), team: team.name });
    expect(await notifyAll(runId)).toMatchObject([{ outcome: "rejected" }]);
    expect(host.requests).toEqual([]);
  });

  test("is reported again when it is run again, under a check of its own", async () => {
    const { runId } = await pushed();
    await kit.settle();
    await notifyAll(runId);
    expect((await app.as().delete(`/api/v2/team/${await teamOf(runId)}/workflowrun/${runId}/cancel`)).status).toBeLessThan(300);
    await kit.settle();
    const again = await app.as().put(`/api/v2/team/${await teamOf(runId)}/workflowrun/${runId}/retry`);
    expect(again.status, again.text).toBe(200);
    await kit.settle();
    expect(await notifyAll(again.body.id)).toEqual([{ outcome: "delivered" }]);
    expect(checks().map((check) => check["external_id"])).toEqual([runId, again.body.id]);
  });

  test("is removed a week later", async () => {
    const { runId } = await pushed();
    await app.sql`update codehost_report set run_id = '01800000-0000-7000-8000-000000000000' where run_id = ${runId}`;
    await createHousekeepingService(app.sql, { warn() {}, error() {} } as never).tick();
    expect(await app.sql`select 1 from codehost_report where run_id = '01800000-0000-7000-8000-000000000000'`).toHaveLength(0);
  });
});

const teamOf = async (runId: string) => (await app.sql`select team_id from run where id = ${runId}`)[0]!["team_id"] as string;

test("through the queue: the dispatcher has it reported, the deliverer reports it in order, and nothing secret is kept", async () => {
  const { id, runId } = await pushed();
  await kit.settle();
  await callBack(runId);
  await kit.settle();
  host.disturb(`POST /repos/org-${id}/shop/check-runs`, { status: 502 });
  const log = createLog("silent");
  await new EventDispatcher({ sql: app.sql, context: app.context, bus: app.bus, log, reactions }).tick();
  const channels = pairChannels([sender as Sender]);
  const publicUrl = "https://millrace.example";
  const deliverer = new Deliverer({ sql: app.sql, keyring: app.keyring, channels, publicUrl, log, onRoom: () => {}, onRecord: () => {} });
  const deliveries = () =>
    app.sql`select id, status, attempts, last_error from delivery where lane_id = ${runId} and channel = 'codehost' order by event_seq`;
  await deliverer.tick();
  await deliverer.settle();
  expect(await deliveries()).toMatchObject([
    { status: "pending", attempts: 1, last_error: expect.stringContaining("502") },
    { status: "waiting", attempts: 0 },
  ]);
  for (let round = 0; round < 2; round++) {
    await app.sql`update delivery set due_at = db_now() where lane_id = ${runId} and status = 'pending'`;
    await deliverer.tick();
    await deliverer.settle();
  }
  expect(await deliveries()).toMatchObject([
    { status: "delivered", attempts: 2 },
    { status: "delivered", attempts: 1 },
  ]);
  const ours = checks().filter((check) => check["external_id"] === runId);
  expect(ours).toMatchObject([{ status: "completed", conclusion: "success" }]);
  const [kept] = await app.sql`select string_agg(d::text, '') as text from (select * from delivery) d`;
  for (const secret of [...host.tokens.keys(), "PRIVATE KEY"]) expect(kept!["text"]).not.toContain(secret);
});

describe("nothing is reported", () => {
  const isReported = async (runId: string) => (await app.sql`select 1 from codehost_report where run_id = ${runId}`).length > 0;

  test("where the workflow does not ask for it", async () => {
    expect(await isReported((await pushed({ trigger: {} })).runId)).toBe(false);
  });

  test.each([
    ["push", { after: "0".repeat(40), deleted: true }],
    ["issue_comment", { after: undefined, action: "created" }],
    ["push", { repository: { name: "shop", full_name: "../shop" } }],
  ])("of a %s without a commit (%#)", async (event, payload) => {
    expect(await isReported((await pushed({ event, payload })).runId)).toBe(false);
  });

  test.each(["check_run", "check_suite", "status"])("of a %s, which reports cause themselves", async (event) => {
    expect(await isReported((await pushed({ event })).runId)).toBe(false);
  });
});

test("a trigger other than the codehost's can't ask for reports", async () => {
  const team = await app.make.team();
  const body = { name: "wrong", tasks: [], triggers: { webhook: { enabled: true, reportStatus: true } } };
  const answer = await app.as().post(`/api/v2/team/${team.name}/workflow`, body);
  expect(answer.status).toBe(400);
  expect(answer.text).toContain("/triggers/webhook/reportStatus");
});
