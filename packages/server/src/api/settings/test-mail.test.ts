import { beforeEach, expect, test } from "vitest";
import { fakeMailServer, readMail } from "../../../test/fakes/fake-mail-server.ts";
import { testApp } from "../../../test/kit/app.ts";

const credentials = { user: "millrace", password: "pass-word-1" };
const plain = await fakeMailServer();
const guarded = await fakeMailServer({ credentials });
const app = await testApp();
const admin = app.as(await app.make.userToken((await app.make.user({ type: "admin", email: "ada@example.com" })).id));
const path = "/api/v2/settings/mail/test";

const set = (values: Record<string, string>) =>
  admin.put("/api/v2/settings", [{ id: "mail", config: Object.entries(values).map(([key, value]) => ({ key, value })) }]);
const use = ({ port }: { port: number }, more: Record<string, string> = {}) =>
  set({ host: "127.0.0.1", port: String(port), security: "none", from: "millrace@example.com", ...more });

beforeEach(async () => {
  await app.sql`delete from setting`;
  await app.sql`delete from failed_attempt`;
  for (const server of [plain, guarded]) {
    server.behave({});
    server.received.length = 0;
  }
});

test("goes to the administrator, or to an address, and says what the server answered", async () => {
  await use(plain);
  const { status, body } = await admin.post(path, {});
  expect([status, body]).toEqual([
    200,
    { sent: true, to: "ada@example.com", server: `127.0.0.1:${plain.port}`, code: 250, answer: expect.stringMatching(/^250 /) },
  ]);
  expect((await admin.post(path, { to: "kim@example.com" })).body).toMatchObject({ sent: true, to: "kim@example.com" });
  expect(plain.received.map(({ to }) => to)).toEqual([["ada@example.com"], ["kim@example.com"]]);
  expect(readMail(plain.received[0]!).headers["subject"]).toBe("Test message from Millrace");
  const records =
    await app.sql`select action, object_name as name, after from audit where object_kind = 'setting' order by id desc limit 1`;
  expect(records).toMatchObject([{ action: "setting/test", name: "mail", after: { sent: true, to: "kim@example.com" } }]);
});

test("what the server refuses is shown in its words, without the password", async () => {
  await use(plain);
  plain.behave({ recipients: { "kim@example.com": { code: 550, text: "No such mailbox" } } });
  expect((await admin.post(path, { to: "kim@example.com" })).body).toMatchObject({
    ...{ sent: false, code: 550, answer: expect.stringContaining("No such mailbox") },
  });
  await use(guarded, { user: "millrace", password: "wrong-word-1" });
  const { body } = await admin.post(path, {});
  expect(body).toMatchObject({ sent: false, code: 535 });
  expect(JSON.stringify(body)).not.toContain("wrong-word-1");
  await app.sql`delete from setting`;
  await use({ port: 1 });
  expect((await admin.post(path, {})).body).toMatchObject({ sent: false, answer: expect.stringContaining("ECONNREFUSED") });
});

test("needs complete settings, an address that may be written to, and an administrator", async () => {
  expect(await admin.post(path, {})).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining("No mail server is configured") },
  });
  await use(plain, { domains: "example.com" });
  for (const [to, says] of [
    ["nobody", "must be an email address"],
    ["kim@example.org", "sends emails to example.com only"],
  ])
    expect(await admin.post(path, { to })).toMatchObject({ status: 400, body: { message: expect.stringContaining(says!) } });
  expect(await app.as().post(path, {})).toMatchObject({ status: 400, body: { message: expect.stringContaining("is missing") } });
  const user = app.as(await app.make.userToken((await app.make.user({ type: "user" })).id));
  expect((await user.post(path, {})).status).toBe(403);
  expect(plain.received).toEqual([]);
});

test("ten within 15 minutes, then 429", async () => {
  await use(plain);
  for (let count = 0; count < 10; count++) expect((await admin.post(path, {})).status).toBe(200);
  const refused = await admin.post(path, {});
  expect([refused.status, plain.received.length]).toEqual([429, 10]);
});
