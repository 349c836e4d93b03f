import { hostname } from "node:os";
import { expect, test } from "vitest";
import { runKit } from "../../../test/kit/run-kit.ts";
import { node, workflow } from "../../../test/kit/run-simulator.ts";

const { app, kit, team } = await runKit();
const path = "/api/v2/system/workers";
const works = workflow(node("work", "script", ["start"]));
const list = async () => (await app.as().get(path)).body;
const forgetWorkers = async () => {
  await app.sql`update task_run set worker_id = null, claimable_at = null`;
  await app.sql`delete from worker`;
};

test("a live worker is listed with its executors, its slots and how many are taken", async () => {
  await forgetWorkers();
  const id = await kit.worker({ host: "mill-1", slots: 3, labels: ["gpu"], executors: ["process"], configured: ["process", "container"] });
  const made = await team();
  await made.workflow("works", works);
  await made.submit("works");
  await made.claim(id);
  expect((await list()).workers).toEqual([
    {
      ...{ id, host: "mill-1", pid: expect.any(Number), roles: ["worker"], labels: ["gpu"], slots: 3, busySlots: 1 },
      executors: [
        { kind: "process", available: true },
        { kind: "container", available: false },
      ],
      ...{ startDate: expect.any(String), leaseUntilDate: expect.any(String), alive: true, answering: false },
    },
  ]);
});

test("a worker with a faulty machine names the fault", async () => {
  await forgetWorkers();
  await kit.worker({ executors: [], configured: ["process"], faults: { process: "the disk of the worker is full" } });
  const [worker] = (await list()).workers;
  expect(worker.executors).toEqual([{ kind: "process", available: false, fault: "the disk of the worker is full" }]);
});

test("one with an expired lease is listed last, as gone, and the responding process is marked", async () => {
  await forgetWorkers();
  const gone = await kit.worker({ host: "mill-gone" });
  await app.sql`update worker set lease_until = db_now() - interval '1 minute' where id = ${gone}`;
  const own = await kit.worker({ host: hostname(), pid: process.pid });
  const { workers } = await list();
  expect(workers).toMatchObject([
    { id: own, alive: true, answering: true },
    { id: gone, alive: false, answering: false, executors: [{ kind: "process", available: false }] },
  ]);
});

test("waiting task runs are listed by need and by team, in words", async () => {
  await forgetWorkers();
  const made = await team();
  await made.workflow("works", works);
  await made.submit("works");
  await made.submit("works");
  const { queue } = await list();
  expect(queue).toMatchObject({ waiting: 2, isMore: false });
  expect(queue.needs).toEqual([
    { executor: "process", labels: [], waiting: 2, oldestDate: expect.stringMatching(/Z$/), why: "No worker is running" },
  ]);
  expect(queue.teams).toContainEqual(expect.objectContaining({ id: made.id, waiting: 2, oldestDate: expect.stringMatching(/Z$/) }));
});

test("runs that wait for their team's quota are counted", async () => {
  await forgetWorkers();
  const made = await team({ maxConcurrentRuns: 0 });
  await made.workflow("works", works);
  await made.submit("works", {}, "");
  expect((await list()).queue.teams).toContainEqual(expect.objectContaining({ id: made.id, waiting: 0, oldestDate: null, queuedRuns: 1 }));
});

test("the list needs the permission to read the system", async () => {
  const { id } = await team();
  const owner = await app.make.member(id, "owner");
  expect((await app.as(owner.token).get(path)).status).toBe(403);
  expect((await app.as(null).get(path)).status).toBe(401);
  expect((await app.as(await app.make.globalToken(["system/read"])).get(path)).status).toBe(200);
});
