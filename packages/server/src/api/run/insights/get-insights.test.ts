import { beforeAll, describe, expect, test } from "vitest";
import { testApp } from "../../../../test/kit/app.ts";
import { makeRun } from "../../../../test/kit/workflow-factories.ts";

const app = await testApp();
const team = await app.make.team();
const other = await app.make.team();
const reader = (await app.make.member(team.id, "reader")).token;
const path = `/api/v2/team/${team.name}/insights`;
const workflows: Record<string, string> = {};

interface Fields {
  team?: { id: string };
  status?: string;
  /** From start to end. */
  seconds?: number;
  /** From creation to start. */
  queuedSeconds?: number;
  at: string;
}

async function run(workflow: string, { team: owner = team, status = "succeeded", seconds = 0, queuedSeconds = 0, at }: Fields) {
  const id = await makeRun(app.sql, owner.id, workflows[workflow] as string, status === "running" ? "running" : "completed");
  await app.sql`
    update run set id = overlay(id_floor(${at}::timestamptz)::text placing right(id::text, 12) from 25)::uuid, status = ${status},
      created_at = ${at}::timestamptz, started_at = ${at}::timestamptz + ${queuedSeconds} * interval '1 second',
      ended_at = case when phase = 'completed' then ${at}::timestamptz + ${queuedSeconds + seconds} * interval '1 second' end
    where team_id = ${owner.id} and id = ${id}`;
}

beforeAll(async () => {
  for (const [name, owner] of [
    ["daily", team],
    ["rare", team],
    ["theirs", other],
  ] as const) {
    workflows[name] = (await app.as().post(`/api/v2/team/${owner.name}/workflow`, { name })).body.id;
  }
  await run("daily", { seconds: 1, queuedSeconds: 2, at: "2026-03-01T12:00:00Z" });
  await run("daily", { seconds: 2, at: "2026-03-01T23:30:00Z" });
  await run("daily", { seconds: 30, status: "failed", at: "2026-03-03T08:00:00Z" });
  await run("daily", { seconds: 4, status: "timedout", at: "2026-03-03T09:00:00Z" });
  await run("rare", { seconds: 10, status: "cancelled", at: "2026-03-03T10:00:00Z" });
  await run("rare", { status: "running", at: "2026-03-03T11:00:00Z" });
  await run("theirs", { team: other, seconds: 99, at: "2026-03-03T11:00:00Z" });
});

const march = `fromDate=${Date.parse("2026-03-01T00:00:00Z")}&toDate=${Date.parse("2026-03-04T00:00:00Z")}`;
const get = async (query = march, token: string | null = reader) => (await app.as(token).get(`${path}?${query}`)).body;

describe("GET team insights", () => {
  test("counts runs, and measures those that have ended", async () => {
    expect(await get()).toMatchObject({
      fromDate: "2026-03-01T00:00:00.000Z",
      toDate: "2026-03-04T00:00:00.000Z",
      timezone: "UTC",
      totalRuns: 6,
      concurrentRuns: 1,
      totalDuration: 47_000,
      successRate: 0.5,
      statuses: { succeeded: 2, failed: 1, timedout: 1, cancelled: 1, running: 1, ready: 0, invalid: 0 },
    });
  });

  test("the median and percentiles lie within the measured values", async () => {
    const { medianDuration, durations, queueTimes } = await get();
    expect(medianDuration).toBe(4000);
    expect(durations).toEqual({ p50: 4000, p90: 22_000, p95: 26_000, p99: 29_200, max: 30_000 });
    expect(queueTimes).toMatchObject({ p50: 0, max: 2000 });
    expect((await get(`${march}&statuses=succeeded`)).medianDuration).toBe(1500);
  });

  test("has each day of the range in the time zone asked for", async () => {
    expect((await get()).days).toEqual([
      { date: "2026-03-01", total: 2, succeeded: 2, failed: 0, medianDuration: 1500 },
      { date: "2026-03-02", total: 0, succeeded: 0, failed: 0, medianDuration: 0 },
      { date: "2026-03-03", total: 4, succeeded: 0, failed: 2, medianDuration: 10_000 },
    ]);
    const { days, timezone } = await get(`${march}&timezone=Europe/Oslo`);
    expect(timezone).toBe("Europe/Oslo");
    expect(days.map(({ date, total }: { date: string; total: number }) => [date, total])).toEqual([
      ["2026-03-01", 1],
      ["2026-03-02", 1],
      ["2026-03-03", 4],
      ["2026-03-04", 0],
    ]);
  });

  test("has the days from the first run to the last, where the range is longer than a year", async () => {
    const { days, totalRuns } = await get(`fromDate=0&toDate=${Date.parse("2026-03-04T00:00:00Z")}`);
    expect(totalRuns).toBe(6);
    expect(days.map(({ date }: { date: string }) => date)).toEqual(["2026-03-01", "2026-03-02", "2026-03-03"]);
    expect((await get("fromDate=0&toDate=1")).days).toHaveLength(1);
  });

  test("ranks workflows by their runs", async () => {
    expect((await get()).workflows).toMatchObject([
      { workflowRef: workflows["daily"], workflowName: "daily", total: 4, succeeded: 2, failed: 2, successRate: 0.5, medianDuration: 3000 },
      { workflowName: "rare", total: 2, successRate: null, medianDuration: 10_000, p95Duration: 10_000, isDeleted: false },
    ]);
    expect(await get()).not.toHaveProperty("teams");
  });

  test("lists the latest runs, as many as are wanted", async () => {
    const { runs } = await get(`${march}&limit=2`);
    expect(runs).toMatchObject([
      { creationDate: "2026-03-03T11:00:00.000Z", status: "running", duration: 0, workflowName: "rare" },
      { creationDate: "2026-03-03T10:00:00.000Z", status: "cancelled", duration: 10_000, workflowRef: workflows["rare"] },
    ]);
    expect((await get(`${march}&limit=0`)).runs).toEqual([]);
  });

  test("filters by workflow and status", async () => {
    expect(await get(`${march}&workflows=RARE`)).toMatchObject({ totalRuns: 2, workflows: [{ workflowName: "rare" }] });
    expect(await get(`${march}&workflows=${workflows["daily"]}&statuses=FAILED,timedout`)).toMatchObject({ totalRuns: 2, successRate: 0 });
    expect(await get(`${march}&workflows=theirs`)).toMatchObject({ totalRuns: 0, workflows: [], successRate: null, medianDuration: 0 });
    expect((await get(`${march}&workflows=theirs`)).durations).toEqual({ p50: null, p90: null, p95: null, p99: null, max: null });
  });

  test("looks back thirty days by default", async () => {
    const fresh = await app.make.team();
    workflows["fresh"] = (await app.as().post(`/api/v2/team/${fresh.name}/workflow`, { name: "fresh" })).body.id;
    await makeRun(app.sql, fresh.id, workflows["fresh"] as string, "completed");
    await run("fresh", { team: fresh, at: new Date(Date.now() - 29 * 86_400_000).toISOString() });
    await run("fresh", { team: fresh, at: new Date(Date.now() - 31 * 86_400_000).toISOString() });
    const { body } = await app.as().get(`/api/v2/team/${fresh.name}/insights`);
    expect(body.totalRuns).toBe(2);
    expect(body.days).toHaveLength(31);
    expect((await app.as().get(`/api/v2/team/${fresh.name}/insights?fromDate=0`)).body.totalRuns).toBe(3);
  });

  test("counts the runs of a deleted workflow as long as they are kept", async () => {
    const third = await app.make.team();
    workflows["gone"] = (await app.as().post(`/api/v2/team/${third.name}/workflow`, { name: "gone" })).body.id;
    await makeRun(app.sql, third.id, workflows["gone"] as string, "completed");
    await app.as().delete(`/api/v2/team/${third.name}/workflow/gone`);
    const { body } = await app.as().get(`/api/v2/team/${third.name}/insights?workflows=gone`);
    expect(body).toMatchObject({ totalRuns: 1, workflows: [{ workflowName: "gone", isDeleted: true }] });
  });

  test.each([
    ["timezone=Mars/Olympus", "QUERY_INVALID_FILTERS"],
    ["fromDate=2&toDate=1", "QUERY_INVALID_FILTERS"],
    ["statuses=good", "QUERY_INVALID_FILTERS"],
    ["fromDate=yesterday", "VALIDATION_FAILED"],
    ["limit=1001", "VALIDATION_FAILED"],
  ])("refuses %s", async (query, reason) => expect(await get(query)).toMatchObject({ code: expect.any(Number), reason }));

  test("needs the permission to read insights in the team", async () => {
    const call = async (token: string | null) => (await app.as(token).get(path)).status;
    expect(await call(null)).toBe(401);
    expect(await call((await app.make.member(other.id, "owner")).token)).toBe(404);
    expect(await call(await app.make.teamToken(team.id, ["workflow/read"]))).toBe(403);
    expect(await call(await app.make.teamToken(team.id, ["insights/read"]))).toBe(200);
    expect(await call(await app.make.workflowToken(team.id, workflows["daily"] as string))).toBe(403);
  });
});

describe("GET insights of the instance", () => {
  test("covers all teams, and ranks them", async () => {
    const operator = await app.make.userToken((await app.make.user({ type: "operator" })).id);
    const { body } = await app.as(operator).get(`/api/v2/insights?${march}`);
    expect(body).toMatchObject({ totalRuns: 7, medianDuration: 7000 });
    expect(body.teams).toMatchObject([
      { teamRef: team.id, teamName: team.name, teamDisplayName: team.name, total: 6, successRate: 0.5 },
      { teamRef: other.id, teamName: other.name, total: 1, totalDuration: 99_000, medianDuration: 99_000 },
    ]);
    expect(body.workflows.map(({ workflowName }: { workflowName: string }) => workflowName)).toEqual(["daily", "rare", "theirs"]);
    expect((await app.as(reader).get("/api/v2/insights")).status).toBe(403);
    expect((await app.as(null).get("/api/v2/insights")).status).toBe(401);
  });
});
