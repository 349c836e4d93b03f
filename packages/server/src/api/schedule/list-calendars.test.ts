import { describe, expect, test } from "vitest";
import { testApp } from "../../../test/kit/app.ts";
import { scheduleTeam } from "../../../test/kit/schedule-kit.ts";

const app = await testApp();
const { id: teamId, path, workflowId, schedule } = await scheduleTeam(app);
const daily = { cronSchedule: "30 2 * * *", timezone: "Europe/Berlin" };
const at = (text: string) => Date.parse(text);
const march = `fromDate=${at("2090-03-24T00:00:00Z")}&toDate=${at("2090-03-28T00:00:00Z")}`;

const calendars = async (ids: string[], range = march, token?: string) =>
  app.as(token).get(`${path}/calendars?schedules=${ids.join(",")}&${range}`);

describe("calendars", () => {
  test("have the dates of each schedule in the range, across a change of the clocks", async () => {
    const [one, other] = [await schedule(daily), await schedule({ ...daily, cronSchedule: "0 12 25 3 *" })];
    const { status, body } = await calendars([other.id, one.id]);
    expect(status).toBe(200);
    expect(Object.fromEntries(body.map((entry: { scheduleId: string; dates: string[] }) => [entry.scheduleId, entry.dates]))).toEqual({
      // On the 26th 02:30 does not exist: it fires after the clock change, at 03:00.
      [one.id]: ["2090-03-24T01:30:00.000Z", "2090-03-25T01:30:00.000Z", "2090-03-26T01:00:00.000Z", "2090-03-27T00:30:00.000Z"],
      [other.id]: ["2090-03-25T11:00:00.000Z"],
    });
  });

  test("include both ends of the range, and leave out excluded days", async () => {
    const { id } = await schedule({ ...daily, timezone: "UTC", exclusions: ["2090-03-25", "2090-03-27/2090-04-02"] });
    const range = `fromDate=${at("2090-03-24T02:30:00Z")}&toDate=${at("2090-04-03T02:30:00Z")}`;
    expect((await calendars([id], range)).body[0].dates).toEqual([
      "2090-03-24T02:30:00.000Z",
      "2090-03-26T02:30:00.000Z",
      "2090-04-03T02:30:00.000Z",
    ]);
  });

  test("show what paused schedules would do, and nothing of archived ones", async () => {
    const [paused, archived] = [await schedule({ ...daily, status: "inactive" }), await schedule({ ...daily, status: "archived" })];
    const { body } = await calendars([paused.id, archived.id]);
    expect(body.map(({ dates }: { dates: string[] }) => dates.length)).toEqual([4, 0]);
  });

  test("have the date of a single run when it lies in the range", async () => {
    const { id } = await schedule({ type: "runOnce", dateSchedule: "2090-03-25T10:00:00Z" });
    expect((await calendars([id])).body[0].dates).toEqual(["2090-03-25T10:00:00.000Z"]);
    expect((await calendars([id], `fromDate=0&toDate=${at("2090-03-24T00:00:00Z")}`)).body[0].dates).toEqual([]);
  });

  test("have no past dates, and at most a thousand", async () => {
    const { id } = await schedule({ cronSchedule: "* * * * * *" });
    expect((await calendars([id], "fromDate=0&toDate=1000")).body[0].dates).toEqual([]);
    const { dates } = (await calendars([id], `fromDate=0&toDate=${at("2095-01-01T00:00:00Z")}`)).body[0];
    expect(dates).toHaveLength(1000);
    expect(Date.parse(dates[0])).toBeGreaterThan(Date.now() - 60_000);
  });

  test("leave out other teams, and other workflows for a workflow token", async () => {
    const foreign = await (await scheduleTeam(app)).schedule(daily);
    const own = await schedule(daily);
    expect((await calendars([foreign.id, "unknown", own.id])).body.map((entry: { scheduleId: string }) => entry.scheduleId)).toEqual([
      own.id,
    ]);
    const elsewhere = await scheduleTeam(app);
    const token = await app.make.workflowToken(teamId, workflowId);
    expect((await calendars([own.id], march, token)).body).toHaveLength(1);
    expect((await calendars([own.id], march, await app.make.teamToken(elsewhere.id))).status).toBe(404);
  });
});

describe("calendars are refused", () => {
  test.each([
    ["without schedules", march, 400],
    ["without an end", "schedules=x&fromDate=1", 400],
    ["without a beginning", "schedules=x&toDate=1", 400],
    ["when the range ends before it begins", "schedules=x&fromDate=2&toDate=1", 400],
    ["for a date that is not a number", "schedules=x&fromDate=2090-03-24&toDate=1", 400],
    ["for too many schedules", `schedules=${Array.from({ length: 101 }, (_, index) => index).join(",")}&${march}`, 400],
  ])("%s", async (_, query, status) => {
    expect((await app.as().get(`${path}/calendars?${query}`)).status).toBe(status);
  });

  test("without the permission to read", async () => {
    const asked = async (token: string | null) => (await app.as(token).get(`${path}/calendars?schedules=x&${march}`)).status;
    expect([await asked(null), await asked(await app.make.teamToken(teamId, ["parameter/read"]))]).toEqual([401, 403]);
  });
});
