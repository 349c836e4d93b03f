import { afterAll, describe, expect, test } from "vitest";
import { type SubmitInput, submitRun } from "../../../../src/domain/run/submit-run.ts";
import { createPool } from "../../../../src/store/database/database.ts";
import { transaction } from "../../../../src/store/database/transaction.ts";
import { listSlotWaits } from "../../../../src/store/run/limits/run-slots.ts";
import { testDatabase } from "../../../kit/database.ts";
import { engineKit } from "../../../kit/engine-kit.ts";
import { node, workflow } from "../../../kit/run-simulator.ts";
import { until } from "../../../kit/until.ts";

/** Every event is in exactly one run, on real parallel connections; every engine has its own pool, as a process would. */

const { sql, address } = await testDatabase();
const kit = engineKit(sql);
const engines = Array.from({ length: 3 }, () => {
  const pool = createPool(address, { maxConnections: 8 });
  afterAll(() => pool.end({ timeout: 1 }));
  return engineKit(pool);
});
const engineAt = (index: number) => engines[index % engines.length] as (typeof engines)[number];
const waits = workflow(node("wait", "eventwait", ["start"], { params: [{ name: "topic", value: "go" }] }));
const key = "$(params.customer)";
const events = { name: "events", type: "json" };
const batchOf = (size: number, more: object = {}) => ({ params: [events], batch: { key, size, period: "1h", param: "events", ...more } });

async function collecting(document: Record<string, unknown>) {
  const team = await kit.team();
  await kit.workflow(team, "collects", waits, document);
  const send = (customer: string, index = 0, more: Partial<SubmitInput> = {}, engine = kit) => {
    const params = [
      { name: "customer", value: customer },
      { name: "index", value: index },
    ];
    return engine.submit(team, "collects", { request: { params }, isEvent: true, ...more });
  };
  const cancel = (id: string, engine = kit) => engine.driver.advance([{ teamId: team, id, events: [{ kind: "cancel", message: "over" }] }]);
  const runs = () =>
    sql<{ id: string; phase: string; heldFor: string | null; status: string; layers: Record<string, Record<string, unknown>> }[]>`
      select id, phase, held_for as "heldFor", status, layers from run where team_id = ${team} order by id`;
  const listOf = async (id: string) => {
    const found = (await runs()).find((run) => run.id === id);
    return (found?.layers["workflow"]?.["events"] as { index: number }[] | undefined)?.map(({ index }) => index);
  };
  const waitOf = async (id: string) => (await listSlotWaits(sql, team, [id])).get(id);
  const makeDue = () =>
    sql`with c as (update run_collection set due_at = db_now() where team_id = ${team}) update run_wake set due_at = db_now() where team_id = ${team}`;
  const left = async () => {
    const [row] = await sql<{ open: number; collected: number; wakes: number }[]>`
      select (select count(*)::int from run_collection where team_id = ${team}) as open,
        (select count(*)::int from run_collected where team_id = ${team}) as collected,
        (select count(*)::int from run_wake where team_id = ${team} and due_at <= db_now()) as wakes`;
    return row;
  };
  return { team, send, cancel, runs, listOf, waitOf, makeDue, left };
}

describe("a batch", () => {
  test("starts at its size with the list of its events, in their order, and the next event opens another", async () => {
    const made = await collecting(batchOf(3));
    const sent = [];
    for (let index = 0; index < 4; index++) sent.push((await made.send("acme", index)).id);
    expect(new Set(sent.slice(0, 3)).size).toBe(1);
    expect(sent[3]).not.toBe(sent[0]);
    await kit.settle();
    const [first, second] = await made.runs();
    expect([first?.phase, second?.phase]).toEqual(["running", "pending"]);
    expect(await made.listOf(sent[0] as string)).toEqual([0, 1, 2]);
    expect(first?.layers["workflow"]).toMatchObject({ customer: "acme", index: 0 });
    expect(await made.waitOf(sent[3] as string)).toMatch(/^Waiting for more events: 1 of 3, starts at the latest in \d+ s$/);
  });

  test("starts when its time is over, also before an engine has checked", async () => {
    const made = await collecting(batchOf(10));
    const first = await made.send("acme", 0);
    await made.send("acme", 1);
    await made.makeDue();
    const late = await made.send("acme", 2);
    expect(late.id).not.toBe(first.id);
    await kit.settle();
    expect(await made.listOf(first.id)).toEqual([0, 1]);
    await made.makeDue();
    await kit.settle();
    expect((await made.runs()).map(({ phase }) => phase)).toEqual(["running", "running"]);
    expect(await made.left()).toEqual({ open: 0, collected: 0, wakes: 0 });
  });

  test("masks secrets in its list, and refuses a list that an event brings", async () => {
    const made = await collecting(batchOf(1));
    const { id } = await made.send("acme", 7, { secretParams: new Set(["index"]) });
    expect(await made.listOf(id)).toEqual(["******"]);
    const brings = { request: { params: [{ name: "events", value: [1] }] } };
    await expect(made.send("acme", 0, brings)).rejects.toThrow(/parameter "events" gets the list of the batch; leave it out/);
    const alone = await made.send("acme", 0, { ...brings, start: true });
    expect((await made.runs()).find((run) => run.id === alone.id)?.layers["workflow"]?.["events"]).toEqual([1]);
  });

  test("whose list is full starts early", async () => {
    const made = await collecting(batchOf(1000));
    const large = { request: { params: [{ name: "text", value: "x".repeat(1_500_000) }] } };
    const ids = [];
    for (let index = 0; index < 3; index++) ids.push((await made.send("acme", 0, large)).id);
    expect(new Set(ids).size).toBe(2);
    await kit.settle();
    expect((await made.runs()).map(({ heldFor }) => heldFor)).toEqual([null, "events"]);
  });

  test("of an earlier version starts with the first event of the next one", async () => {
    const made = await collecting(batchOf(10));
    const first = await made.send("acme", 0);
    await sql`update run_collection set workflow_version_id = new_id() where team_id = ${made.team}`;
    expect((await made.send("acme", 1)).id).not.toBe(first.id);
    await kit.settle();
    expect((await made.runs()).map(({ phase }) => phase)).toEqual(["running", "pending"]);
  });

  test("asks for its slot when it takes no more events", async () => {
    const made = await collecting({ ...batchOf(2), concurrency: { key, max: 1 } });
    const ids = new Set<string>();
    for (let index = 0; index < 4; index++) ids.add((await made.send("acme", index)).id);
    await kit.settle();
    const [first, second] = await made.runs();
    expect([first?.phase, second?.heldFor]).toEqual(["running", "slot"]);
    await made.cancel(first?.id as string);
    await kit.settle();
    expect((await made.runs())[1]).toMatchObject({ phase: "running", heldFor: null });
    expect(await made.listOf(second?.id as string)).toEqual([2, 3]);
  });
});

describe("a debounce", () => {
  test("has the position in the queue that its last event asks for", async () => {
    const made = await collecting({ debounce: { key, period: "1h" }, priority: 8 });
    const minutes = async () => {
      const [row] = await sql<{ minutes: number }[]>`
        select round(extract(epoch from id_date(coalesce(queue_rank, id)) - id_date(id)) / 60)::int as minutes from run where team_id = ${made.team}`;
      return row?.minutes;
    };
    const given = (priority: number) => ({ request: { priority, params: [{ name: "customer", value: "acme" }] } });
    await made.send("acme");
    expect(await minutes()).toBe(-30);
    await made.send("acme", 1, given(3));
    expect(await minutes()).toBe(20);
    await made.send("acme", 2, given(5));
    expect(await minutes()).toBe(0);
  });

  const document = { debounce: { key, period: "1h", maxWait: "2h" } };

  test("starts one run with the last event, and each event moves its time", async () => {
    const made = await collecting(document);
    const first = await made.send("acme", 0);
    const other = await made.send("globex", 5);
    await made.makeDue();
    await sql`update run_collection set due_at = db_now() + interval '3 s' where team_id = ${made.team}`;
    expect((await made.send("acme", 1)).id).toBe(first.id);
    await kit.settle();
    expect((await made.runs()).map(({ heldFor }) => heldFor)).toEqual(["events", "events"]);
    expect(await made.waitOf(first.id)).toMatch(
      /^Waiting for more events: 2 so far, starts in 3600 s if no more come, in 7\d\d\d s at the latest$/,
    );
    await made.makeDue();
    await kit.settle();
    const runs = await made.runs();
    expect(runs.map(({ id, phase, layers }) => [id, phase, layers["workflow"]?.["index"]])).toEqual([
      [first.id, "running", 1],
      [other.id, "running", 5],
    ]);
  });

  test("starts at its maximum wait, although events keep arriving", async () => {
    const made = await collecting(document);
    const first = await made.send("acme", 0);
    await sql`update run_collection set last_at = db_now() + interval '5 s' where team_id = ${made.team}`;
    await made.send("acme", 1);
    const [row] = await sql<{ isLast: boolean }[]>`select due_at = last_at as "isLast" from run_collection where team_id = ${made.team}`;
    expect(row?.isLast).toBe(true);
    expect(await made.waitOf(first.id)).toMatch(/^Waiting for more events: 2 so far, starts at the latest in [45] s$/);
  });

  test("keeps who sent the earlier events among those whose run it is", async () => {
    const made = await collecting(document);
    const { id } = await made.send("acme", 0, { initiatedBy: "user:1" });
    await made.send("acme", 1, { initiatedBy: "user:2" });
    await made.send("acme", 2, { initiatedBy: "user:2" });
    expect(await sql`select initiated_by, amended_by from run where team_id = ${made.team} and id = ${id}`).toMatchObject([
      { initiated_by: "user:1", amended_by: ["user:2"] },
    ]);
  });
});

describe("a run that collects", () => {
  test("and is cancelled keeps its events and takes no more, and the next event opens another", async () => {
    const made = await collecting(batchOf(3));
    const first = await made.send("acme", 7);
    await made.send("acme", 8);
    await made.cancel(first.id);
    expect(await made.listOf(first.id)).toEqual([7, 8]);
    expect(await made.left()).toEqual({ open: 0, collected: 0, wakes: 0 });
    const next = await made.send("acme", 1);
    expect(next.id).not.toBe(first.id);
    await made.send("acme", 2);
    await made.send("acme", 3);
    await kit.settle();
    expect(await made.listOf(next.id)).toEqual([1, 2, 3]);
  });

  test("is not shared: a run that must start immediately, or without an event, runs alone", async () => {
    const made = await collecting(batchOf(3));
    const first = await made.send("acme", 0);
    expect((await made.send("acme", 1, { start: true })).id).not.toBe(first.id);
    const alone = await made.send("acme", 2, { isEvent: false });
    expect(alone.id).not.toBe(first.id);
    expect(await made.listOf(alone.id)).toEqual([2]);
  });

  test("leaves nothing when its row is deleted", async () => {
    const made = await collecting(batchOf(3));
    const { id } = await made.send("acme", 0);
    await made.send("globex", 0);
    await sql`delete from task_run where team_id = ${made.team} and run_id = ${id}`;
    await sql`delete from run where team_id = ${made.team} and id = ${id}`;
    expect(await made.left()).toMatchObject({ open: 1, collected: 1 });
  });

  test("counts once in the monthly quota, and takes events when that is used up", async () => {
    const team = await kit.team({ maxWorkflowRunMonthly: 1 });
    await kit.workflow(team, "collects", waits, { params: [events], batch: { size: 2, period: "1h", param: "events" } });
    const first = await kit.submit(team, "collects", { isEvent: true });
    expect((await kit.submit(team, "collects", { isEvent: true })).id).toBe(first.id);
    await expect(kit.submit(team, "collects", { isEvent: true })).rejects.toThrow(/maxWorkflowRunMonthly/);
  });
});

describe("each event is in exactly one run", () => {
  const count = 120;

  test.each([1, 7])("in batches of %i, while runs start and are cancelled concurrently", async (size) => {
    const made = await collecting(batchOf(size));
    const answered = new Map<number, string>();
    await Promise.all(
      Array.from({ length: count }, async (_, index) => {
        const engine = engineAt(index);
        answered.set(index, (await made.send(index % 2 === 0 ? "a" : "b", index, {}, engine)).id);
        await engine.driver.tick();
        if (index % 20 === 9) await made.cancel(answered.get(index) as string, engine);
      }),
    );
    await until(async () => {
      await made.makeDue();
      await Promise.all(engines.map(({ driver }) => driver.tick()));
      return (await made.left())?.open === 0;
    }, "every run takes no more events");
    const runs = await made.runs();
    const inRuns = new Map<number, string>();
    for (const run of runs) {
      const list = run.layers["workflow"]?.["events"] as { index: number }[];
      expect(list.length).toBeLessThanOrEqual(size);
      for (const { index } of list) {
        expect(inRuns.has(index)).toBe(false);
        inRuns.set(index, run.id);
      }
    }
    expect(Object.fromEntries(inRuns)).toEqual(Object.fromEntries(answered));
    expect(await made.left()).toMatchObject({ open: 0, collected: 0 });
  });

  test("in a debounce: all of a key that come together are one run", async () => {
    const made = await collecting({ debounce: { key, period: "1h" } });
    const ids = await Promise.all(
      Array.from({ length: 60 }, async (_, index) => (await made.send(index % 2 === 0 ? "a" : "b", index, {}, engineAt(index))).id),
    );
    expect(new Set(ids).size).toBe(2);
    expect(await sql`select events from run_collection where team_id = ${made.team}`).toMatchObject([{ events: 30 }, { events: 30 }]);
  });

  test("when the transaction that brought an event never commits", async () => {
    const made = await collecting(batchOf(2));
    const broken = new Error("the process dies");
    const dies = () =>
      expect(
        transaction(sql, async (tx) => {
          const request = { params: [{ name: "customer", value: "acme" }] };
          await submitRun(tx, kit.context, {
            teamId: made.team,
            workflow: "collects",
            request,
            start: false,
            initiatedBy: "test",
            isEvent: true,
          });
          throw broken;
        }),
      ).rejects.toThrow(broken);
    await dies();
    expect(await made.left()).toEqual({ open: 0, collected: 0, wakes: 0 });
    const { id } = await made.send("acme", 0);
    await dies();
    expect((await made.send("acme", 1)).id).toBe(id);
    await kit.settle();
    expect(await made.listOf(id)).toEqual([0, 1]);
  });
});
