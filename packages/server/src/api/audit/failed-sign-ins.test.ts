import { beforeEach, describe, expect, test } from "vitest";
import { testApp } from "../../../test/kit/app.ts";
import { cheapPasswordHash } from "../../../test/kit/cheap-password.ts";
import { moveTime } from "../../../test/kit/database.ts";
import { countFailedSignIn, deleteOldFailedSignIns } from "../../store/identity/failed-sign-ins.ts";

const app = await testApp();
const admin = app.as();
const browser = app.as(null);
const path = "/api/v2/audit/failed-sign-ins?limit=1000&page=0";

const page = async () => {
  await app.backgroundJobs.settled();
  return (await admin.get(path)).body;
};
const signIn = (email: string, password: string) => browser.post("/api/v2/auth/password", { email, password });

beforeEach(() => app.sql`delete from failed_sign_in`);

describe("a sign-in that failed is recorded", () => {
  test("with its method, reason, origin, time and account; repeated ones in one record", async () => {
    const { id } = await app.make.user({ email: "ada@example.com" });
    await app.sql`update app_user set password_hash = ${cheapPasswordHash("correct horse")} where id = ${id}`;
    for (let i = 0; i < 3; i++) expect((await signIn("Ada@example.com", "wrong")).status).toBe(401);
    expect((await signIn("my-password-in-the-wrong-field", "wrong")).status).toBe(401);
    expect((await app.as("mru_unknown").get("/api/v2/profile")).status).toBe(401);
    expect((await browser.post("/api/v2/auth/password/reset", { email: "ada@example.com", code: "x", new: "battery staple" })).status).toBe(
      401,
    );
    const { content, totalElements } = await page();
    expect(totalElements).toBe(4);
    const of = (way: string, account: string | null) =>
      content.find((one: { way: string; account: string | null }) => one.way === way && one.account === account);
    expect(of("password", "ada@example.com")).toEqual({
      hour: expect.stringMatching(/:00:00\.000Z$/),
      network: "127.0.0.1",
      way: "password",
      reason: "wrong-password",
      account: "ada@example.com",
      count: 3,
      firstDate: expect.any(String),
      lastDate: expect.any(String),
    });
    expect(of("password", null)).toMatchObject({ reason: "wrong-password", count: 1 });
    expect(of("token", null)).toMatchObject({ reason: "unknown-token" });
    expect(of("password-code", null)).toMatchObject({ reason: "wrong-code" });
    expect(JSON.stringify(content)).not.toContain("my-password");
  });

  test("but not one that succeeded, nor a request without a credential", async () => {
    await browser.get("/api/v2/profile");
    await admin.get("/api/v2/team/query?limit=1&page=0");
    expect((await page()).content).toEqual([]);
  });
});

describe("however many there are", () => {
  test("a network has a bounded number of rows, an hour too, and every failure is counted", async () => {
    const failed = { way: "password", why: "wrong-password", count: 1 } as const;
    for (let i = 0; i < 40; i++) await countFailedSignIn(app.sql, { ...failed, network: "192.0.2.1", account: `user-${i}@example.com` });
    expect(await app.sql`select from failed_sign_in`).toHaveLength(21);
    await app.sql`
      insert into failed_sign_in select date_trunc('hour', db_now()), 'n' || i, 'token', 'unknown-token', '', 1, db_now(), db_now()
      from generate_series(1, 500) i`;
    for (let i = 0; i < 50; i++) await countFailedSignIn(app.sql, { ...failed, network: `198.51.100.${i}` });
    await countFailedSignIn(app.sql, { ...failed, network: "192.0.2.1", account: "user-0@example.com" });
    expect(await app.sql`select from failed_sign_in`).toHaveLength(522);
    const [{ sum }] = (await app.sql`select sum(count)::int as sum from failed_sign_in`) as unknown as [{ sum: number }];
    expect(sum).toBe(40 + 500 + 50 + 1);
    const { content } = await page();
    expect(content.filter(({ network }: { network: string }) => network === "*")).toMatchObject([
      { way: "*", reason: "*", account: null, count: 50 },
    ]);
  });

  test("many at once are a few writes, and none is lost", async () => {
    await Promise.all(Array.from({ length: 200 }, () => app.as("mru_unknown").get("/api/v2/profile")));
    expect((await page()).content).toMatchObject([{ way: "token", count: 200 }]);
  });

  test("they are removed after thirty days", async () => {
    await app.as("mru_unknown").get("/api/v2/profile");
    await app.backgroundJobs.settled();
    await moveTime(app.sql, 31 * 24 * 3_600_000);
    await deleteOldFailedSignIns(app.sql);
    expect((await page()).content).toEqual([]);
  });
});

test("reading them needs the permission to read the whole instance", async () => {
  const team = await app.make.team();
  const owner = await app.make.member(team.id, "owner");
  expect((await app.as(owner.token).get(path)).status).toBe(403);
  expect((await browser.get(path)).status).toBe(401);
});
