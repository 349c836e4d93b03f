import { notifications } from "@millrace/contract/outbound/subscription.ts";
import { expect, test } from "vitest";
import { createLog } from "../../../src/base/process/log.ts";
import { buildEventMessage } from "../../../src/core/chat/event-message.ts";
import { renderMail } from "../../../src/core/outbound/mail/render-mail.ts";
import type { OutboundEvent } from "../../../src/core/outbound/outbound-event.ts";
import { createAlertService } from "../../../src/services/alert-service.ts";
import { listTeamQueues } from "../../../src/store/alert/late-queues.ts";
import { recordMissedTimes, takeOverdueSchedules } from "../../../src/store/alert/missed-schedules.ts";
import { findUsualDurations, lockWatchedRuns, recordLateRuns, watchNewRuns } from "../../../src/store/alert/watched-runs.ts";
import { webhookReceiver } from "../../fakes/webhook-receiver.ts";
import { plansOf } from "../../kit/data/explain.ts";
import { moveTime } from "../../kit/database.ts";
import { deliveryKit, testSecret } from "../../kit/outbound/delivery-kit.ts";
import { params, runKit } from "../../kit/run-kit.ts";
import { node, workflow } from "../../kit/run-simulator.ts";

/** From a run that is late, or a queue that does not move, to the notified subscribers. */
const { app, team: makeTeam } = await runKit();
const service = createAlertService(app.sql, app.context.settings, createLog("silent"));
const { subscribe, flush } = deliveryKit(app);
const look = async (minutes: number) => {
  await moveTime(app.sql, minutes * 60_000);
  await service.tick();
};

test("a late run and a late queue reach a webhook, with texts for email and chat", async () => {
  const receiver = await webhookReceiver(testSecret);
  const team = await makeTeam();
  await team.workflow("nightly", workflow(node("work", "script", ["start"], params({ script: "true" }))));
  await subscribe(team.path, { name: "alerts", notify: ["run-late", "queue-late", "schedule-missed"], target: { url: receiver.url } });
  const run = await team.submit("nightly", { annotations: { "millrace.dev/deadline": "30m" } });
  await look(1);
  await look(2);
  await look(31);
  await flush();
  const [late, queue] = ["run_late", "queue_late"].map(
    (status) => receiver.taken().find(({ event }) => event.type.endsWith(status))!.event,
  );
  expect(receiver.taken()).toHaveLength(2);
  expect(late).toMatchObject({ type: "dev.millrace.alert.run_late", subject: `/alert/${run.id}/status/run_late`, workflow: "nightly" });
  expect(late.data).toMatchObject({ id: run.id, limit: "deadline", link: `${app.context.publicUrl}${team.path}/workflowrun/${run.id}` });
  expect(queue).toMatchObject({ type: "dev.millrace.alert.queue_late", data: { workflowRunRef: run.id, waiting: 1 } });
  const frame = { appName: "Millrace", publicUrl: app.context.publicUrl, subscription: { name: "alerts", link: "x" } };
  const mail = (event: OutboundEvent) => renderMail(event, frame);
  expect(mail(late).subject).toMatch(/nightly is late: it was submitted 3\d min ago and is still open, and its deadline is 30 min$/);
  expect(mail(late).text).toContain(`Run: ${run.id}`);
  expect(mail(late).text).toContain(`/activity/${run.id}\n`);
  expect(mail(queue).subject).toMatch(/The oldest task run in the queue has been waiting for 3\d min$/);
  expect(buildEventMessage(late, undefined).text).toMatch(/^nightly is late: /);
  expect(JSON.stringify(buildEventMessage(late, undefined).blocks)).toContain(`/activity/${run.id}|`);
  expect(buildEventMessage(queue, undefined).text).toMatch(/^The oldest task run/);
});

test("a deadline that can't be read is refused, with what is right, for a workflow and for a run", async () => {
  const team = await makeTeam();
  const annotations = { "millrace.dev/deadline": "two hours" };
  const saved = await app.as().post(`${team.path}/workflow`, { name: "late", tasks: [], annotations });
  expect(saved.status).toBe(400);
  expect(saved.body.errors).toEqual([
    { path: "/annotations/millrace.dev~1deadline", message: expect.stringContaining('is "two hours"; it must be a duration from 1m') },
  ]);
  expect(
    (await app.as().post(`${team.path}/workflow`, { name: "late", tasks: [], annotations: { "millrace.dev/deadline": "2h" } })).status,
  ).toBe(200);
  const submitted = await app.as().post(`${team.path}/workflow/late/submit`, { annotations });
  expect(submitted.status).toBe(400);
});

test("the limits are settings, applied from the next round on", async () => {
  const receiver = await webhookReceiver(testSecret);
  const team = await makeTeam();
  await team.workflow("nightly", workflow(node("work", "script", ["start"], params({ script: "true" }))));
  await subscribe(team.path, { name: "alerts", notify: ["queue-late"], target: { url: receiver.url } });
  await team.submit("nightly");
  await look(5);
  await flush();
  expect(receiver.taken()).toEqual([]);
  expect((await app.as().put("/api/v2/settings", [{ id: "alerts", config: [{ key: "queue.minutes", value: "4" }] }])).status).toBe(200);
  await look(1);
  await flush();
  expect(receiver.taken().map(({ event }) => event.type)).toEqual(["dev.millrace.alert.queue_late"]);
});

test("a subscription to all events includes alerts", async () => {
  const team = await makeTeam();
  await subscribe(team.path, { name: "all", notify: [...notifications], target: { url: "http://127.0.0.1:9/" } });
  expect(await app.sql`select 1 from subscription where team_id = ${team.id} and 'alert' = any(kinds)`).toHaveLength(1);
});

test("no statement of a round reads runs, task runs or schedules from end to end", async () => {
  const { sql } = app;
  const id = "0198c1de-7d90-7a11-8d42-4f5e6a7b8c90";
  const plans = await plansOf(sql, async (db) => {
    await watchNewRuns(db, 500);
    await lockWatchedRuns(db, 500);
    await findUsualDurations(db, [{ teamId: id, workflowId: id }]);
    await recordLateRuns(db, [{ teamId: id, runId: id, members: {} }]);
    await listTeamQueues(db);
    await takeOverdueSchedules(db, { minutes: 5, limit: 100 });
    await recordMissedTimes(db, [{ teamId: id, id, missed: { status: "schedule_missed", first: new Date(), count: 1, message: "" } }]);
  });
  expect(plans.length).toBeGreaterThanOrEqual(8);
  for (const plan of plans) expect(plan).not.toMatch(/Seq Scan on (run|task_run|schedule|alert_run)\w*/);
  const [watching] = plans;
  expect(watching).toMatch(/run_\w*(phase|running|queued|id_idx)/);
});
