import { describe, expect, test } from "vitest";
import { testApp } from "../../../test/kit/app.ts";
import { farAway, scheduleTeam } from "../../../test/kit/schedule-kit.ts";

const app = await testApp();
const { id: teamId, base, path, workflowId, schedule } = await scheduleTeam(app);
await app.as().post(`${base}/workflow`, { name: "weekly", tasks: [] });
await schedule({ name: "one" });
await schedule({ name: "two", type: "advancedCron", status: "archived" });
await schedule({ name: "three", type: "runOnce", dateSchedule: farAway });
await schedule({ name: "four", workflowRef: "weekly" });

const names = (body: { content: { name: string }[] }) => body.content.map(({ name }) => name);
const found = async (query: string, token?: string) => names((await app.as(token).get(`${path}/query?${query}`)).body);

describe("the query of schedules", () => {
  test("has ten on the first page by default, oldest first, and exact totals", async () => {
    const { body } = await app.as().get(`${path}/query`);
    expect(names(body)).toEqual(["one", "two", "three", "four"]);
    expect(body).toMatchObject({ number: 0, size: 10, totalElements: 4, totalPages: 1, first: true, last: true });
  });

  test("has the name of each workflow, which is ignored when the schedule is written back", async () => {
    await app.as().put(`${base}/workflow`, { name: "weekly", displayName: "Every week" });
    const [four] = (await app.as().get(`${path}/query?workflows=weekly`)).body.content;
    expect(four).toMatchObject({ workflowRef: "weekly", workflowDisplayName: "Every week" });
    const answer = await app.as().put(path, four);
    expect(answer).toMatchObject({ status: 200, body: { id: four.id, workflowDisplayName: "Every week" } });
    expect(answer.headers).not.toHaveProperty("x-unknown-members");
  });

  test("pages", async () => {
    expect(await found("limit=3&page=0")).toEqual(["one", "two", "three"]);
    expect(await found("limit=3&page=1")).toEqual(["four"]);
    expect(await found("limit=3&page=2")).toEqual([]);
  });

  test.each([
    ["statuses=archived", ["two"]],
    ["statuses=ACTIVE,trigger_disabled", ["one", "three", "four"]],
    ["statuses=", ["one", "two", "three", "four"]],
    ["types=advancedcron", ["two"]],
    ["types=cron,runOnce", ["one", "three", "four"]],
    ["workflows=weekly", ["four"]],
    [`workflows=${workflowId}&types=cron`, ["one"]],
    ["workflows=unknown", []],
    ["statuses=error", []],
  ])("%s", async (query, wanted) => {
    expect(await found(query)).toEqual(wanted);
  });

  test.each(["statuses=asleep", "types=sometimes"])("%s is refused, naming the words", async (query) => {
    const answer = await app.as().get(`${path}/query?${query}`);
    expect(answer).toMatchObject({ status: 400, body: { code: 1001, reason: "QUERY_INVALID_FILTERS" } });
  });

  test("of a team without schedules is an empty page", async () => {
    const other = await app.make.team();
    const answer = await app.as().get(`/api/v2/team/${other.name}/schedule/query`);
    expect(answer).toMatchObject({ status: 200, body: { content: [], totalElements: 0, empty: true } });
  });

  test("shows a workflow token the schedules of its workflow", async () => {
    const token = await app.make.workflowToken(teamId, workflowId);
    expect(await found("", token)).toEqual(["one", "two", "three"]);
    expect(await found("workflows=weekly", token)).toEqual([]);
  });

  test("needs the permission to read", async () => {
    const asked = async (token: string | null) => (await app.as(token).get(`${path}/query`)).status;
    const outsider = (await app.make.member((await app.make.team()).id, "owner")).token;
    const parameters = await app.make.teamToken(teamId, ["parameter/read"]);
    expect([await asked(null), await asked(parameters), await asked(outsider)]).toEqual([401, 403, 404]);
  });
});
