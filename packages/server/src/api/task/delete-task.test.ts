import { expect, test } from "vitest";
import { testApp } from "../../../test/kit/app.ts";

const app = await testApp();
const team = await app.make.team();
const path = `/api/v2/team/${team.name}/task`;
const owner = app.as((await app.make.member(team.id, "owner")).token);
const editor = app.as((await app.make.member(team.id, "editor")).token);
const spec = { script: "x" };

test("a task that no workflow uses is deleted, and its name is free", async () => {
  await owner.put(`${path}/t`, { spec });
  expect(await owner.delete(`${path}/t`)).toMatchObject({ status: 204, text: "" });
  expect(await owner.delete(`${path}/t`)).toMatchObject({ status: 404, body: { code: 1401, reason: "TASK_INVALID_REFERENCE" } });
  for (const read of ["t", "t/changelog"]) expect((await owner.get(`${path}/${read}`)).status).toBe(404);
  expect((await owner.get(`${path}/query?limit=10&page=0`)).body.totalElements).toBe(0);
  expect((await owner.put(`${path}/t`, { spec })).body.version).toBe(1);
  const [record] = await app.sql`select * from audit where action = 'task/delete'`;
  expect(record).toMatchObject({ object_name: "t", before: { name: "t", version: 1 }, after: null });
});

test("a task that workflows use stays, and they are named", async () => {
  await owner.put(`${path}/used`, { spec });
  for (const name of ["first", "second"]) {
    const saved = await owner.post(`/api/v2/team/${team.name}/workflow`, { name, tasks: [{ name: "one", taskRef: "used" }] });
    expect(saved.status).toBe(200);
  }
  expect(await owner.delete(`${path}/used`)).toMatchObject({
    status: 409,
    body: { code: 1407, reason: "TASK_IN_USE", message: "Task used is used by workflows: first, second" },
  });
  await owner.delete(`/api/v2/team/${team.name}/workflow/first`);
  expect((await owner.delete(`${path}/used`)).body.message).toContain("second");
  await owner.delete(`/api/v2/team/${team.name}/workflow/second`);
  expect((await owner.delete(`${path}/used`)).status).toBe(204);
});

test("a deletion and a save of a workflow that uses the task never both succeed", async () => {
  for (let round = 0; round < 5; round++) {
    await owner.put(`${path}/contended`, { spec });
    const [deleted, saved] = await Promise.all([
      owner.delete(`${path}/contended`),
      owner.post(`/api/v2/team/${team.name}/workflow`, { name: `round-${round}`, tasks: [{ name: "one", taskRef: "contended" }] }),
    ]);
    expect([deleted.status, saved.status]).toSatisfy(([a, b]: number[]) => (a === 204 && b === 400) || (a === 409 && b === 200));
    await owner.delete(`/api/v2/team/${team.name}/workflow/round-${round}`);
    if (deleted.status === 409) await owner.delete(`${path}/contended`);
  }
});

test("is refused for editors and other teams; global tasks can't be deleted", async () => {
  await owner.put(`${path}/kept`, { spec });
  const other = await app.make.team();
  const outsider = app.as((await app.make.member(other.id, "owner")).token);
  expect((await editor.delete(`${path}/kept`)).status).toBe(403);
  expect((await outsider.delete(`${path}/kept`)).status).toBe(404);
  expect((await outsider.delete(`/api/v2/team/${other.name}/task/kept`)).status).toBe(404);
  await app.as().put("/api/v2/task/kept", { spec });
  expect(await app.as().delete("/api/v2/task/kept")).toMatchObject({ status: 405, headers: { allow: expect.stringContaining("PUT") } });
  expect((await owner.get(`${path}/kept`)).status).toBe(200);
});
