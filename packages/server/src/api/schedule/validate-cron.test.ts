import { expect, test } from "vitest";
import { testApp } from "../../../test/kit/app.ts";
import { setTestTime } from "../../../test/kit/database.ts";

const app = await testApp();
await setTestTime(app.sql, Date.parse("2031-03-28T07:00:00Z") - Date.now());
const team = await app.make.team();
const { token } = await app.make.member(team.id, "reader");
const path = `/api/v2/team/${team.name}/schedule/validate-cron`;
const validate = (cron: string, timezone?: string, as: string | null = token) =>
  app.as(as).get(`${path}?cron=${encodeURIComponent(cron)}${timezone === undefined ? "" : `&timezone=${encodeURIComponent(timezone)}`}`);

test("a valid expression answers with its next ten firings by the database's clock", async () => {
  expect(await validate("0 9 * * MON-FRI")).toMatchObject({
    status: 200,
    body: {
      valid: true,
      next: ["03-28", "03-31", "04-01", "04-02", "04-03", "04-04", "04-07", "04-08", "04-09", "04-10"].map(
        (day) => `2031-${day}T09:00:00.000Z`,
      ),
    },
  });
});

test("the firings follow the clocks of the zone", async () => {
  const { body } = await validate("0 30 9 ? * *", "Europe/Berlin");
  expect(body.next.slice(0, 3)).toEqual(["2031-03-28T08:30:00.000Z", "2031-03-29T08:30:00.000Z", "2031-03-30T07:30:00.000Z"]);
});

test("excluded days are left out, and an expression with no other days never fires", async () => {
  const excluding = (cron: string, exclusions: string) =>
    app.as(token).get(`${path}?cron=${encodeURIComponent(cron)}&exclusions=${encodeURIComponent(exclusions)}`);
  const { body } = await excluding("0 9 * * *", "2031-03-29,2031-03-31/2031-04-02");
  expect(body.next.slice(0, 3)).toEqual(["2031-03-28", "2031-03-30", "2031-04-03"].map((day) => `${day}T09:00:00.000Z`));
  expect((await excluding("0 0 9 1 4 ? 2031", "2031-04-01")).body).toMatchObject({
    valid: false,
    message: expect.stringContaining("are excluded"),
  });
  expect(await excluding("0 9 * * *", "tomorrow")).toMatchObject({ status: 400, body: { errors: [{ path: "exclusions" }] } });
});

test("an expression with fewer than ten firings left shows all of them", async () => {
  expect((await validate("0 0 0 1 1 ? 2198-2199")).body).toEqual({
    valid: true,
    next: ["2198-01-01T00:00:00.000Z", "2199-01-01T00:00:00.000Z"],
  });
});

test("what is not valid is answered with 200, the reason and the place", async () => {
  const invalid = async (cron: string) => {
    const { status, body } = await validate(cron);
    return { status, ...body };
  };
  expect(await invalid("61 * * * *")).toEqual({
    status: 200,
    valid: false,
    message: "minute 61 is out of range; it can be 0 to 59 (at character 1)",
  });
  expect(await invalid("0 0 30 2 *")).toMatchObject({ status: 200, valid: false, message: expect.stringContaining("never fires") });
  expect(await invalid("0 0 0 1 1 ? 1999")).toMatchObject({
    status: 200,
    valid: false,
    message: expect.stringContaining("never fires again"),
  });
  expect(await invalid("")).toMatchObject({ status: 200, valid: false, message: expect.stringContaining("is empty") });
  expect(await invalid("*".repeat(251))).toMatchObject({ status: 200, valid: false, message: expect.stringContaining("it can have 250") });
});

test("a missing expression and an unknown time zone are bad requests that name the parameter", async () => {
  expect(await app.as(token).get(path)).toMatchObject({ status: 400, body: { reason: "VALIDATION_FAILED", errors: [{ path: "cron" }] } });
  for (const timezone of ["Europe/Atlantis", "+02:00", ""]) {
    expect(await validate("@daily", timezone)).toMatchObject({
      status: 400,
      body: { reason: "VALIDATION_FAILED", errors: [{ path: "timezone" }] },
    });
  }
});

test("it needs the permission to read the schedules of the team", async () => {
  expect((await validate("@daily", undefined, null)).status).toBe(401);
  const outsider = await app.make.member((await app.make.team()).id, "owner");
  expect(await validate("@daily", undefined, outsider.token)).toMatchObject({ status: 404, body: { reason: "TEAM_INVALID_REF" } });
  const narrow = await app.make.teamToken(team.id, ["workflow/read"]);
  expect(await validate("@daily", undefined, narrow)).toMatchObject({ status: 403, body: { reason: "PERMISSION_DENIED" } });
});
