import { expect, test } from "vitest";
import { logKit } from "../../../test/kit/history/log-kit.ts";

const { app, kit, claimed, write } = await logKit();
const admin = app.as();
/** Created in January 2024. */
const oldId = "018cc251-f400-7abc-8def-0123456789ab";
const newId = async () => ((await app.sql`select new_id() as id`) as unknown as [{ id: string }])[0].id;
const removed = /removed.*2024-01-01.*180 days/;

test.each([
  ["a run", (team: string, id: string) => `${team}/workflowrun/${id}`],
  ["a task run", (team: string, id: string) => `${team}/taskrun/${id}`],
  ["an action", (team: string, id: string) => `${team}/action/${id}`],
  ["a log", (_: string, id: string) => `/api/v2/taskrun/${id}/log`],
])("a link to %s that is older than runs are kept says that it was removed; any other says that there is none", async (_, address) => {
  const team = `/api/v2/team/${(await app.make.team()).name}`;
  const old = await admin.get(address(team, oldId));
  expect(old.status).toBe(404);
  expect(old.body.message).toMatch(removed);
  expect(old.body.errors).toEqual([{ path: "", message: expect.stringMatching(removed) }]);
  for (const id of [await newId(), "nonsense"]) {
    const { status, body } = await admin.get(address(team, id));
    expect([status, body.message.includes("removed")]).toEqual([404, false]);
  }
});

test("it uses the retention of the team, and says nothing where runs are kept forever", async () => {
  const { name } = await app.make.team();
  await admin.patch(`/api/v2/team/${name}`, { retention: { runs: 40 } });
  expect((await admin.get(`/api/v2/team/${name}/workflowrun/${oldId}`)).body.message).toMatch(/kept for 40 days/);
  await app.sql`insert into setting (group_key, key, value) values ('history', 'runs', '0')`;
  const { name: other } = await app.make.team();
  expect((await admin.get(`/api/v2/team/${other}/workflowrun/${oldId}`)).body.message).not.toMatch(/removed/);
  await app.sql`delete from setting`;
});

test("a log that was removed is gone, not empty", async () => {
  const { claim, id, runId } = await claimed();
  await write(claim, 0, ["line"]);
  await kit.end(claim, { status: "succeeded" });
  const [aged] = await app.sql<{ id: string }[]>`
    update task_run set id = overlay(id_floor(now() - interval '40 days')::text placing right(id::text, 12) from 25)::uuid where id = ${claim.id} returning id`;
  const log = () => admin.get(`/api/v2/taskrun/${aged!.id}/log?follow=false`);
  await app.sql`update log_chunk set task_run_id = ${aged!.id} where task_run_id = ${claim.id}`;
  await app.sql`update run set ended_at = now() - interval '31 days', status = 'succeeded', phase = 'completed', activity = 'none', active_since = null where team_id = ${id} and id = ${runId}`;
  expect((await log()).text).toContain("line");
  await app.sql`delete from log_chunk where task_run_id = ${aged!.id}`;
  expect(await log()).toMatchObject({
    status: 410,
    body: { code: 1506, reason: "TASKRUN_LOG_REMOVED", message: expect.stringContaining("30 days") },
  });
  await app.sql`update run set ended_at = now() where id = ${runId}`;
  expect((await log()).status).toBe(200);
});
