import { expect, test } from "vitest";
import { testApp } from "../../../test/kit/app.ts";
import { scheduleTeam } from "../../../test/kit/schedule-kit.ts";
import { loadRunSecrets } from "../../domain/run/run-secrets.ts";

const app = await testApp();
const params = [
  { name: "city", type: "text" },
  { name: "key", type: "password" },
];

test("a manual run of a schedule has its parameters and secrets, and does not change its times", async () => {
  const { id: teamId, path, schedule, read, runs } = await scheduleTeam(app, { params: params as never });
  const made = await schedule({
    status: "inactive",
    labels: { kind: "report" },
    params: [
      { name: "city", value: "Lyon" },
      { name: "key", value: "a long secret" },
    ],
  });
  const { token } = await app.make.member(teamId, "editor");
  const { status, body: run } = await app.as(token).post(`${path}/${made.id}/submit`);
  expect(status).toBe(200);
  expect(run).toMatchObject({ trigger: "schedule", initiatedByType: "user", labels: { kind: "report" } });
  expect(JSON.stringify(run)).not.toContain("a long secret");
  expect(JSON.stringify(await loadRunSecrets(app.sql, app.keyring, teamId, run.id))).toContain("a long secret");
  expect(await read(made.id)).toEqual(made);
  expect(await runs()).toHaveLength(1);
});

test("readers can't submit one, and an unknown schedule is a 404", async () => {
  const { id: teamId, path, schedule } = await scheduleTeam(app);
  const { id } = await schedule();
  const reader = await app.make.member(teamId, "reader");
  expect((await app.as(reader.token).post(`${path}/${id}/submit`)).status).toBe(403);
  expect((await app.as().post(`${path}/none/submit`)).body.reason).toBe("SCHEDULE_INVALID_REF");
});
