import { describe, expect, test } from "vitest";
import { testApp } from "../../../test/kit/app.ts";
import { scheduleTeam } from "../../../test/kit/schedule-kit.ts";

const app = await testApp();
const unknown = ["unknown", "01980f3e-7d2b-7c3a-9f35-0c9b8f6c1f5e", "query2"];

describe.each(["", "/firings"])("GET …/schedule/{scheduleId}%s", (below) => {
  test("needs the permission to read in the team", async () => {
    const { id: teamId, path, schedule } = await scheduleTeam(app);
    const { id } = await schedule();
    const { token } = await app.make.member(teamId, "reader");
    expect((await app.as(token).get(`${path}/${id}${below}`)).status).toBe(200);
    expect((await app.as(null).get(`${path}/${id}${below}`)).status).toBe(401);
    const parameters = await app.make.teamToken(teamId, ["parameter/read"]);
    expect((await app.as(parameters).get(`${path}/${id}${below}`)).status).toBe(403);
  });

  test.each(unknown)("%s is a 404", async (id) => {
    const { path } = await scheduleTeam(app);
    const answer = await app.as().get(`${path}/${id}${below}`);
    expect(answer).toMatchObject({ status: 404, body: { reason: "SCHEDULE_INVALID_REF", code: 1701 } });
  });

  test("of another team is a 404, below the own team and below theirs", async () => {
    const [own, foreign] = [await scheduleTeam(app), await scheduleTeam(app)];
    const { id } = await foreign.schedule();
    const owner = app.as((await app.make.member(own.id, "owner")).token);
    expect((await owner.get(`${own.path}/${id}${below}`)).body.reason).toBe("SCHEDULE_INVALID_REF");
    expect((await owner.get(`${foreign.path}/${id}${below}`)).body.reason).toBe("TEAM_INVALID_REF");
  });

  test("of another workflow is a 404 for a workflow token", async () => {
    const { id: teamId, base, path, workflowId, schedule } = await scheduleTeam(app);
    await app.as().post(`${base}/workflow`, { name: "other", tasks: [], triggers: { schedule: { enabled: true } } });
    const [mine, other] = [await schedule(), await schedule({ workflowRef: "other" })];
    const token = app.as(await app.make.workflowToken(teamId, workflowId));
    const asked = await Promise.all([mine, other].map(({ id }) => token.get(`${path}/${id}${below}`)));
    expect(asked.map(({ status }) => status)).toEqual([200, 404]);
  });
});

test("the history of a schedule that never fired is an empty page", async () => {
  const { path, schedule } = await scheduleTeam(app);
  const { id } = await schedule();
  expect((await app.as().get(`${path}/${id}/firings`)).body).toMatchObject({ content: [], totalElements: 0, size: 10, number: 0 });
  expect((await app.as().get(`${path}/${id}/firings?limit=0`)).status).toBe(400);
});

test("the history can be asked for a range of times, both ends included", async () => {
  const { path, schedule } = await scheduleTeam(app);
  const { id } = await schedule({ cronSchedule: "0 6 * * *" });
  const day = 86_400_000;
  const range = { from: new Date(Date.now() - 5 * day).toISOString(), to: new Date().toISOString() };
  const { times } = (await app.as().post(`${path}/${id}/backfill`, range)).body;
  const [second, third] = [times[1].scheduledDate, times[2].scheduledDate] as [string, string];
  const asked = await app.as().get(`${path}/${id}/firings?fromDate=${Date.parse(second)}&toDate=${Date.parse(third)}`);
  expect(asked.body.totalElements).toBe(2);
  expect(asked.body.content.map(({ scheduledDate }: { scheduledDate: string }) => scheduledDate)).toEqual([third, second]);
  expect((await app.as().get(`${path}/${id}/firings?fromDate=2&toDate=1`)).status).toBe(400);
});
