import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { type TestAnswer, testApp } from "../../kit/app.ts";
import { installationOf, makeTriggered, sendFromChat, sendFromCodehost, setIntegrationSettings } from "../../kit/integration-kit.ts";

/** Events that must be rejected: each with the error that its sender gets, and nothing of it is stored. */
const app = await testApp();
const secret = "a-secret-of-the-tests";
await setIntegrationSettings(app, { "chat.signingSecret": secret, "codehost.webhookSecret": secret });
const team = await app.make.team();
const triggers = { event: { enabled: true }, webhook: { enabled: true }, codehost: { enabled: true } };
const workflow = await makeTriggered(app, team.id, "build", triggers);
const made = await app.as().put(`/api/v2/team/${team.id}/workflow/build/webhook-secret`, undefined);
const token = await app.make.teamToken(team.id, ["webhook/action"]);
const run = await app.as().post(`/api/v2/team/${team.id}/workflow/build/submit`, {});
const push = { installation: installationOf(7), repository: { name: "shop" }, ref: "refs/heads/main" };
await sendFromCodehost(app, { event: "installation", payload: { action: "created", ...push }, secret });
await app.as().post("/api/v2/integration/codehost/link", { ref: "7", team: team.name });

const event = { specversion: "1.0", id: "1", source: "/shop", type: "order.placed", data: { order: 7 } };
const structured = { "content-type": "application/cloudevents+json" };
const big = { ...event, data: "x".repeat(2 * 1024 * 1024) };
const to = {
  event: `/api/v2/event?ref=${workflow}`,
  webhook: `/api/v2/webhook?ref=${workflow}`,
  callback: `/api/v2/callback?ref=${run.body.id}&topic=paid`,
};
const send = (path: string, body: unknown, headers: Record<string, string> = {}, credential: string | null = token) =>
  app.as(credential).post(path, body, headers);
const chat = (more: object) => sendFromChat(app, { path: to.webhook, body: '{"type":"event_callback"}', secret, ...more });

/** Signed in the format of Standard Webhooks, this long ago. */
function standard(secondsAgo: number): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1000) - secondsAgo);
  const key = Buffer.from(String(made.body.secret).slice(6), "base64");
  const signature = createHmac("sha256", key).update(`m1.${timestamp}.{}`).digest("base64");
  return { "webhook-id": "m1", "webhook-timestamp": timestamp, "webhook-signature": `v1,${signature}` };
}

type Refusal = [what: string, answer: () => Promise<TestAnswer>, status: number, reason: string];
const refusals: Refusal[] = [
  ["an event without a credential", () => send(to.event, event, structured, null), 401, "UNAUTHENTICATED"],
  ["an event with an unknown token", () => send(to.event, event, structured, "mrt_nonsense"), 401, "UNAUTHENTICATED"],
  ["an event for an unknown workflow", () => send(`/api/v2/event?ref=${team.id}`, event, structured), 404, "WORKFLOW_INVALID_REFERENCE"],
  ["an event of 2 MB", () => send(to.event, big, structured), 413, "BODY_TOO_LARGE"],
  ["an event that is not JSON", () => send(to.event, "{no", structured), 400, "BAD_REQUEST"],
  ["an event that is not a CloudEvent", () => send(to.event, { id: "1" }, structured), 400, "VALIDATION_FAILED"],
  [
    "an event of a wrong content type",
    () => send(to.event, "a=1", { "content-type": "application/x-www-form-urlencoded" }),
    415,
    "UNSUPPORTED_MEDIA_TYPE",
  ],
  [
    "a batch with one that is none",
    () => send(to.event, [event, {}], { "content-type": "application/cloudevents-batch+json" }),
    400,
    "VALIDATION_FAILED",
  ],
  ["a webhook without a credential", () => send(to.webhook, {}, {}, null), 401, "UNAUTHENTICATED"],
  ["a webhook for an unknown workflow", () => send(`/api/v2/webhook?ref=${team.id}`, {}), 404, "WORKFLOW_INVALID_REFERENCE"],
  ["a webhook of 2 MB", () => send(to.webhook, big), 413, "BODY_TOO_LARGE"],
  ["a webhook that is not JSON", () => send(to.webhook, "{no"), 400, "BAD_REQUEST"],
  [
    "a webhook of a wrong content type",
    () => send(to.webhook, "<a/>", { "content-type": "application/xml" }),
    415,
    "UNSUPPORTED_MEDIA_TYPE",
  ],
  [
    "a webhook with a wrong signature",
    () => send(to.webhook, {}, { "x-signature-256": `sha256=${"0".repeat(64)}` }, null),
    401,
    "UNAUTHENTICATED",
  ],
  ["a webhook with a stale timestamp", () => send(to.webhook, "{}", standard(310), null), 401, "UNAUTHENTICATED"],
  ["a webhook signed for another body", () => send(to.webhook, "[]", standard(0), null), 400, "VALIDATION_FAILED"],
  ["a signed webhook of 2 MB", () => send(to.webhook, big, standard(0), null), 413, "BODY_TOO_LARGE"],
  ["a chat payload with a wrong signature", () => chat({ secret: "other" }), 401, "UNAUTHENTICATED"],
  ["a chat payload with a stale timestamp", () => chat({ behindSeconds: 310 }), 401, "UNAUTHENTICATED"],
  [
    "a delivery of the codehost with a wrong signature",
    () => sendFromCodehost(app, { event: "push", payload: push, secret: "other", delivery: "d0" }),
    401,
    "UNAUTHENTICATED",
  ],
  [
    "a link to an unknown installation",
    () => app.as().post("/api/v2/integration/codehost/link", { ref: "999", team: team.name }),
    404,
    "NOT_FOUND",
  ],
  [
    "a link to an unknown team",
    () => app.as().post("/api/v2/integration/codehost/link", { ref: "7", team: "no-team" }),
    404,
    "TEAM_INVALID_REF",
  ],
  ["a callback without a credential", () => send(to.callback, {}, {}, null), 401, "UNAUTHENTICATED"],
  ["a callback with a wrong signature", () => send(`${to.callback}&signature=${"A".repeat(43)}`, {}, {}, null), 401, "UNAUTHENTICATED"],
  ["a callback for an unknown run", () => send(`/api/v2/callback?ref=${team.id}&topic=paid`, {}), 404, "WORKFLOWRUN_INVALID_REFERENCE"],
  ["a callback of 2 MB", () => send(to.callback, big), 413, "BODY_TOO_LARGE"],
  ["a callback that is not JSON", () => send(to.callback, "{no"), 400, "BAD_REQUEST"],
];

/** Everything that an outside request may leave behind. */
async function stored() {
  const [counts] = await app.sql`
    select (select count(*) from run)::int as runs, (select count(*) from task_run)::int as tasks, (select count(*) from run_event)::int as events,
      (select count(*) from audit)::int as audit, (select count(*) from idempotency)::int as kept, (select count(*) from installation)::int as installations,
      (select count(*) from team_installation)::int as links`;
  return { ...counts };
}

test.each(refusals)("%s is refused, and nothing of it is stored", async (_, answerOf, status, reason) => {
  const before = await stored();
  const answer = await answerOf();
  expect({ status: answer.status, reason: answer.body?.reason }).toEqual({ status, reason });
  expect(answer.body).toMatchObject({ message: expect.any(String), requestId: expect.any(String), cause: null });
  expect(await stored()).toEqual(before);
});

test("a replay, and a delivery of an unknown installation, start nothing more", async () => {
  const deliver = (payload: object, delivery: string) => sendFromCodehost(app, { event: "push", payload, secret, delivery });
  const first = await deliver(push, "d1");
  expect(first.body.runs).toHaveLength(1);
  expect((await send(to.event, event, structured)).status).toBe(200);
  const headers = standard(0);
  const signed = await send(to.webhook, "{}", headers, null);
  expect(signed.status).toBe(200);
  const before = await stored();
  expect((await deliver(push, "d1")).body).toEqual(first.body);
  expect((await send(to.event, { ...event, data: { order: 8 } }, structured)).body).toMatchObject({
    params: expect.arrayContaining([{ name: "order", value: 7 }]),
  });
  expect((await send(to.webhook, "{}", headers, null)).body).toEqual(signed.body);
  expect(await stored()).toEqual(before);
  expect((await deliver({ ...push, installation: installationOf(999) }, "d2")).body).toEqual({ runs: [], refused: [] });
  expect(await stored()).toEqual({ ...before, kept: Number(before["kept"]) + 1 });
});
