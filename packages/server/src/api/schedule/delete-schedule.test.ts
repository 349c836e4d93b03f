import { expect, test } from "vitest";
import { testApp } from "../../../test/kit/app.ts";
import { scheduleTeam } from "../../../test/kit/schedule-kit.ts";

const app = await testApp();
const admin = app.as();

test("a deleted schedule is gone with its history, and leaves an audit record", async () => {
  const { id: teamId, path, schedule } = await scheduleTeam(app);
  const { id } = await schedule({ name: "hourly" });
  await app.sql`
    insert into schedule_firing (team_id, schedule_id, scheduled_for, outcome, message) values (${teamId}, ${id}, '2001-01-01', 'refused', 'no')`;
  const answer = await admin.delete(`${path}/${id}`);
  expect([answer.status, answer.text]).toEqual([204, ""]);
  expect((await admin.get(`${path}/${id}`)).status).toBe(404);
  expect((await admin.delete(`${path}/${id}`)).body.reason).toBe("SCHEDULE_INVALID_REF");
  expect(await app.sql`select 1 from schedule_firing where team_id = ${teamId}`).toHaveLength(0);
  const [record] = await app.sql`select before->>'name' as name from audit where object_id = ${id} and action = 'schedule/delete'`;
  expect(record?.["name"]).toBe("hourly");
});

test("two deletions at once: one of them finds nothing any more", async () => {
  const { path, schedule } = await scheduleTeam(app);
  const { id } = await schedule();
  const answers = await Promise.all([admin.delete(`${path}/${id}`), admin.delete(`${path}/${id}`)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 404]);
});

test("a schedule is deleted only with the permission, and only in its team", async () => {
  const [own, foreign] = [await scheduleTeam(app), await scheduleTeam(app)];
  const { id } = await own.schedule();
  const theirs = await foreign.schedule();
  const asked = async (token: string | null, path: string) => (await app.as(token).delete(path)).status;
  const owner = (await app.make.member(own.id, "owner")).token;
  expect(await asked(null, `${own.path}/${id}`)).toBe(401);
  expect(await asked((await app.make.member(own.id, "editor")).token, `${own.path}/${id}`)).toBe(403);
  expect(await asked(owner, `${own.path}/${theirs.id}`)).toBe(404);
  expect(await asked(owner, `${foreign.path}/${theirs.id}`)).toBe(404);
  expect(await asked(owner, `${own.path}/${id}`)).toBe(204);
  expect((await foreign.read(theirs.id)).id).toBe(theirs.id);
});
