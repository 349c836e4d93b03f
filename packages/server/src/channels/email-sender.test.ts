import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { fakeMailServer, mailCertificate, readMail } from "../../test/fakes/fake-mail-server.ts";
import type { ReadyEmailTarget } from "../core/outbound/email-target.ts";
import type { OutboundEvent } from "../core/outbound/outbound-event.ts";
import { createEmailSender } from "./email-sender.ts";

const publicUrl = "https://millrace.example";
const credentials = { user: "millrace", password: "pass-word-1" };
const plain = await fakeMailServer();
const guarded = await fakeMailServer({ security: "starttls", credentials });
const sender = createEmailSender({ publicUrl, trustedCertificates: mailCertificate, stepTimeoutMs: 1000 });
afterAll(() => sender.close?.());
beforeEach(() => {
  for (const server of [plain, guarded]) {
    server.behave({});
    server.received.length = 0;
  }
});

const run = { id: "01900000-0000-7000-8000-000000000001", status: "failed", statusMessage: "task build failed", trigger: "manual" };
const eventOf = (data: Record<string, unknown> = {}, type = "dev.millrace.workflowrun.failed", more = {}): OutboundEvent => ({
  specversion: "1.0",
  id: "e1",
  source: "/api/v2/team/t",
  type,
  subject: "/workflowrun/r/status/failed",
  time: "2026-01-02T03:04:05.678Z",
  datacontenttype: "application/json",
  team: "hawks",
  workflow: "build",
  data: { ...run, workflowName: "build", link: `${publicUrl}/api/v2/team/t/workflowrun/r`, ...data },
  ...more,
});
const targetOf = (more: Partial<ReadyEmailTarget> = {}): ReadyEmailTarget => ({
  server: { host: "127.0.0.1", port: plain.port, security: "none" },
  from: "millrace@example.com",
  appName: "Millrace",
  recipients: ["ann@example.com"],
  about: { subscription: { id: "s1", name: "failures", teamId: "t" } },
  ...more,
});
const send = (target = targetOf(), event = eventOf(), signal = new AbortController().signal) =>
  sender.send({ deliveryId: "d1", event, attempt: 1, signal }, target);
const throughPort = (port: number, security: "none" | "starttls" | "tls", more = {}) =>
  targetOf({ server: { host: "127.0.0.1", port, security, ...more } });
const lastMail = (server = plain) => readMail(server.received.at(-1)!);

describe("what is written", () => {
  test("says what happened, where to read more and why it was sent, as text and as HTML", async () => {
    expect(await send()).toMatchObject({ outcome: "delivered", status: 250 });
    const { headers, text, html } = lastMail();
    expect(headers).toMatchObject({ from: "Millrace <millrace@example.com>", to: "ann@example.com", subject: "[hawks] build failed" });
    for (const body of [text, html]) {
      expect(body).toContain("task build failed");
      expect(body).toContain(`${publicUrl}/hawks/activity/${run.id}`);
      expect(body).toContain("failures");
      expect(body).toContain(`${publicUrl}/hawks/integrations?subscription=s1`);
    }
  });

  test("is marked as automatic, has the delivery in its Message-ID and the run as its thread", async () => {
    await send();
    await send();
    const ids = plain.received.map((mail) => readMail(mail).headers["message-id"]);
    expect(ids).toEqual(["<d1@example.com>", "<d1@example.com>"]);
    expect(lastMail().headers).toMatchObject({
      "auto-submitted": "auto-generated",
      "list-unsubscribe": `<${publicUrl}/hawks/integrations?subscription=s1>`,
      references: `<${run.id}@example.com>`,
    });
  });

  test("hides recipients from each other", async () => {
    await send(targetOf({ recipients: ["ann@example.com", "bob@example.com"] }));
    expect(plain.received[0]).toMatchObject({ to: ["ann@example.com", "bob@example.com"] });
    expect(plain.received[0]!.raw).not.toMatch(/ann@|bob@/);
    expect(plain.received).toHaveLength(1);
  });

  test("asks for an approval in the words of the workflow, line by line", async () => {
    const action = {
      taskName: "ask",
      type: "approval",
      instructions: "Look at <b>it</b>\nthen decide",
      approvalsRequired: 2,
      numberOfApprovals: 1,
    };
    await send(targetOf(), eventOf(action, "dev.millrace.action.reminder"));
    const { headers, text, html } = lastMail();
    expect(headers["subject"]).toBe("[hawks] Reminder: build is waiting for an approval: ask");
    expect(text.replaceAll("\r", "")).toContain("Look at <b>it</b>\nthen decide");
    expect(html).toContain("Look at &lt;b&gt;it&lt;/b&gt;<br>");
    expect(text).toContain("Approvals: 1 of 2");
  });

  test("an open request says what to read, what to fill in and where to decide; a decided one does not", async () => {
    const state = {
      ...{ status: "submitted", votes: [], notes: [], escalatedTo: null, fields: ["Region", "Share"] },
      links: [
        { label: "Notes", url: "https://example.com/notes?a=1&b=2" },
        { label: "Bad", url: "javascript:alert(1)" },
      ],
      attachments: [
        { label: "Report", taskRunId: null },
        { label: "Log of build", taskRunId: "t1" },
      ],
    };
    const about = (status: string) => ({ subscription: { id: "s1", name: "approvals", teamId: "t" }, action: { ...state, status } });
    const event = eventOf({ id: "a1", taskName: "ask", type: "approval", title: "Release 1.4", workflowRunRef: "r1" }, submitted);
    await send(targetOf({ about: about("submitted") }), event);
    const { headers, text, html } = lastMail();
    expect(headers["subject"]).toBe("[hawks] build is waiting for an approval: Release 1.4");
    for (const line of [
      "Notes: https://example.com/notes?a=1&b=2",
      `Report: ${publicUrl}/hawks/actions/a1`,
      `Log of build: ${publicUrl}/hawks/activity/r1?task=t1`,
      "To fill in: Region, Share",
      `Decide here: ${publicUrl}/hawks/actions/a1`,
    ])
      expect(text).toContain(line);
    expect(html).toContain('Notes: <a href="https://example.com/notes?a=1&amp;b=2">https://example.com/notes?a=1&amp;b=2</a>');
    expect(text + html).not.toContain("javascript:");
    await send(targetOf({ about: about("approved") }), event);
    expect(lastMail().text).not.toMatch(/Decide here|To fill in|Notes/);
    await send(targetOf({ about: about("submitted") }), eventOf({ ...event.data, type: "manual" }, submitted));
    expect(lastMail().text).toContain(`Open the task: ${publicUrl}/hawks/actions/a1`);
  });

  const submitted = "dev.millrace.action.submitted";
  const hostile = "x\r\nBcc: eve@example.com\n\n<script>alert(1)</script>\u202Egnp.exe\u2028\u0000\u200B\"'&";
  test("user text can't inject headers or HTML, or change the writing direction", async () => {
    const names = { workflowDisplayName: hostile, taskName: hostile, instructions: hostile, statusMessage: hostile, status: hostile };
    const types = ["workflowrun.failed", "taskrun.failed", "action.submitted", "schedule.error"].map((type) => `dev.millrace.${type}`);
    for (const type of types) {
      const subscription = { id: "s1", name: hostile, teamId: "t" };
      await send(targetOf({ about: { subscription }, appName: hostile }), eventOf(names, type, { team: hostile, workflow: hostile }));
      const { headers, text, html } = lastMail();
      expect(Object.keys(headers)).not.toContain("bcc");
      expect(plain.received.at(-1)!.to).toEqual(["ann@example.com"]);
      expect(html).not.toContain("<script");
      expect(`${text}${html}${headers["subject"]}`).not.toMatch(/[\u202E\u2028\u200B]/);
    }
  });

  test("a link to another origin is removed, and a long name is cut in the subject", async () => {
    await send(targetOf(), eventOf({ link: "https://millrace.example.evil.test/x", workflowDisplayName: "n".repeat(5000) }));
    const { headers, text, html } = lastMail();
    expect(text + html).not.toContain("evil.test");
    expect(headers["subject"]!.length).toBeLessThan(250);
  });
});

describe("the conversation with the server", () => {
  test("signs in over an encrypted connection, and uses it again", async () => {
    const before = guarded.connections();
    const target = throughPort(guarded.port, "starttls", { credentials });
    expect(await send(target)).toMatchObject({ outcome: "delivered" });
    await send(target);
    expect(guarded.received).toMatchObject([
      { user: "millrace", isEncrypted: true },
      { user: "millrace", isEncrypted: true },
    ]);
    expect(guarded.connections() - before).toBe(1);
  });

  test("is encrypted from the beginning with tls", async () => {
    const server = await fakeMailServer({ security: "tls" });
    expect(await send(throughPort(server.port, "tls"))).toMatchObject({ outcome: "delivered" });
    expect(server.received).toMatchObject([{ isEncrypted: true }]);
  });

  test("sends neither password nor email to a server that doesn't encrypt or whose certificate nobody vouches for", async () => {
    const open = await fakeMailServer({ credentials });
    expect(await send(throughPort(open.port, "starttls", { credentials }))).toMatchObject({ outcome: "retry" });
    const distrusting = createEmailSender({ publicUrl, stepTimeoutMs: 1000 });
    const target = throughPort(guarded.port, "starttls", { credentials });
    const report = await distrusting.send({ deliveryId: "d1", event: eventOf(), attempt: 1, signal: new AbortController().signal }, target);
    expect(report).toMatchObject({ outcome: "retry", error: expect.stringMatching(/certificate/) });
    expect([...open.received, ...guarded.received]).toEqual([]);
    await distrusting.close?.();
  });

  test("a sign-in that is refused is tried again, and the password is in no answer", async () => {
    const report = await send(throughPort(guarded.port, "starttls", { credentials: { ...credentials, password: "wrong-pass" } }));
    expect(report).toMatchObject({ outcome: "retry", status: 535, error: expect.stringContaining("who are you") });
    expect(JSON.stringify(report)).not.toContain("wrong-pass");
  });

  test.each([
    [{ code: 552, text: "5.3.4 too big" }, "rejected"],
    [{ code: 451, text: "4.7.1 later" }, "retry"],
  ])("an email that is refused with %j is %s", async (data, outcome) => {
    plain.behave({ data });
    expect(await send()).toMatchObject({ outcome, status: data.code, error: expect.stringContaining(data.text) });
  });

  test("all recipients refused for good is refused; one of them for now is tried again; some taken is delivered, and says so", async () => {
    const target = targetOf({ recipients: ["ann@example.com", "bob@example.com"] });
    const [gone, later] = [
      { code: 550, text: "5.1.1 no such user" },
      { code: 450, text: "4.2.1 greylisted" },
    ];
    plain.behave({ recipients: { "ann@example.com": gone, "bob@example.com": gone } });
    expect(await send(target)).toMatchObject({ outcome: "rejected", status: 550 });
    plain.behave({ recipients: { "ann@example.com": gone, "bob@example.com": later } });
    expect(await send(target)).toMatchObject({ outcome: "retry", status: 450 });
    plain.behave({ recipients: { "ann@example.com": gone } });
    expect(await send(target)).toMatchObject({ outcome: "delivered", answer: expect.stringContaining("not for 1 of 2 recipients") });
  });

  test("a server that hangs, hangs up or is not there holds nothing up and is tried again", async () => {
    plain.behave({ data: "hang" });
    expect(await send()).toMatchObject({ outcome: "retry" });
    const stop = new AbortController();
    const aborted = send(targetOf(), eventOf(), stop.signal);
    stop.abort();
    expect(await aborted).toMatchObject({ outcome: "retry" });
    const closing = await fakeMailServer();
    closing.behave({ data: "close" });
    expect(await send(throughPort(closing.port, "none"))).toMatchObject({ outcome: "retry" });
    expect(await send(throughPort(1, "none"))).toMatchObject({ outcome: "retry", error: expect.stringContaining("ECONNREFUSED") });
    plain.behave({});
    expect(await send()).toMatchObject({ outcome: "delivered" });
  });
});
