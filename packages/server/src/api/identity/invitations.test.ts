import { describe, expect, test } from "vitest";
import { fakeMailServer } from "../../../test/fakes/fake-mail-server.ts";
import { type TestAnswer, testApp } from "../../../test/kit/app.ts";
import { moveTime } from "../../../test/kit/database.ts";
import { randomName } from "../../../test/kit/factories.ts";
import { deliveryKit } from "../../../test/kit/outbound/delivery-kit.ts";

const app = await testApp();
const outbox = deliveryKit(app);
const mail = await fakeMailServer();
const week = 7 * 86_400_000;

async function withOwner() {
  const team = await app.make.team();
  const owner = await app.make.member(team.id, "owner");
  const path = `/api/v2/team/${team.name}/invitation`;
  const as = app.as(owner.token);
  return { team, owner, path, as, invite: (email: string, more: object = {}) => as.post(path, { email, role: "editor", ...more }) };
}

const address = () => `${randomName("person")}@example.com`;
const tokenOf = ({ body }: TestAnswer): string => body.link.slice(body.link.indexOf("#") + 1);
const read = (token: string) => app.as(null).post("/api/v2/invitation/read", { token });

async function setMail(values: Record<string, string>) {
  await app.sql`delete from setting where group_key = 'mail'`;
  for (const [key, value] of Object.entries(values))
    await app.sql`insert into setting (group_key, key, value) values ('mail', ${key}, ${value})`;
}
const mailSettings = () => ({ host: "127.0.0.1", port: String(mail.port), security: "none", from: "millrace@example.com" });

async function allow(inviters: "owners" | "administrators") {
  const change = [{ key: "invitations", config: [{ key: "by", value: inviters }] }];
  expect((await app.as().put("/api/v2/settings", change)).status).toBe(200);
}

describe("an invitation", () => {
  test("answers with a link of which the database, the audit and the outbox keep no more than a hash", async () => {
    const { invite, team } = await withOwner();
    const email = address();
    const answer = await invite(email.toUpperCase());
    expect(answer).toMatchObject({
      status: 200,
      body: {
        email,
        role: "editor",
        state: "pending",
        link: expect.stringMatching(/^http:\/\/127\.0\.0\.1:8080\/sign-in\/invitation#mri_\w{39}$/),
      },
    });
    expect(answer.body.mail).toBeUndefined();
    const wanted = `%${tokenOf(answer)}%`;
    const [row] = await app.sql`
      select (select count(*)::int from invitation i where i::text like ${wanted}) + (select count(*)::int from audit a where a::text like ${wanted})
        + (select count(*)::int from delivery d where d::text like ${wanted}) + (select count(*)::int from change_event e where e::text like ${wanted}) as count`;
    expect(row).toEqual({ count: 0 });
    expect((await read(tokenOf(answer))).body).toMatchObject({ team: team.name, email, role: "editor", signIn: "password" });
  });

  test("creates no member and no user before it is accepted", async () => {
    const { invite, as, team } = await withOwner();
    const email = address();
    await invite(email, { role: "owner" });
    expect((await as.get(`/api/v2/team/${team.name}/member/query?limit=50&page=0`)).body.totalElements).toBe(1);
    expect(await app.sql`select from app_user where email = ${email}`).toHaveLength(0);
    expect((await as.delete(`/api/v2/team/${team.name}/leave`)).status).toBe(409);
  });

  test("gets the same response for an address with an account and one without", async () => {
    const { invite } = await withOwner();
    const known = await app.make.user();
    const answers = [await invite(known.email), await invite(address())];
    const shapes = answers.map(({ status, body: { id, email, link, creationDate, expirationDate, ...rest } }) => ({ status, ...rest }));
    expect(shapes[0]).toEqual(shapes[1]);
    const pages = await Promise.all(answers.map(async (answer) => Object.keys((await read(tokenOf(answer))).body)));
    expect(pages[0]).toEqual(pages[1]);
  });

  test("replaces an earlier one for the same address, whose link stops working", async () => {
    const { invite, as, path } = await withOwner();
    const email = address();
    const [first, second] = [await invite(email), await invite(email, { role: "reader" })];
    expect(second.body.id).toBe(first.body.id);
    expect((await read(tokenOf(first))).status).toBe(401);
    const third = await as.post(`${path}/${first.body.id}/renew`);
    expect((await read(tokenOf(second))).status).toBe(401);
    expect((await read(tokenOf(third))).body).toMatchObject({ role: "reader" });
    expect((await as.get(`${path}/query?limit=50&page=0`)).body).toMatchObject({ totalElements: 1 });
  });

  test("is valid for a week by the database's clock, and then expired until a new link is sent", async () => {
    const { invite, as, path } = await withOwner();
    const answer = await invite(address());
    await moveTime(app.sql, week + 1000);
    expect(await read(tokenOf(answer))).toMatchObject({ status: 409, body: { message: expect.stringContaining("expired on") } });
    expect((await as.get(`${path}/query?limit=50&page=0&open=true`)).body.content).toMatchObject([{ state: "expired" }]);
    const renewed = await as.post(`${path}/${answer.body.id}/renew`);
    expect(renewed).toMatchObject({ status: 200, body: { state: "pending" } });
    expect((await read(tokenOf(renewed))).status).toBe(200);
  });

  test("that is revoked can't be used, and is listed as revoked", async () => {
    const { invite, as, path } = await withOwner();
    const answer = await invite(address());
    expect((await as.delete(`${path}/${answer.body.id}`)).status).toBe(204);
    expect(await read(tokenOf(answer))).toMatchObject({ status: 409, body: { message: expect.stringContaining("revoked") } });
    expect((await as.delete(`${path}/${answer.body.id}`)).status).toBe(409);
    expect((await as.post(`${path}/${answer.body.id}/renew`)).status).toBe(409);
    expect((await as.get(`${path}/query?limit=50&page=0`)).body.content).toMatchObject([{ state: "revoked" }]);
    expect((await as.get(`${path}/query?limit=50&page=0&open=true`)).body.content).toEqual([]);
  });

  test("stops working when its sender is removed, loses the role or is deactivated", async () => {
    const { team, owner, invite, as } = await withOwner();
    const other = await app.make.member(team.id, "owner");
    const path = `/api/v2/team/${team.name}`;
    const removed = await invite(address());
    await app.as(other.token).delete(`${path}/members`, [{ id: owner.id }]);
    expect((await read(tokenOf(removed))).status).toBe(409);
    await app.as(other.token).patch(path, { members: [{ id: owner.id, role: "owner" }] });
    const lowered = await as.post(`${path}/invitation`, { email: address(), role: "reader" });
    await app.as(other.token).patch(path, { members: [{ id: owner.id, role: "editor" }] });
    expect((await read(tokenOf(lowered))).status).toBe(409);
    const last = await app.as(other.token).post(`${path}/invitation`, { email: address(), role: "reader" });
    await app.as().patch(`/api/v2/user/${other.id}`, { status: "inactive" });
    expect((await read(tokenOf(last))).status).toBe(401);
  });

  test("of another team is not found", async () => {
    const { invite } = await withOwner();
    const { as, path } = await withOwner();
    const { id } = (await invite(address())).body;
    expect((await as.delete(`${path}/${id}`)).status).toBe(404);
    expect((await as.post(`${path}/${id}/renew`)).status).toBe(404);
  });
});

describe("who may invite", () => {
  test("owners and administrators, but not editors, neither by invitation nor by adding an address", async () => {
    const { team, path } = await withOwner();
    const editor = app.as((await app.make.member(team.id)).token);
    const known = await app.make.user();
    expect((await editor.post(path, { email: address(), role: "reader" })).status).toBe(403);
    expect((await editor.get(`${path}/rules`)).body).toMatchObject({ mayInvite: false, whyNot: expect.stringContaining("only owners") });
    for (const email of [known.email, address()]) {
      expect(await editor.patch(`/api/v2/team/${team.name}`, { members: [{ email, role: "reader" }] })).toMatchObject({
        status: 403,
        body: { message: expect.stringContaining("by their user ID") },
      });
    }
    expect((await editor.patch(`/api/v2/team/${team.name}`, { members: [{ id: known.id, role: "reader" }] })).status).toBe(200);
    expect((await app.as().post(path, { email: address(), role: "owner" })).status).toBe(200);
  });

  test("only administrators, if the setting says so, whether the address has an account or not", async () => {
    const { team, invite, as, path } = await withOwner();
    const known = await app.make.user();
    await allow("administrators");
    try {
      for (const email of [known.email, address()]) {
        expect(await invite(email)).toMatchObject({ status: 403, body: { message: expect.stringContaining("invitations/by") } });
        expect((await as.patch(`/api/v2/team/${team.name}`, { members: [{ email, role: "reader" }] })).status).toBe(403);
      }
      const founding = { name: randomName("new"), displayName: "New", members: [{ email: address(), role: "editor" }] };
      expect((await as.post("/api/v2/team", founding)).status).toBe(403);
      expect((await as.patch(`/api/v2/team/${team.name}`, { members: [{ id: known.id, role: "reader" }] })).status).toBe(200);
      expect((await app.as().post(path, { email: address(), role: "editor" })).status).toBe(200);
    } finally {
      await allow("owners");
    }
  });

  test("a member is not invited, unless they were only added by address", async () => {
    const { team, owner, invite, as } = await withOwner();
    expect(await invite(owner.email)).toMatchObject({ status: 409, body: { message: expect.stringContaining("already a member") } });
    const email = address();
    await as.patch(`/api/v2/team/${team.name}`, { members: [{ email, role: "editor" }] });
    expect((await invite(email, { role: "owner" })).status).toBe(409);
    expect((await invite(email)).status).toBe(200);
  });

  test("bad input names the value and the remedy", async () => {
    const { invite, as, path } = await withOwner();
    expect(await invite("bob\r\nBcc: eve@example.com")).toMatchObject({ status: 400, body: { errors: [{ path: "/email" }] } });
    expect(await invite("bob")).toMatchObject({ status: 400, body: { message: expect.stringContaining('"bob"') } });
    expect((await invite(address(), { role: "boss" })).status).toBe(400);
    expect(await invite(address(), { mail: true })).toMatchObject({ status: 409, body: { message: expect.stringContaining("mail/host") } });
    expect((await as.delete(`${path}/1`)).status).toBe(400);
  });

  test("a team that has sent two hundred links within the hour waits", async () => {
    const { invite, team } = await withOwner();
    const answer = await invite(address());
    await app.sql`update invitation set links = 200 where team_id = ${team.id}`;
    expect(await invite(address())).toMatchObject({ status: 429, headers: { "retry-after": "3600" } });
    await moveTime(app.sql, 3_600_001);
    expect((await invite(address())).status).toBe(200);
    expect(answer.status).toBe(200);
  });
});

test("nobody can be invited while sign-in is off", async () => {
  const signIn = {
    sessionSeconds: 60,
    idleSeconds: 60,
    administrators: [],
    emailDomains: [],
    trustsEmails: false,
    isProxyOn: false,
    isAuthOff: true,
  };
  const open = await testApp({ services: { signIn } });
  const team = await open.make.team();
  expect(await open.as().post(`/api/v2/team/${team.name}/invitation`, { email: address(), role: "editor" })).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining("MILLRACE_AUTH=off") },
  });
});

test("only people in the allowed domains are invited, and unsandboxed scripts are announced to end", async () => {
  const signIn = {
    sessionSeconds: 60,
    idleSeconds: 60,
    administrators: [],
    emailDomains: ["example.com"],
    trustsEmails: false,
    isProxyOn: false,
    isAuthOff: false,
  };
  const bound = await testApp({ services: { signIn, isForOnePerson: () => true } });
  const team = await bound.make.team();
  const path = `/api/v2/team/${team.name}`;
  expect((await bound.as().get(`${path}/invitation/rules`)).body).toEqual({
    mayInvite: true,
    sendsMail: false,
    domains: ["example.com"],
    endsUnsandboxed: true,
  });
  const refusal = { status: 400, body: { message: expect.stringMatching(/eve@evil\.example.*example\.com.*MILLRACE_OIDC_DOMAINS/) } };
  expect(await bound.as().post(`${path}/invitation`, { email: "eve@evil.example", role: "editor" })).toMatchObject(refusal);
  expect(await bound.as().patch(path, { members: [{ email: "eve@evil.example", role: "editor" }] })).toMatchObject(refusal);
  expect((await bound.as().post(`${path}/invitation`, { email: "bob@example.com", role: "editor" })).status).toBe(200);
});

describe("the email", () => {
  test("has the link in text and HTML, and no user text injects headers, HTML or other links", async () => {
    await setMail(mailSettings());
    const { invite, team, owner } = await withOwner();
    const hostile = 'x\r\nBcc: eve@example.com\n<script>alert(1)</script>\u202E"\u2028 https://evil.example';
    await app.sql`update team set display_name = ${hostile} where id = ${team.id}`;
    await app.sql`update app_user set display_name = ${hostile} where id = ${owner.id}`;
    const email = address();
    const answer = await invite(email);
    expect(answer.body.mail).toEqual({ status: "sending" });
    await outbox.flush();
    const { to, raw } = mail.received.at(-1)!;
    expect(to).toEqual([email]);
    const head = raw.slice(0, raw.indexOf("\r\n\r\n"));
    expect(head).not.toMatch(/^bcc:/im);
    expect(head).not.toContain(tokenOf(answer));
    const body = raw.slice(head.length).replace(/=\r\n/g, "").replace(/=3D/g, "=");
    expect(body.split(`http://127.0.0.1:8080/sign-in/invitation#${tokenOf(answer)}`).length).toBeGreaterThanOrEqual(4);
    expect(body.slice(body.indexOf("<!doctype"))).not.toContain("<script");
    expect(body).not.toMatch(/https:..evil|evil\.example/);
    expect([...body.matchAll(/href="([^"]*)"/g)].map(([, target]) => target)).toEqual([answer.body.link]);
  });

  test("that fails says why, without the token, and can be sent again; what was replaced is not sent", async () => {
    await setMail(mailSettings());
    const { invite, as, path } = await withOwner();
    const email = address();
    mail.behave({ recipients: { [email]: { code: 550, text: "no such mailbox" } } });
    const { id } = (await invite(email)).body;
    await outbox.flush();
    const [failed] = (await as.get(`${path}/query?limit=50&page=0`)).body.content;
    expect(failed.mail).toEqual({ status: "failed", error: expect.stringContaining("no such mailbox") });
    mail.behave({});
    const before = mail.received.length;
    const [second, third] = [await as.post(`${path}/${id}/renew`), await as.post(`${path}/${id}/renew`)];
    await outbox.flush();
    const sent = mail.received.slice(before);
    expect(sent).toHaveLength(1);
    expect(sent[0]!.raw.replace(/=\r\n/g, "")).toContain(tokenOf(third));
    expect(sent[0]!.raw.replace(/=\r\n/g, "")).not.toContain(tokenOf(second));
    expect((await as.get(`${path}/query?limit=50&page=0`)).body.content).toMatchObject([{ mail: { status: "sent" } }]);
  });

  test("is not sent if the inviter turned it off, or to a domain that is not allowed", async () => {
    await setMail({ ...mailSettings(), domains: "example.org" });
    const { invite, as, path } = await withOwner();
    const before = mail.received.length;
    expect((await invite(address(), { mail: false })).body.mail).toBeUndefined();
    const outside = address();
    await invite(outside);
    await outbox.flush();
    expect(mail.received).toHaveLength(before);
    const page = (await as.get(`${path}/query?limit=50&page=0`)).body.content;
    expect(page.find((one: { email: string }) => one.email === outside).mail).toEqual({
      status: "failed",
      error: expect.stringContaining("mail/domains"),
    });
    await setMail({});
  });
});
