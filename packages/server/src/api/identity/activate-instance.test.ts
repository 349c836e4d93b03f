import { mkdtempSync, readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type TestApp, testApp } from "../../../test/kit/app.ts";
import { cookiesOf } from "../../../test/kit/cookie-jar.ts";
import { emptyDatabase, moveTime } from "../../../test/kit/database.ts";
import { isPassword } from "../../base/secret/password-hash.ts";
import { newFirstCredentials, prepareInstance } from "../../domain/identity/prepare-instance.ts";
import { migrate } from "../../store/database/schema/migrate.ts";

const folder = () => mkdtempSync(join(tmpdir(), "activate-"));
const read = (file: string) => readFileSync(file, "utf8").trim();

describe("an instance without a token of the operator", async () => {
  const app = await testApp({ isActivated: false, config: { adminToken: undefined } });
  const dataDir = folder();
  const made = await Promise.all([1, 2, 3].map(() => prepareInstance(app.sql, { dataDir })));
  const files = made.find((one) => one !== undefined)!;
  const token = read(files.adminTokenFile);
  const otc = read(files.oneTimeCodeFile);

  test("creates one global token and one code at its first start, in files of the owner, and none later", async () => {
    expect(made.filter((one) => one !== undefined)).toHaveLength(1);
    expect(token).toMatch(/^mrg_/);
    expect(statSync(files.adminTokenFile).mode & 0o777).toBe(0o600);
    expect(statSync(files.oneTimeCodeFile).mode & 0o777).toBe(0o600);
    expect(await prepareInstance(app.sql, { dataDir })).toBeUndefined();
  });

  test("recognises its own token when the response to the commit was lost", async () => {
    const other = await emptyDatabase();
    await migrate(other.sql);
    const credentials = newFirstCredentials();
    const settings = { dataDir: folder() };
    const first = await prepareInstance(other.sql, settings, credentials);
    expect(await prepareInstance(other.sql, settings, credentials)).toEqual(first);
    expect(await other.sql`select count(*)::int as "count" from token`).toEqual([{ count: 1 }]);
    expect(await prepareInstance(other.sql, settings)).toBeUndefined();
  });

  test("answers 423 to every caller without a global token", async () => {
    const user = await app.make.user({ type: "admin" });
    for (const credential of [null, "nonsense", await app.make.userToken(user.id)]) {
      expect(await app.as(credential).get("/api/v2/team/roles")).toMatchObject({ status: 423, body: { reason: "NOT_ACTIVATED" } });
    }
    expect((await app.as(token).get("/api/v2/team/roles")).status).toBe(200);
    expect((await app.as(null).get("/health")).status).toBe(200);
  });

  test("is activated by its code alone, which makes the first administrator and counts once", async () => {
    const activate = (body?: unknown) => app.as(null).put("/api/v2/activate", body);
    expect((await activate()).status).toBe(400);
    expect((await activate({})).status).toBe(400);
    expect((await activate({ otc: "WRONG" })).status).toBe(400);
    expect((await activate({ otc, email: "admin@example.com" })).status).toBe(400);
    expect((await activate({ otc, email: "admin@example.com", password: "s3cr3t" })).text).not.toContain("s3cr3t");
    const answer = await activate({ otc: otc.toLowerCase().replaceAll("-", " "), email: "Admin@Example.com", password: "long enough" });
    expect(answer).toMatchObject({ status: 200, body: true });
    expect((await app.as(null).get("/api/v2/profile", { cookie: cookiesOf(answer) })).body).toMatchObject({ type: "admin" });
    const credentials = { email: "admin@example.com", password: "long enough" };
    expect((await app.as(null).post("/api/v2/auth/password", credentials)).status).toBe(200);
    const [user] = await app.sql`select type, status, password_hash as "passwordHash" from app_user where email = 'admin@example.com'`;
    expect(user).toMatchObject({ type: "admin", status: "active" });
    expect(await isPassword("long enough", user!["passwordHash"])).toBe(true);
    expect((await app.as(null).get("/api/v2/team/roles")).status).toBe(401);
    expect((await activate({ otc })).status).toBe(401);
    expect(await app.as(token).put("/api/v2/activate", { otc })).toMatchObject({ status: 409, body: { reason: "CONFLICT" } });
    const [audit] = await app.sql`select principal_id, object_name from audit where object_kind = 'instance'`;
    expect(audit).toEqual({ principal_id: "anonymous", object_name: "Admin@Example.com" });
  });
});

test("a global token activates without a code", async () => {
  const app = await testApp({ isActivated: false });
  const user = await app.make.user({ email: "known@example.com" });
  expect(await app.as().put("/api/v2/activate", { email: user.email, password: "long enough" })).toMatchObject({ status: 200, body: true });
  expect(
    (await app.as(await app.make.userToken(user.id)).post("/api/v2/token", { type: "global", name: "g", permissions: ["**/**"] })).status,
  ).toBe(200);
});

test("a restricted global token creates no administrator", async () => {
  const app = await testApp({ isActivated: false });
  const narrow = app.as(await app.make.globalToken(["**/read", "**/write", "**/action"]));
  const administrator = { email: "raised@example.com", password: "long enough" };
  expect(await narrow.put("/api/v2/activate", administrator)).toMatchObject({ status: 403, body: { reason: "PERMISSION_DENIED" } });
  expect((await narrow.put("/api/v2/activate")).status).toBe(403);
  expect(await app.sql`select 1 from app_user`).toHaveLength(0);
  expect((await app.as(null).get("/api/v2/team/roles")).status).toBe(423);
});

describe("the number of wrong codes is limited", () => {
  const wrong = (app: TestApp, remoteAddress: string) =>
    app.server.inject({ method: "PUT", url: "/api/v2/activate", remoteAddress, payload: { otc: "wrong" } });

  test("to ten per address in 15 minutes, also concurrently and over all processes, by the database's clock", async () => {
    const app = await testApp({ isActivated: false });
    const answers = await Promise.all(Array.from({ length: 13 }, () => wrong(app, "10.0.0.1")));
    expect(answers.filter(({ statusCode }) => statusCode === 400)).toHaveLength(10);
    const limited = await wrong(app, "10.0.0.1");
    expect(limited.statusCode).toBe(429);
    expect(Number(limited.headers["retry-after"])).toBeGreaterThan(800);
    expect((await wrong(app, "10.0.0.2")).statusCode).toBe(400);
    const [row] = await app.sql`select count(*)::int as count from failed_attempt`;
    expect(row).toEqual({ count: 22 });
    await moveTime(app.sql, 901_000);
    expect((await wrong(app, "10.0.0.1")).statusCode).toBe(400);
  });

  test("to a hundred from all addresses; the token of the first start keeps working", async () => {
    const app = await testApp({ isActivated: false });
    for (let from = 1; from <= 10; from++) for (let n = 0; n < 10; n++) expect((await wrong(app, `10.0.1.${from}`)).statusCode).toBe(400);
    expect((await wrong(app, "10.0.1.99")).statusCode).toBe(429);
    expect((await app.as().put("/api/v2/activate")).status).toBe(200);
  });
});

test("with a token from the operator the instance is active at once, and no token or code is created", async () => {
  const app = await testApp({ isActivated: false });
  expect(await prepareInstance(app.sql, { adminToken: "x".repeat(20), dataDir: "/nonexistent" })).toBeUndefined();
  expect((await app.as(null).get("/api/v2/team/roles")).status).toBe(401);
});
