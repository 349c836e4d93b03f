import { describe, expect, test } from "vitest";
import { testApp } from "../../../../test/kit/app.ts";
import { cheapPasswordHash } from "../../../../test/kit/cheap-password.ts";
import { cookiesOf } from "../../../../test/kit/cookie-jar.ts";
import { moveTime } from "../../../../test/kit/database.ts";
import { createLog } from "../../../base/process/log.ts";
import { createHousekeepingService } from "../../../services/housekeeping-service.ts";
import { deleteAllSessions, deleteSessionsOfUser } from "../../../store/identity/sessions.ts";

const publicUrl = "https://millrace.example.com";
const times = { sessionSeconds: 86_400, idleSeconds: 28_800 };
const lists = { administrators: [], emailDomains: [] };
const app = await testApp({
  config: { publicUrl, proxy: { addresses: ["127.0.0.0/8"], emailHeader: undefined, nameHeader: "x-name" } },
  services: { signIn: { publicUrl, ...times, ...lists, trustsEmails: false, isProxyOn: false, isAuthOff: false } },
});
const program = app.as(null);
const device = "/api/v2/auth/device";
const minutes = 60_000;
const password = "correct horse battery";
const hash = cheapPasswordHash(password);
let lastNetwork = 0;

/** Each from a different address, so that the limits of one test don't affect another. */
const fromElsewhere = () => ({ "x-forwarded-for": `192.0.2.${++lastNetwork}`, "user-agent": "millrace-cli" });

async function begin(headers: Record<string, string> = fromElsewhere()) {
  const { status, body } = await program.post(device, { hostName: "laptop" }, headers);
  expect(status).toBe(200);
  return body as { deviceCode: string; userCode: string; verificationUri: string; intervalSeconds: number };
}

/** A person with a session cookie in a browser. */
async function person() {
  const user = await app.make.user();
  await app.sql`update app_user set password_hash = ${hash} where id = ${user.id}`;
  return { ...user, cookie: cookiesOf(await program.post("/api/v2/auth/password", { email: user.email, password }, fromElsewhere())) };
}

const fetchToken = (deviceCode: string) => program.post(`${device}/token`, { deviceCode });
const decide = (cookie: string, userCode: string, decision = "approve") =>
  program.post(`${device}/decision`, { userCode, decision }, { cookie, "sec-fetch-site": "same-origin" });
const find = (cookie: string, userCode: string) => program.get(`${device}/${userCode}`, { cookie });

describe("a program's sign-in", () => {
  test("gets a token of the person who approved it, once; neither code nor token is stored in clear", async () => {
    const ann = await person();
    const begun = await begin();
    expect(begun).toMatchObject({
      userCode: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verificationUri: "https://millrace.example.com/sign-in/device",
      intervalSeconds: 5,
    });
    expect((await fetchToken(begun.deviceCode)).body).toEqual({ status: "pending", token: null, expirationDate: null });
    const shown = await find(ann.cookie, begun.userCode.toLowerCase().replace("-", " "));
    expect(shown.body).toMatchObject({ hostName: "laptop", userAgent: "millrace-cli", address: `192.0.2.${lastNetwork}` });
    expect((await decide(ann.cookie, begun.userCode)).status).toBe(204);
    const [stored] = await app.sql`select row_to_json(d)::text as text from device_sign_in d where user_id = ${ann.id}`;
    expect(stored!["text"]).not.toContain(begun.userCode);
    expect(stored!["text"]).not.toContain(begun.deviceCode);
    const { body } = await fetchToken(begun.deviceCode);
    expect(body).toMatchObject({ status: "approved", token: expect.stringMatching(/^mru_/) });
    expect((await app.as(body.token).get("/api/v2/auth/caller")).body).toMatchObject({ kind: "user", userId: ann.id });
    expect((await fetchToken(begun.deviceCode)).body).toMatchObject({ status: "expired", token: null });
    const mine = await program.get("/api/v2/token/query?types=user&limit=10&page=0", { cookie: ann.cookie });
    expect(mine.body.content).toMatchObject([{ name: "millrace login on laptop", expirationDate: body.expirationDate, valid: true }]);
    const days = (Date.parse(body.expirationDate) - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(90);
    const records = await app.sql`
      select object_kind, object_name, action, after->>'decision' as decision from audit where principal_id = ${`user:${ann.id}`} and object_kind <> 'session' order by id`;
    expect(records).toMatchObject([
      { object_kind: "device-sign-in", object_name: "laptop", decision: "approved" },
      { object_kind: "token", object_name: "millrace login on laptop" },
    ]);
    expect((await app.as(null).delete(`/api/v2/token/${mine.body.content[0].id}`, undefined, { cookie: ann.cookie })).status).toBe(204);
    expect((await app.as(body.token).get("/api/v2/auth/caller")).status).toBe(401);
  });

  test("learns that it was refused, and the code is used up", async () => {
    const ann = await person();
    const begun = await begin();
    expect((await decide(ann.cookie, begun.userCode, "refuse")).status).toBe(204);
    expect((await decide(ann.cookie, begun.userCode)).status).toBe(404);
    expect((await fetchToken(begun.deviceCode)).body).toEqual({ status: "refused", token: null, expirationDate: null });
    const [record] =
      await app.sql`select after->>'decision' as decision from audit where principal_id = ${`user:${ann.id}`} and object_kind <> 'session'`;
    expect(record).toEqual({ decision: "refused" });
  });

  test("expires after ten minutes, approved or not, and its row is removed", async () => {
    const ann = await person();
    const [one, other] = [await begin(), await begin()];
    await decide(ann.cookie, other.userCode);
    await moveTime(app.sql, 10 * minutes);
    expect((await find(ann.cookie, one.userCode)).status).toBe(404);
    for (const { deviceCode } of [one, other]) expect((await fetchToken(deviceCode)).body.status).toBe("expired");
    await createHousekeepingService(app.sql, createLog("silent")).tick();
    expect(await app.sql`select from device_sign_in`).toEqual([]);
  });

  test("of two concurrent requests, one gets the token", async () => {
    const ann = await person();
    const { deviceCode, userCode } = await begin();
    await decide(ann.cookie, userCode);
    const answers = await Promise.all([fetchToken(deviceCode), fetchToken(deviceCode), fetchToken(deviceCode)]);
    expect(answers.map(({ body }) => body.status).sort()).toEqual(["approved", "expired", "expired"]);
    expect(await app.sql`select from token where user_id = ${ann.id} and kind = 'user'`).toHaveLength(1);
  });

  test("gets nothing if the person is deactivated after approving", async () => {
    const ann = await person();
    const { deviceCode, userCode } = await begin();
    await decide(ann.cookie, userCode);
    await app.sql`update app_user set status = 'inactive' where id = ${ann.id}`;
    expect((await fetchToken(deviceCode)).body).toMatchObject({ status: "refused", token: null });
  });
});

test("gets nothing once all sessions of the person, or of everyone, were ended", async () => {
  const [ann, bob] = [await person(), await person()];
  const begun = [await begin(), await begin(), await begin()];
  for (const [index, { cookie }] of [ann, bob].entries()) await decide(cookie, begun[index]!.userCode);
  await deleteSessionsOfUser(app.sql, ann.id);
  expect((await fetchToken(begun[0]!.deviceCode)).body).toMatchObject({ status: "expired", token: null });
  await deleteAllSessions(app.sql);
  expect((await fetchToken(begun[1]!.deviceCode)).body).toMatchObject({ status: "expired", token: null });
  expect((await fetchToken(begun[2]!.deviceCode)).body).toMatchObject({ status: "pending" });
});

describe("only a person in a browser approves", () => {
  test("not a token, in a header or the cookie, and not a caller without a credential", async () => {
    const { userCode } = await begin();
    const user = await app.make.user({ type: "admin" });
    const token = await app.make.userToken(user.id);
    for (const decided of [
      await app.as(token).post(`${device}/decision`, { userCode, decision: "approve" }),
      await app.as().post(`${device}/decision`, { userCode, decision: "approve" }),
      await decide(`__Host-millrace-session=${token}`, userCode),
      await find(`__Host-millrace-session=${token}`, userCode),
    ])
      expect(decided).toMatchObject({ status: 403, body: { message: expect.stringContaining("in a browser") } });
    expect((await program.post(`${device}/decision`, { userCode, decision: "approve" })).status).toBe(401);
  });

  test("not a page of another origin", async () => {
    const ann = await person();
    const { userCode } = await begin();
    const headers = { cookie: ann.cookie, "sec-fetch-site": "cross-site", origin: "https://evil.example.com" };
    expect((await program.post(`${device}/decision`, { userCode, decision: "approve" }, headers)).status).toBe(403);
    expect((await program.post(device, { hostName: "x" }, headers)).status).toBe(403);
  });
});

describe("guesses and repeats are limited", () => {
  test("a person can try ten wrong codes in 15 minutes, also with right ones in between", async () => {
    const ann = await person();
    const own = await begin();
    for (let tries = 1; tries <= 10; tries++) {
      expect((await find(ann.cookie, "BBBB-BBBB")).status).toBe(404);
      if (tries < 10) expect((await find(ann.cookie, own.userCode)).status).toBe(200);
    }
    for (const refused of [await find(ann.cookie, own.userCode), await decide(ann.cookie, own.userCode)])
      expect(refused).toMatchObject({ status: 429, headers: { "retry-after": expect.any(String) } });
    await moveTime(app.sql, 15 * minutes);
    expect((await find(ann.cookie, (await begin()).userCode)).status).toBe(200);
  });

  test("a program that asks too often has to wait, and one with an unknown code learns nothing", async () => {
    const { deviceCode } = await begin();
    expect((await fetchToken(deviceCode)).status).toBe(200);
    expect(await fetchToken(deviceCode)).toMatchObject({ status: 429, headers: { "retry-after": "5" } });
    await moveTime(app.sql, 5_000);
    expect((await fetchToken(deviceCode)).body.status).toBe("pending");
    for (const none of ["nonsense", `mrd_${"0".repeat(39)}`]) expect((await fetchToken(none)).body.status).toBe("expired");
  });

  test("one address opens at most twenty at a time, without affecting others", async () => {
    const headers = fromElsewhere();
    for (let count = 0; count < 20; count++) await begin(headers);
    expect(await program.post(device, { hostName: "x" }, headers)).toMatchObject({ status: 429, headers: { "retry-after": "60" } });
    await begin();
  });

  test("all addresses together open at most a thousand", async () => {
    await app.sql`
      insert into device_sign_in (device_hash, user_hash, host_name, client_address, network, expires_at)
      select sha256(n::text::bytea), sha256(n::text::bytea), 'x', '', n::text, db_now() + interval '1 minute' from generate_series(1, 1000) n`;
    expect((await program.post(device, { hostName: "x" }, fromElsewhere())).status).toBe(429);
    await moveTime(app.sql, 1 * minutes);
    await begin();
  });
});

test("the name of a host is shown without marks that turn text around; one without a visible character is refused", async () => {
  const ann = await person();
  const { body } = await program.post(device, { hostName: " lap\u202etop\n\u001b[2J " }, fromElsewhere());
  expect((await find(ann.cookie, body.userCode)).body.hostName).toBe("laptop[2J");
  expect((await program.post(device, { hostName: "\u202e " }, fromElsewhere())).status).toBe(400);
  expect((await program.post(device, {}, fromElsewhere())).status).toBe(400);
});

test("an instance that is not activated starts none", async () => {
  const fresh = await testApp({ isActivated: false });
  expect((await fresh.as(null).post(device, { hostName: "x" })).status).toBe(423);
});

test("a person identified by a trusted proxy can approve", async () => {
  const proxy = { addresses: ["127.0.0.0/8"], emailHeader: "x-forwarded-email", nameHeader: "x-name" };
  const behind = await testApp({ config: { publicUrl, proxy } });
  const [ann, other] = [behind.as(null), behind.as(null)];
  const { body } = await other.post(device, { hostName: "laptop" });
  const headers = { "x-forwarded-email": "ann@example.com", "sec-fetch-site": "same-origin" };
  expect((await ann.post(`${device}/decision`, { userCode: body.userCode, decision: "approve" }, headers)).status).toBe(204);
  const { token } = (await other.post(`${device}/token`, { deviceCode: body.deviceCode })).body;
  expect((await behind.as(token).get("/api/v2/auth/caller")).body).toMatchObject({ kind: "user", email: "ann@example.com" });
});
