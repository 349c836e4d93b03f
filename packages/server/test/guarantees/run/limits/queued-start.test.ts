import { describe, expect, test } from "vitest";
import { params, runKit } from "../../../kit/run-kit.ts";
import { node, workflow } from "../../../kit/run-simulator.ts";
import { until } from "../../../kit/until.ts";

/**
 * A process that starts queued runs also starts a run with its submission, if no other run waits before it. The engine itself does not run
 * here.
 */
const { app, kit, team } = await runKit();
app.context.startsQueuedRuns = true;
const admin = app.as();
const pure = workflow(node("set", "setwfproperty", ["start"], params({ output: "a", value: "1" })));
const script = workflow(node("work", "script", ["start"], params({ script: "true" })));

async function teamOf(max: number) {
  const made = await team({ maxConcurrentRuns: max });
  await made.workflow("pure", pure);
  await made.workflow("script", script);
  return { ...made, queue: (name: string, more = {}) => admin.post(`${made.path}/workflow/${name}/submit`, {}, more) };
}

async function waitsForLock(): Promise<boolean> {
  const waiting = await app.sql`
    select from pg_locks l where not l.granted and l.pid in (select pid from pg_stat_activity where datname = current_database())`;
  return waiting.length > 0;
}

describe("a team that is paused while a run of it is submitted", () => {
  test("lets it wait in the queue", async () => {
    const made = await teamOf(1);
    let submitted: ReturnType<typeof made.queue> | undefined;
    await app.sql.begin(async (tx) => {
      // The point where the submission has read the team, but not its plan.
      await tx`lock table task_version in access exclusive mode`;
      submitted = made.queue("script");
      await until(waitsForLock, "the submission");
      await app.sql`update team set status = 'inactive' where id = ${made.id}`;
    });
    const { id } = (await submitted)!.body;
    expect((await made.run(id)).phase).toBe("pending");
    await kit.settle();
    expect((await made.run(id)).phase).toBe("pending");
  });

  test.each(["", "?start=true"])("refuses one that needs no slot, submitted with %j", async (query) => {
    const made = await teamOf(1);
    let submitted: ReturnType<typeof made.queue> | undefined;
    await app.sql.begin(async (tx) => {
      await tx`lock table task_version in access exclusive mode`;
      submitted = admin.post(`${made.path}/workflow/pure/submit${query}`, {});
      await until(waitsForLock, "the submission");
      await app.sql`update team set status = 'inactive' where id = ${made.id}`;
    });
    expect((await submitted)!.body).toMatchObject({ reason: "WORKFLOW_TEAM_INACTIVE" });
    expect((await admin.get(`${made.path}/workflowrun/query`)).body.content).toEqual([]);
  });

  test("is paused only when the submissions that see it active are recorded", async () => {
    const made = await teamOf(1);
    let paused: ReturnType<typeof admin.patch> | undefined;
    await app.sql.begin(async (tx) => {
      await tx`select require_runnable(${made.id}, (select id from workflow where team_id = ${made.id} and name = 'pure'), true)`;
      paused = admin.patch(made.path, { status: "inactive" });
      await until(waitsForLock, "the pause");
    });
    expect((await paused)!.body).toMatchObject({ status: "inactive" });
  });

  test("refuses it when it is to start at once", async () => {
    const made = await teamOf(1);
    let submitted: ReturnType<typeof made.queue> | undefined;
    await app.sql.begin(async (tx) => {
      await tx`update team set status = 'inactive' where id = ${made.id}`;
      submitted = admin.post(`${made.path}/workflow/script/submit?start=true`, {});
      await until(waitsForLock, "the submission");
    });
    expect((await submitted)!.body).toMatchObject({ reason: "WORKFLOW_TEAM_INACTIVE" });
  });
});

describe("a run that is submitted to the queue", () => {
  test("is returned as queued, and has ended if it needs only the engine", async () => {
    const made = await teamOf(1);
    const { body } = await made.queue("pure");
    expect(body).toMatchObject({ status: "ready", phase: "pending" });
    expect(body.startedAt ?? null).toBeNull();
    expect(await made.run(body.id)).toMatchObject({ status: "succeeded", phase: "completed" });
  });

  test("has the same answer when the request is repeated with its Idempotency-Key", async () => {
    const made = await teamOf(1);
    const first = await made.queue("pure", { "idempotency-key": "once" });
    const again = await made.queue("pure", { "idempotency-key": "once" });
    expect(again.body).toEqual(first.body);
    expect(again.body).toMatchObject({ status: "ready" });
  });

  test("takes a slot of its team if it needs one, and waits if there is none", async () => {
    const made = await teamOf(1);
    const first = (await made.queue("script")).body;
    const second = (await made.queue("script")).body;
    expect([first.phase, second.phase]).toEqual(["pending", "pending"]);
    expect((await made.run(first.id)).phase).toBe("running");
    expect((await made.run(second.id)).phase).toBe("pending");
    expect((await admin.get(made.path)).body.quotas).toMatchObject({ currentConcurrentRuns: 1 });
  });

  test("never overtakes an older one, not even if it needs no slot", async () => {
    const made = await teamOf(1);
    await made.queue("script");
    const older = (await made.queue("script")).body;
    const younger = (await made.queue("pure")).body;
    expect((await made.run(younger.id)).phase).toBe("pending");
    await kit.end(await kit.claim(await kit.worker(), made.id));
    await kit.settle();
    expect((await made.run(older.id)).phase).toBe("running");
    expect((await made.run(younger.id)).phase, "the only place is taken").toBe("pending");
  });

  test("waits if the team may run nothing", async () => {
    const made = await teamOf(1);
    await admin.patch(made.path, { quotas: { maxConcurrentRuns: 0 } });
    expect((await made.run((await made.queue("pure")).body.id)).phase).toBe("pending");
  });

  test("waits for no other transaction: where one holds the team, the run is queued", async () => {
    const made = await teamOf(1);
    const { id } = await app.sql.begin(async (tx) => {
      await tx`select 1 from team where id = ${made.id} for no key update`;
      return (await made.queue("script")).body;
    });
    expect((await made.run(id)).phase).toBe("pending");
    await kit.settle();
    expect((await made.run(id)).phase).toBe("running");
  });

  test("begins within the quota when many are submitted at once, and all of them begin", async () => {
    const made = await teamOf(3);
    const answers = await Promise.all(Array.from({ length: 20 }, () => made.queue("script")));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    const running = async () => (await admin.get(made.path)).body.quotas.currentConcurrentRuns;
    expect(await running()).toBeLessThanOrEqual(3);
    await kit.settle();
    expect(await running()).toBe(3);
    const worker = await kit.worker();
    for (let ended = 0; ended < 20; ended += 1) {
      await kit.end(await kit.claim(worker, made.id));
      await kit.settle();
      expect(await running()).toBe(Math.min(3, 19 - ended));
    }
  });

  test("is left to an engine by a process that does not start queued runs", async () => {
    app.context.startsQueuedRuns = false;
    const made = await teamOf(1);
    const { id } = (await made.queue("pure")).body;
    app.context.startsQueuedRuns = true;
    expect((await made.run(id)).phase).toBe("pending");
  });
});
