import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { testApp } from "../../../test/kit/app.ts";
import { prepareInstance } from "./prepare-instance.ts";
import { resetAccess } from "./reset-access.ts";

const dataDir = mkdtempSync(join(tmpdir(), "millrace-reset-test-"));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));
const tokenFile = join(dataDir, "admin-token");
const app = await testApp({ isActivated: false });
const read = () => readFileSync(tokenFile, "utf8").trim();
const status = async (token: string) => (await app.as(token).get("/api/v2/auth/caller")).status;

test("a new token with all permissions is in the file; that of the first start ends, and so does that of an earlier reset", async () => {
  await prepareInstance(app.sql, { dataDir });
  const first = read();
  expect(await resetAccess(app.sql, { tokenFile, endsSessions: false })).toEqual({ endedTokens: 1, endedSessions: 0 });
  const second = read();
  expect(statSync(tokenFile).mode & 0o777).toBe(0o600);
  expect((await app.as(second).put("/api/v2/activate")).status).toBe(200);
  expect((await app.as(second).get("/api/v2/auth/caller")).body).toMatchObject({ kind: "global", permissions: ["**/**"] });
  const own = (await app.as(second).post("/api/v2/token", { type: "global", name: "ci", permissions: ["**/read"] })).body.token;
  await resetAccess(app.sql, { tokenFile, endsSessions: false });
  // A process without a fresh cache of them.
  const other = await testApp({ beside: app });
  const codes = [first, second, read(), own].map(async (token) => (await other.as(token).get("/api/v2/auth/caller")).status);
  expect(await Promise.all(codes)).toEqual([401, 401, 200, 200]);
});

test("sessions end only if that is asked for, and all of it is recorded", async () => {
  const { id } = await app.make.user();
  const hash = Buffer.alloc(32, 7);
  await app.sql`insert into token (kind, hash, name, user_id, permissions, created_by) values ('session', ${hash}, 'session', ${id}, '{}', 'x')`;
  expect(await resetAccess(app.sql, { tokenFile, endsSessions: false })).toMatchObject({ endedSessions: 0 });
  await app.sql`delete from audit`;
  expect(await resetAccess(app.sql, { tokenFile, endsSessions: true })).toEqual({ endedTokens: 1, endedSessions: 1 });
  expect(await app.sql`select action, object_kind, object_name, principal_name from audit order by id`).toEqual([
    { action: "token/delete", object_kind: "token", object_name: "administrator", principal_name: "millrace admin" },
    { action: "token/write", object_kind: "token", object_name: "administrator", principal_name: "millrace admin" },
    { action: "token/delete", object_kind: "session", object_name: null, principal_name: "millrace admin" },
  ]);
});

test("if the file can't be written, nothing has changed", async () => {
  const before = read();
  await expect(resetAccess(app.sql, { tokenFile: join(tokenFile, "below-a-file"), endsSessions: true })).rejects.toThrow(/EEXIST|ENOTDIR/);
  expect(await status(before)).toBe(200);
});
