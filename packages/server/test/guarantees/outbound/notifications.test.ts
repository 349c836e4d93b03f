import { beforeEach, describe, expect, test } from "vitest";
import { createLog } from "../../../src/base/process/log.ts";
import { createReminderService } from "../../../src/services/engine-services.ts";
import { fakeMailServer, readMail } from "../../fakes/fake-mail-server.ts";
import { moveTime } from "../../kit/database.ts";
import { deliveryKit } from "../../kit/outbound/delivery-kit.ts";
import { params, runKit } from "../../kit/run-kit.ts";
import { node, workflow } from "../../kit/run-simulator.ts";
import { makeTask } from "../../kit/workflow-factories.ts";

/** From an event in a run to the email about it, through a real mail server. */
const { app, kit, team: makeTeam, outsider } = await runKit();
await makeTask(app.sql, { name: "set", type: "setwfproperty" });
const admin = app.as();
const log = createLog("silent");
const mail = await fakeMailServer({ credentials: { user: "millrace", password: "mail-pass-word" } });
const { publicUrl } = app.context;
const { dispatching: dispatcher, delivering: deliveries } = deliveryKit(app);
const reminders = createReminderService(app.sql, log);

const mailSettings = {
  host: "127.0.0.1",
  port: String(mail.port),
  security: "none",
  user: "millrace",
  password: "mail-pass-word",
  from: "m@example.com",
};
async function set(values: Record<string, string>) {
  const config = Object.entries(values).map(([key, value]) => ({ key, value }));
  expect((await admin.put("/api/v2/settings", [{ id: "mail", config }])).status).toBe(200);
}

beforeEach(async () => {
  mail.behave({});
  mail.received.length = 0;
  await app.sql`delete from subscription`;
  await set({ ...mailSettings, domains: "" });
});

async function sendAll() {
  await kit.settle();
  await dispatcher.tick();
  await deliveries.tick();
}

const failing = workflow(node("fail", "setwfstatus", ["start"], params({ status: "failed" })));
const asking = (terms: object = {}) => workflow(node("ask", "approval", ["start"], params({ ...terms })));
const doing = (instructions: string) => workflow(node("do", "manual", ["start"], params({ instructions })));

async function teamWith(subscription: Record<string, unknown>) {
  const team = await makeTeam();
  const answer = await admin.post(`${team.path}/subscription`, { name: "tell us", channel: "email", ...subscription });
  expect(answer.text).not.toContain('"reason"');
  const path = `${team.path}/subscription/${answer.body.id}`;
  return {
    ...team,
    subscription: answer.body,
    subscriptionPath: path,
    deliveries: async () => (await admin.get(`${path}/delivery/query`)).body.content,
  };
}
const to = { to: ["on-call@example.com"] };

describe("people are notified", () => {
  test("when a run fails, without its parameters, and not when it succeeds", async () => {
    const team = await teamWith({ notify: ["run-failed"], target: to });
    await team.workflow("bad", failing);
    await team.workflow("good", workflow());
    await team.submit("good");
    await team.submit("bad", { params: [{ name: "key", value: "s3cret-of-the-run" }] });
    await sendAll();
    expect(mail.received).toMatchObject([{ to: ["on-call@example.com"], user: "millrace" }]);
    const { headers, text } = readMail(mail.received[0]!);
    expect(headers["subject"]).toMatch(/^\[team-\w+\] bad failed$/);
    expect(text).toMatch(new RegExp(`^${publicUrl}/team-\\w+/activity/[-0-9a-f]{36}\r?$`, "m"));
    expect(text).toMatch(new RegExp(`/team-\\w+/integrations\\?subscription=${team.subscription.id}`));
    expect(mail.received[0]!.raw).not.toContain("s3cret-of-the-run");
    expect(await team.deliveries()).toMatchObject([{ status: "delivered", channel: "email", answerStatus: 250 }]);
  });

  test("when an approval waits for them, and again until they have voted", async () => {
    const team = await teamWith({ notify: ["approval-needed", "approval-reminder"], target: { people: ["approvers"] } });
    const [ann, bob] = [await team.member("editor"), await team.member("owner")];
    await team.member("reader");
    await team.workflow("release", asking({ numberOfApprovers: 2, reminder: 30 }));
    await team.submit("release");
    await sendAll();
    expect(mail.received[0]!.to.toSorted()).toEqual([ann.email, bob.email].toSorted());
    const [action] = (await ann.get(`${team.path}/action/query`)).body.content;
    await ann.put(`${team.path}/action`, [{ id: action.id, approved: true }]);
    await moveTime(app.sql, 31 * 60_000);
    await reminders.tick();
    await sendAll();
    expect(mail.received.map(({ to }) => to.length)).toEqual([2, 1]);
    expect(mail.received[1]!.to).toEqual([bob.email]);
    expect(readMail(mail.received[1]!).headers["subject"]).toContain("Reminder: release is waiting for an approval: ask");
  });

  test("secrets that instructions refer to are masked", async () => {
    const team = await teamWith({ notify: ["approval-needed"], target: to });
    const secret = { name: "key", type: "password", value: "s3cret-value-1" };
    await team.workflow("ask", doing("Use <b> $(params.key)\nthen go on"), { params: [secret] });
    await team.submit("ask", { params: [{ name: "key", value: "s3cret-value-2" }] });
    await sendAll();
    const { text, html } = readMail(mail.received[0]!);
    expect(text.replaceAll("\r", "")).toMatch(/Use <b> \S*\nthen go on/);
    expect(html).toContain("Use &lt;b&gt;");
    expect(`${mail.received[0]!.raw}${text}${html}`).not.toMatch(/s3cret-value/);
  });

  test("only members of the team", async () => {
    await teamWith({ target: to });
    const other = await makeTeam();
    await other.workflow("bad", failing);
    await other.submit("bad");
    await sendAll();
    expect(mail.received).toEqual([]);
  });

  test("of all teams, by a subscription of the instance, which the email leads to", async () => {
    const { body } = await admin.post("/api/v2/subscription", { name: "all", channel: "email", notify: ["run-failed"], target: to });
    const team = await makeTeam();
    await team.workflow("bad", failing);
    await team.submit("bad");
    await sendAll();
    expect(readMail(mail.received[0]!).headers["list-unsubscribe"]).toBe(`<${publicUrl}/admin/events?subscription=${body.id}>`);
  });

  test("by a test, whatever the filters are", async () => {
    const team = await teamWith({ notify: ["run-failed"], target: to });
    expect((await admin.post(`${team.subscriptionPath}/test`)).status).toBe(200);
    await sendAll();
    expect(readMail(mail.received[0]!).headers["subject"]).toContain("This is a test");
  });
});

describe("a delivery", () => {
  test("that the server defers is sent later as the same email, and can be sent again", async () => {
    const team = await teamWith({ notify: ["run-failed"], target: to });
    await team.workflow("bad", failing);
    await team.submit("bad");
    mail.behave({ data: { code: 451, text: "4.3.0 later" } });
    await sendAll();
    expect(await team.deliveries()).toMatchObject([{ status: "pending", answerStatus: 451, error: expect.stringContaining("later") }]);
    mail.behave({});
    await moveTime(app.sql, 3600_000);
    await deliveries.tick();
    const [delivery] = await team.deliveries();
    expect(delivery).toMatchObject({ status: "delivered", attempts: 2 });
    expect((await admin.post(`${team.subscriptionPath}/delivery/${delivery.id}/replay`)).status).toBe(200);
    await deliveries.tick();
    expect(mail.received.map((one) => readMail(one).headers["message-id"])).toEqual(Array(2).fill(`<${delivery.id}@example.com>`));
  });

  test("that the server refuses is given up, and so is one without recipients", async () => {
    const team = await teamWith({ notify: ["run-failed"], target: to });
    await team.workflow("bad", failing);
    await team.submit("bad");
    mail.behave({ recipients: { "on-call@example.com": { code: 550, text: "5.1.1 unknown" } } });
    await sendAll();
    await admin.patch(team.subscriptionPath, { target: { people: ["initiator"] } });
    await team.submit("bad");
    await sendAll();
    expect((await team.deliveries()).map(({ status, error }: Record<string, string>) => [status, error])).toEqual([
      ["dead", expect.stringContaining("There are no recipients")],
      ["dead", expect.stringContaining("5.1.1 unknown")],
    ]);
  });

  test("waits for a mail server that is not there yet, and shows no password", async () => {
    const team = await teamWith({ notify: ["run-failed"], target: to });
    await team.workflow("bad", failing);
    await team.submit("bad");
    await set({ host: "" });
    await sendAll();
    expect(await team.deliveries()).toMatchObject([{ status: "pending", error: expect.stringContaining("No mail server is configured") }]);
    await set(mailSettings);
    await moveTime(app.sql, 3600_000);
    await deliveries.tick();
    expect(mail.received).toHaveLength(1);
    expect(JSON.stringify([await team.deliveries(), (await admin.get("/api/v2/settings")).body])).not.toContain("mail-pass-word");
  });
});

describe("setting it up", () => {
  test("named events become a filter, which other names replace", async () => {
    const team = await teamWith({ notify: ["run-cancelled"], target: to });
    expect(team.subscription.filters).toEqual([{ any: [{ exact: { type: "dev.millrace.workflowrun.cancelled" } }] }]);
    const changed = await admin.patch(team.subscriptionPath, { notify: ["run-succeeded"] });
    expect(changed.body.filters).toEqual([{ any: [{ exact: { type: "dev.millrace.workflowrun.succeeded" } }] }]);
    const both = await admin.patch(team.subscriptionPath, { notify: ["run-failed"], filters: [{ exact: { workflow: "build" } }] });
    expect(both.body.filters).toHaveLength(2);
    expect((await admin.patch(team.subscriptionPath, { isActive: false })).body.filters).toHaveLength(2);
  });

  test.each<[string, Record<string, unknown>, string]>([
    ["an unknown word", { notify: ["everything"], target: to }, "notify"],
    ["no target", {}, "/target"],
    ["nobody", { target: {} }, "has no recipients"],
    ["what is not an address", { target: { to: ["x\r\nBcc: y@example.com"] } }, "/target/to/0"],
    ["what is not a list", { target: { to: "a@example.com" } }, "/target/to"],
    ["unknown people", { target: { people: ["outsiders"] } }, "/target/people"],
    ["a member that means nothing", { target: { ...to, url: "https://example.com" } }, "/target/url"],
  ])("refuses %s", async (_, more, message) => {
    const team = await makeTeam();
    const { status, text } = await admin.post(`${team.path}/subscription`, { name: "x", channel: "email", ...more });
    expect(status).toBe(400);
    expect(text).toContain(message);
  });

  test("refuses domains that the setting does not allow, and callers without permission", async () => {
    await set({ domains: "example.org" });
    const team = await makeTeam();
    const body = { name: "x", channel: "email", target: to };
    expect((await admin.post(`${team.path}/subscription`, body)).text).toContain("example.org only");
    expect((await (await outsider()).post(`${team.path}/subscription`, body)).status).toBe(404);
    expect((await (await team.member("reader")).post(`${team.path}/subscription`, body)).status).toBe(403);
  });
});
