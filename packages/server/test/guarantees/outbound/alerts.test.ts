import { beforeEach, describe, expect, test } from "vitest";
import { createLog } from "../../../src/base/process/log.ts";
import { createAlertService } from "../../../src/services/alert-service.ts";
import { createPool, type Database, type Transaction } from "../../../src/store/database/database.ts";
import { moveTime, testDatabase } from "../../kit/database.ts";
import { engineKit } from "../../kit/engine-kit.ts";
import { params } from "../../kit/run-kit.ts";
import { node, workflow } from "../../kit/run-simulator.ts";

/** Late runs and queues are changes, each recorded once (docs/alerts.md). The clock is the database's. */
const { sql, address } = await testDatabase();
const kit = engineKit(sql);
const service = createAlertService(sql, kit.context.settings, createLog("silent"));
const waits = workflow(node("ask", "manual", ["start"], params({ instructions: "Look" })));
const works = workflow(node("work", "script", ["start"], params({ script: "true" })));

beforeEach(async () => {
  await sql`delete from subscription`;
  await service.tick();
});

interface Alert {
  status: string;
  objectId: string;
  laneId: string;
  data: Record<string, unknown>;
}

const alertsOf = (teamId: string) => sql<Alert[]>`
  select status, object_id as "objectId", lane_id as "laneId", data from change_event where team_id = ${teamId} and kind = 'alert' order by seq`;

const subscribe = (teamId: string | null, kinds: string[] = ["alert"]) => sql`
  insert into subscription (team_id, name, channel, kinds, target) values (${teamId}, ${`s${Math.random()}`}, 'webhook', ${kinds}, '{}')`;

async function team({ annotations = {}, wants = true }: { annotations?: object; wants?: boolean } = {}) {
  const teamId = await kit.team();
  const workflowId = await kit.workflow(teamId, "nightly", waits);
  await kit.workflow(teamId, "build", works);
  await sql`update workflow set annotations = ${JSON.stringify(annotations)}::json where team_id = ${teamId} and id = ${workflowId}`;
  if (wants) await subscribe(teamId);
  await look();
  return {
    teamId,
    /** Runs of the workflow that succeeded after this many minutes. */
    async history(...minutes: number[]) {
      for (const took of minutes) {
        const run = await kit.submit(teamId, "nightly", { start: true });
        await sql`
          update run set status = 'succeeded', phase = 'completed', activity = 'none', active_since = null,
            ended_at = started_at + make_interval(mins => ${took}) where team_id = ${teamId} and id = ${run.id}`;
      }
    },
    submit: (request: object = {}) => kit.submit(teamId, "nightly", { start: true, request }),
    statuses: async () => (await alertsOf(teamId)).map(({ status }) => status),
  };
}

/** A round that no other process has started. */
async function look() {
  await moveTime(sql, 30_000);
  await service.tick();
}

/** Advances the clock by this many minutes, with a round before and one after. */
async function after(minutes: number) {
  await look();
  await moveTime(sql, minutes * 60_000);
  await service.tick();
}

describe("a run", () => {
  test("is late once after its usual duration, and not before", async () => {
    const { teamId, history, submit, statuses } = await team();
    await history(20, 20, 20, 20, 20);
    const run = await submit();
    await after(28);
    expect(await statuses()).toEqual([]);
    await after(3);
    const [alert] = await alertsOf(teamId);
    expect(alert).toMatchObject({ status: "run_late", objectId: run.id, laneId: run.id });
    expect(alert!.data).toMatchObject({
      id: run.id,
      workflowName: "nightly",
      limit: "usual",
      usualDuration: 20 * 60_000,
      status: "running",
    });
    expect(alert!.data).toMatchObject({
      link: `/api/v2/team/${teamId}/workflowrun/${run.id}`,
      message: expect.stringContaining("is late: it has been running for 3"),
    });
    expect(alert!.data).not.toHaveProperty("params");
    await after(500);
    expect(await statuses()).toEqual(["run_late"]);
    expect(await sql`select 1 from alert_run where team_id = ${teamId}`).toHaveLength(0);
  });

  test("is not late while there are too few earlier runs, and is checked again when there are more", async () => {
    const { history, submit, statuses } = await team();
    await history(2, 2, 2, 2);
    await submit();
    await after(15);
    expect(await statuses()).toEqual([]);
    await history(2);
    await after(40);
    expect(await statuses()).toEqual(["run_late"]);
  });

  test("is late against the deadline of its workflow, counted from its submission, even in the queue", async () => {
    const { teamId, statuses } = await team({ annotations: { "millrace.dev/deadline": "2h" } });
    await sql`update team set max_concurrent_runs = 0 where id = ${teamId}`;
    await kit.submit(teamId, "nightly");
    await after(118);
    expect(await statuses()).toEqual([]);
    await after(3);
    expect((await alertsOf(teamId))[0]!.data).toMatchObject({
      limit: "deadline",
      status: "ready",
      message: expect.stringContaining("still in the queue"),
    });
  });

  test("has a deadline of its own before that of its workflow; `none` is no deadline", async () => {
    const { submit, statuses } = await team({ annotations: { "millrace.dev/deadline": "1m" } });
    await submit({ annotations: { "millrace.dev/deadline": "none" } });
    await submit({ annotations: { "millrace.dev/deadline": "3h" } });
    await after(170);
    expect(await statuses()).toEqual([]);
    await after(12);
    expect(await statuses()).toEqual(["run_late"]);
  });

  test("that has ended in time is forgotten", async () => {
    const { teamId, submit, statuses } = await team({ annotations: { "millrace.dev/deadline": "1h" } });
    const run = await submit();
    await after(5);
    expect(await sql`select 1 from alert_run where team_id = ${teamId}`).toHaveLength(1);
    await kit.driver.advance([{ teamId, id: run.id, events: [{ kind: "cancel", message: "enough" }] }]);
    await after(90);
    expect(await statuses()).toEqual([]);
    expect(await sql`select 1 from alert_run where team_id = ${teamId}`).toHaveLength(0);
  });

  test("that was late before anyone subscribed is not reported, and one that becomes late is", async () => {
    const { teamId, submit, statuses } = await team({ annotations: { "millrace.dev/deadline": "1h" }, wants: false });
    await submit();
    await moveTime(sql, 30 * 60_000);
    const younger = await submit();
    await moveTime(sql, 40 * 60_000);
    await subscribe(null);
    await after(30);
    expect((await alertsOf(teamId)).map(({ objectId }) => objectId)).toEqual([younger.id]);
    expect(await statuses()).toEqual(["run_late"]);
  });

  test("costs nothing while nobody subscribes to alerts: nothing is stored", async () => {
    const { teamId, submit, statuses } = await team({ annotations: { "millrace.dev/deadline": "1m" }, wants: false });
    await subscribe(teamId, ["workflowrun"]);
    await submit();
    await after(30);
    expect(await statuses()).toEqual([]);
    expect(await sql`select 1 from alert_team`).toHaveLength(0);
    expect(await sql`select 1 from instance where alerts_checked_at > (select db_now()) - interval '29 minutes'`).toHaveLength(0);
  });

  test("that is being written is checked in the next round", async () => {
    const { teamId, submit, statuses } = await team({ annotations: { "millrace.dev/deadline": "1m" } });
    const run = await submit();
    await look();
    await sql.begin(async (tx) => {
      await tx`select 1 from run where team_id = ${teamId} and id = ${run.id} for no key update`;
      await after(5);
    });
    expect(await statuses()).toEqual([]);
    await look();
    expect(await statuses()).toEqual(["run_late"]);
  });

  test("gets one alert from many concurrent processes, and a round that fails midway loses or doubles none", async () => {
    const { teamId, submit, statuses } = await team({ annotations: { "millrace.dev/deadline": "1h" } });
    const runs = await Promise.all(Array.from({ length: 12 }, () => submit()));
    await look();
    await look();
    await moveTime(sql, 61 * 60_000);
    await sql`alter table change_event add constraint refuse check (kind <> 'alert') not valid`;
    await service.tick().catch(() => undefined);
    await sql`alter table change_event drop constraint refuse`;
    expect(await statuses()).toEqual([]);
    expect(await sql`select 1 from alert_run where team_id = ${teamId}`).toHaveLength(12);
    const pools = Array.from({ length: 4 }, () => createPool(address, { maxConnections: 2 }));
    await moveTime(sql, 6 * 60_000);
    await Promise.all(pools.map((pool) => createAlertService(pool, kit.context.settings, createLog("silent")).tick()));
    await look();
    expect((await alertsOf(teamId)).map(({ objectId }) => objectId).sort()).toEqual(runs.map(({ id }) => id).sort());
    await Promise.all(pools.map((pool) => pool.end({ timeout: 1 })));
  });
});

test("runs with a failing statement block nobody: others get their alerts, and they get theirs later", async () => {
  const { teamId: hostile, submit } = await team({ annotations: { "millrace.dev/deadline": "1h" } });
  const { submit: submitOther, statuses } = await team({ annotations: { "millrace.dev/deadline": "1h" } });
  const bad = await Promise.all(Array.from({ length: 3 }, () => submit()));
  await submitOther();
  await submit();
  await after(5);
  // No member can be extracted from it.
  const unreadable = String.raw`{"odd": "\ud800"}`;
  for (const { id } of bad) await sql`update run set annotations = ${unreadable}::json where team_id = ${hostile} and id = ${id}`;
  await after(61);
  expect(await statuses()).toEqual(["run_late"]);
  expect(await alertsOf(hostile)).toHaveLength(1);
  for (const { id } of bad) await sql`update run set annotations = '{}' where team_id = ${hostile} and id = ${id}`;
  await after(6);
  expect(await alertsOf(hostile)).toHaveLength(4);
});

describe("a queue", () => {
  test("alerts once while it is late, recovers once, and then alerts again", async () => {
    const { teamId, statuses } = await team();
    const worker = await kit.worker();
    const first = await kit.submit(teamId, "build", { start: true });
    await after(14);
    expect(await statuses()).toEqual([]);
    await after(2);
    const [task] = await kit.tasks(teamId, first.id);
    const [alert] = await alertsOf(teamId);
    expect(alert).toMatchObject({ status: "queue_late", objectId: teamId, laneId: teamId });
    expect(alert!.data).toMatchObject({ taskRunRef: expect.any(String), workflowRunRef: first.id, waiting: 1, executor: "process" });
    expect(alert!.data).toMatchObject({ message: expect.stringContaining("waiting for 1"), link: expect.stringContaining("/taskrun/") });
    expect(task).toBeDefined();
    await kit.submit(teamId, "build", { start: true });
    await after(10);
    expect(await statuses()).toEqual(["queue_late"]);
    await kit.claim(worker, teamId);
    await look();
    expect(await statuses()).toEqual(["queue_late"]);
    await kit.claim(worker, teamId);
    await look();
    expect(await statuses()).toEqual(["queue_late", "queue_recovered"]);
    await kit.submit(teamId, "build", { start: true });
    await after(16);
    expect(await statuses()).toEqual(["queue_late", "queue_recovered", "queue_late"]);
  });

  test("is late by its oldest task run, wherever that runs", async () => {
    const { teamId, statuses } = await team();
    await kit.submit(teamId, "build", { start: true });
    await sql`update task_run set place = 'zzz' where team_id = ${teamId} and claimable_at is not null`;
    await moveTime(sql, 10 * 60_000);
    await kit.submit(teamId, "build", { start: true });
    await after(6);
    expect(await statuses()).toEqual(["queue_late"]);
    expect((await alertsOf(teamId))[0]!.data).toMatchObject({ waiting: 2, message: expect.stringMatching(/waiting for 1[67] min/) });
  });
});

test("wherever a round dies, each alert comes once", async () => {
  let isReached = true;
  let points = 0;
  for (; isReached; points++) {
    const { teamId, statuses } = await team();
    await kit.workflow(teamId, "slow", works);
    await kit.submit(teamId, "slow", { start: true, request: { annotations: { "millrace.dev/deadline": "1m" } } });
    await moveTime(sql, 20 * 60_000);
    const dying = dyingAt(points);
    await createAlertService(dying.sql, kit.context.settings, createLog("silent"))
      .tick()
      .catch(() => undefined);
    isReached = dying.isReached();
    await look();
    await look();
    expect([points, ...(await statuses()).sort()]).toEqual([points, "queue_late", "run_late"]);
    await sql`delete from subscription where team_id = ${teamId}`;
  }
  expect(points).toBeGreaterThan(15);
});

/** The database for a process that dies before its nth statement: whatever it has not committed is rolled back. */
function dyingAt(nth: number): { sql: Database; isReached: () => boolean } {
  let sent = 0;
  const counting = <T extends Database | Transaction>(target: T): T =>
    new Proxy(target, {
      apply(one, self, parts) {
        if (sent++ >= nth) throw new Error("the process died");
        return Reflect.apply(one as Database, self, parts);
      },
      get(one, name, self) {
        if (name !== "begin") return Reflect.get(one, name, self);
        return (mode: string, work: (tx: Transaction) => Promise<unknown>) => sql.begin(mode, (tx) => work(counting(tx as Transaction)));
      },
    });
  return { sql: counting(sql), isReached: () => sent > nth };
}
