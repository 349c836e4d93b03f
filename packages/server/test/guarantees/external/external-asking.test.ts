import { expect, test } from "vitest";
import { listAskedTasks } from "../../../src/store/external/external-workers.ts";
import { testApp } from "../../kit/app.ts";
import { externalTeam } from "../../kit/worker/external-kit.ts";

const statements: string[] = [];
const app = await testApp({ database: { onStatement: (text) => void statements.push(text) } });
const team = await externalTeam(app, ["work", "rest"]);
const token = await team.token();
/** Claim statements that were sent since then. */
function taken(): { claims: number; writes: number; looks: number } {
  const all = statements.splice(0);
  const count = (words: string) => all.filter((text) => text.includes(words)).length;
  return { claims: count("claim_external_task_runs"), writes: count("update worker"), looks: count("select t.name from task t") };
}

test("a worker that claims again is not stored again, until it requests something else or has left", async () => {
  const worker = team.worker(token);
  await worker.claim(["work"]);
  taken();
  await worker.claim(["work"]);
  expect(taken()).toEqual({ claims: 1, writes: 0, looks: 0 });
  await worker.claim(["work", "rest"]);
  expect(taken()).toEqual({ claims: 1, writes: 1, looks: 1 });
  expect(await listAskedTasks(app.sql, team.id)).toEqual(new Set(["work", "rest"]));
  await worker.call("leave", {});
  expect(await listAskedTasks(app.sql, team.id)).toEqual(new Set());
  await worker.claim(["work", "rest"]);
  expect(await listAskedTasks(app.sql, team.id)).toEqual(new Set(["work", "rest"]));
});

test("a worker is separate from workers of other tokens and teams", async () => {
  const worker = team.worker(token);
  await worker.claim(["work"]);
  const body = { worker: worker.id, tasks: ["work"] };
  expect((await app.as(await team.token()).post(`${team.path}/external/claim`, body)).status).toBe(404);
  const other = await externalTeam(app, ["work"]);
  expect((await app.as(await other.token()).post(`${other.path}/external/claim`, body)).status).toBe(404);
});

test("a name that is not an external task is reported each time", async () => {
  const worker = team.worker(token);
  await worker.claim(["work"]);
  for (let count = 0; count < 2; count++)
    expect((await worker.call("claim", { tasks: ["wrok"] })).body.warnings).toEqual([expect.stringContaining("no external task wrok")]);
});

test("a waiting heartbeat ignores ends that its worker reported, and returns at once on others", async () => {
  const worker = team.worker(token);
  await team.run(["work"]);
  const cancelled = await team.run(["work"]);
  const [first, second] = await worker.claim(["work"]);
  const attempts = [first, second].map((claim) => ({ id: claim?.id, attempt: 1 }));
  let isAnswered = false;
  const beat = Promise.resolve(worker.call("heartbeat", { attempts, wait: 30 })).finally(() => {
    isAnswered = true;
  });
  expect((await worker.complete(first!)).body.completed).toMatchObject([{ recorded: true }]);
  expect(isAnswered).toBe(false);
  await app.as().delete(`${team.path}/workflowrun/${cancelled}/cancel`);
  expect((await beat).body.ended).toEqual([{ id: second?.id, attempt: 1, status: "cancelled" }]);
});

test("a program that registers a worker with each claim reaches the limit of its token, and other tokens still register theirs", async () => {
  const crowded = await externalTeam(app, ["work"]);
  const [flood, other] = [await crowded.token(), await crowded.token()];
  const worker = crowded.worker(flood);
  await worker.claim(["work"]);
  await app.sql`
    insert into worker (host, pid, roles, executors, slots, lease_until, team_id, owner, lease_seconds)
    select w.host, w.pid, w.roles, w.executors, w.slots, w.lease_until, w.team_id, w.owner, w.lease_seconds
    from worker w, generate_series(1, 749) where w.id = ${worker.id ?? null}`;
  const claim = { tasks: ["work"] };
  expect(await app.as(flood).post(`${crowded.path}/external/claim`, claim)).toMatchObject({
    status: 429,
    body: { reason: "QUOTA_EXCEEDED", message: expect.stringContaining("external workers of one token of team") },
  });
  expect((await app.as(other).post(`${crowded.path}/external/claim`, claim)).status).toBe(200);
  expect(await worker.claim(["work"]), "those that it has go on").toEqual([]);
});

test("a team lists its external workers: what they asked for, what they hold, and which have left", async () => {
  const listed = await externalTeam(app, ["work", "rest"]);
  const own = await listed.token();
  const list = async (query = "") => (await app.as().get(`${listed.path}/external/worker${query}`)).body;
  expect(await list()).toEqual({ workers: [] });
  const [busy, gone] = [listed.worker(own, { name: "billing-2" }), listed.worker(own, { name: "billing-1" })];
  await listed.run(["work"]);
  const [claim] = await busy.claim(["work", "rest"]);
  await gone.claim(["rest"]);
  await gone.call("leave", {});
  const of = { startDate: expect.stringMatching(/Z$/), leaseUntilDate: expect.stringMatching(/Z$/) };
  const line = { id: busy.id, name: "billing-2", tasks: ["work", "rest"], alive: true, asking: true, running: 1, ...of };
  const left = { id: gone.id, name: "billing-1", tasks: ["rest"], alive: false, asking: false, running: 0, ...of };
  expect((await list()).workers).toEqual([line, left]);
  expect((await list("?task=work")).workers).toEqual([line]);
  await busy.complete(claim!);
  expect((await list("?task=work")).workers).toEqual([{ ...line, running: 0 }]);
  const other = await externalTeam(app, ["work"]);
  expect((await app.as().get(`${other.path}/external/worker`)).body, "another team").toEqual({ workers: [] });
  expect((await app.as(own).get(`${listed.path}/external/worker`)).status, "a token that may only claim").toBe(403);
});
