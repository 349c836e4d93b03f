import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type SubmitInput, submitRun } from "../../../../src/domain/run/submit-run.ts";
import { createPool } from "../../../../src/store/database/database.ts";
import { transaction } from "../../../../src/store/database/transaction.ts";
import { listSlotWaits } from "../../../../src/store/run/limits/run-slots.ts";
import { testDatabase } from "../../../kit/database.ts";
import { engineKit } from "../../../kit/engine-kit.ts";
import { node, workflow } from "../../../kit/run-simulator.ts";
import { until } from "../../../kit/until.ts";

/** Limits of runs hold on real parallel connections, whatever ends a run; every engine has its own pool, as a process would. */

const { sql, address } = await testDatabase();
const kit = engineKit(sql);
const engines = Array.from({ length: 4 }, () => {
  const pool = createPool(address, { maxConnections: 8 });
  afterAll(() => pool.end({ timeout: 1 }));
  return engineKit(pool);
});
const engineAt = (index: number) => engines[index % engines.length] as (typeof engines)[number];
const waits = workflow(node("wait", "eventwait", ["start"], { params: [{ name: "topic", value: "go" }] }));
const byCustomer = { key: "$(params.customer)", max: 1 };
const of = (customer: string, more: Partial<SubmitInput> = {}): Partial<SubmitInput> => ({
  request: { params: [{ name: "customer", value: customer }] },
  ...more,
});

async function limited(document: Record<string, unknown>) {
  const team = await kit.team();
  await kit.workflow(team, "limited", waits, document);
  const submit = (more: Partial<SubmitInput> = {}, engine = kit) => engine.submit(team, "limited", more);
  const cancel = (id: string, engine = kit) => engine.driver.advance([{ teamId: team, id, events: [{ kind: "cancel", message: "over" }] }]);
  const statusOf = async (id: string) => {
    const { status, phase, reason } = await kit.run(team, id);
    return [phase, status, ...(reason ? [reason] : [])].join(" ");
  };
  const running = async () => {
    const rows = await sql<{ id: string; key: string }[]>`
      select id, slot_key as key from run where team_id = ${team} and phase = 'running' order by id`;
    return rows;
  };
  const left = async () => {
    const [row] = await sql<{ slots: number; waiting: number; wakes: number }[]>`
      select (select count(*)::int from run_slot where team_id = ${team}) as slots,
        (select count(*)::int from run_waiting where team_id = ${team}) as waiting,
        (select count(*)::int from run_wake where team_id = ${team}) as wakes`;
    return row;
  };
  return { team, submit, cancel, statusOf, running, left };
}

describe("a run that finds no free slot", () => {
  test("waits, names the run with the slot, and starts when the slot is released", async () => {
    const made = await limited({ concurrency: byCustomer });
    const first = await made.submit(of("acme"));
    const second = await made.submit(of("acme"));
    const third = await made.submit(of("acme"));
    const other = await made.submit(of("globex"));
    await kit.settle();
    expect((await made.running()).map(({ id }) => id)).toEqual([first.id, other.id]);
    const texts = await listSlotWaits(sql, made.team, [second.id, third.id]);
    expect([...texts.values()].sort()).toEqual([
      `Waiting for a slot: 1 of 1 run of customer=acme is running: run ${first.id}`,
      `Waiting for a slot: 1 of 1 run of customer=acme is running: run ${first.id}; 1 run waits before it`,
    ]);
    await made.cancel(first.id);
    await kit.settle();
    expect((await made.running()).map(({ id }) => id)).toEqual([second.id, other.id]);
    for (const { id } of [second, third, other]) await made.cancel(id);
    await kit.settle();
    expect(await made.left()).toEqual({ slots: 0, waiting: 0, wakes: 0 });
  });

  test("is recorded as skipped, with the run that has the slot", async () => {
    const made = await limited({ concurrency: { ...byCustomer, onLimit: "skip" } });
    const first = await made.submit(of("acme"));
    const second = await made.submit(of("acme"));
    expect(await made.statusOf(second.id)).toBe("completed cancelled Skipped");
    expect((await kit.run(made.team, second.id)).statusMessage).toBe(`Skipped: 1 of 1 run of customer=acme is running: run ${first.id}`);
    await made.cancel(first.id);
    const third = await made.submit(of("acme"));
    await kit.settle();
    expect((await made.running()).map(({ id }) => id)).toEqual([third.id]);
  });

  test("cancels the oldest, and starts when that one is over", async () => {
    const made = await limited({ concurrency: { ...byCustomer, max: 2, onLimit: "cancelOldest" } });
    const runs = [];
    for (let index = 0; index < 5; index++) runs.push(await made.submit(of("acme")));
    await kit.settle();
    const statuses = await Promise.all(runs.map(({ id }) => made.statusOf(id)));
    expect(statuses).toEqual([...Array(3).fill("completed cancelled Superseded"), "running running", "running running"]);
    expect((await kit.run(made.team, runs[0]?.id as string)).statusMessage).toBe(
      `Cancelled for the newer run ${runs[4]?.id}: at most 2 of customer=acme may run`,
    );
  });

  test("releases its slot when the engine ends it while recording it", async () => {
    const team = await kit.team();
    await kit.workflow(team, "pure", workflow(), { concurrency: { max: 1, onLimit: "skip" } });
    for (let index = 0; index < 3; index++) {
      const { id } = await submitRun(
        sql,
        { ...kit.context, startsQueuedRuns: true },
        { teamId: team, workflow: "pure", request: {}, start: false, initiatedBy: "test" },
      );
      expect((await kit.run(team, id)).status).toBe("succeeded");
    }
    expect(await sql`select 1 from run_slot where team_id = ${team}`).toEqual([]);
  });

  test("is refused when it must start now", async () => {
    const made = await limited({ concurrency: { max: 1 } });
    const first = await made.submit();
    await expect(made.submit({ start: true })).rejects.toThrow(
      `The run can't start now: Waiting for a slot: 1 of 1 run of this workflow is running: run ${first.id}`,
    );
    expect(await made.left()).toEqual({ slots: 1, waiting: 0, wakes: 0 });
  });
});

describe("a key", () => {
  test("without a value is a key of its own, shared by such runs", async () => {
    const made = await limited({ concurrency: { ...byCustomer, onLimit: "skip" } });
    await made.submit();
    expect(await made.statusOf((await made.submit()).id)).toBe("completed cancelled Skipped");
    expect(await made.statusOf((await made.submit(of("acme"))).id)).toBe("pending ready");
  });

  test("is refused when it is too long, or holds a secret", async () => {
    const made = await limited({ concurrency: byCustomer });
    await expect(made.submit(of("a".repeat(257)))).rejects.toThrow(/has 257 characters for this run; it may have at most 256/);
    await expect(made.submit(of("hidden words", { secretParams: new Set(["customer"]) }))).rejects.toThrow(/has a secret as its value/);
  });
});

describe("the rate of starts", () => {
  /** When each slot of a rate was used: its row is deleted later. */
  beforeAll(async () => {
    await sql.unsafe(`
      create table slot_taken (team_id uuid, at timestamptz);
      create function note_taken() returns trigger language plpgsql as $$
        begin insert into slot_taken values (new.team_id, new.free_at); return null; end $$;
      create trigger note_taken after insert on run_slot for each row when (new.kind = 'rate') execute function note_taken()`);
  });

  test("holds in every period, and wakes the next run by a row", async () => {
    const made = await limited({ rate: { limit: 2, period: 1 } });
    for (let index = 0; index < 6; index++) await made.submit({}, engineAt(index));
    await until(async () => {
      await Promise.all(engines.map(({ driver }) => driver.tick()));
      return (await made.running()).length === 6;
    }, "all runs have started");
    const taken = await sql<{ at: Date }[]>`select at from slot_taken where team_id = ${made.team} order by at`;
    const times = taken.map(({ at }) => at.getTime());
    expect(times).toHaveLength(6);
    for (const [index, at] of times.slice(2).entries()) expect(at - (times[index] as number)).toBeGreaterThanOrEqual(1000);
  });

  test("comes after the slot", async () => {
    const made = await limited({ concurrency: { max: 1 }, rate: { limit: 1, period: "1h" } });
    const first = await made.submit();
    const second = await made.submit();
    await kit.settle();
    await made.cancel(first.id);
    await kit.settle();
    expect(await made.statusOf(second.id)).toBe("pending ready");
    expect((await listSlotWaits(sql, made.team, [second.id])).get(second.id)).toMatch(
      /^Waiting for the rate of starts: at most 1 in 1 h of this workflow; the next one starts at 20\d\d-/,
    );
  });
});

describe("the limit holds", () => {
  test.each([1, 3])("with at most %i of a key, while runs are submitted, end and start concurrently", async (max) => {
    const made = await limited({ concurrency: { key: "$(params.customer)", max } });
    const customers = ["a", "b", "c"];
    let most = 0;
    const submitted: string[] = [];
    const watch = async () => {
      const counts = await sql<{ count: number }[]>`
        select count(*)::int as count from run where team_id = ${made.team} and phase = 'running' group by slot_key`;
      most = Math.max(most, ...counts.map(({ count }) => count));
    };
    const seed = Array.from({ length: 60 }, (_, index) => index);
    await Promise.all(
      seed.map(async (index) => {
        const engine = engineAt(index);
        submitted.push((await made.submit(of(customers[index % 3] as string), engine)).id);
        await engine.driver.tick();
        if (index % 7 === 3) await made.cancel(submitted[index % submitted.length] as string, engine);
        await watch();
      }),
    );
    // Every run gets its turn: running ones are ended until none is left.
    await until(async () => {
      await Promise.all(engines.map(({ driver }) => driver.tick()));
      await watch();
      const open = await made.running();
      await Promise.all(open.map(({ id }, index) => made.cancel(id, engineAt(index))));
      const [row] = await sql<
        { count: number }[]
      >`select count(*)::int as count from run where team_id = ${made.team} and phase <> 'completed'`;
      return row?.count === 0;
    }, "every run has had its turn");
    expect(most).toBeLessThanOrEqual(max);
    expect(most).toBeGreaterThan(0);
    await until(async () => (await kit.driver.tick()) > 0 && (await made.left())?.wakes === 0, "nothing is left to look at");
    expect(await made.left()).toEqual({ slots: 0, waiting: 0, wakes: 0 });
  });

  test("when the transaction that took or released a slot never commits", async () => {
    const made = await limited({ concurrency: { max: 1 } });
    const broken = new Error("the process dies");
    await expect(
      transaction(sql, async (tx) => {
        await submitRun(tx, kit.context, { teamId: made.team, workflow: "limited", request: {}, start: false, initiatedBy: "test" });
        throw broken;
      }),
    ).rejects.toThrow(broken);
    expect(await made.left()).toEqual({ slots: 0, waiting: 0, wakes: 0 });
    const first = await made.submit();
    const second = await made.submit();
    await expect(
      transaction(sql, async (tx) => {
        await tx`update run set phase = 'completed', status = 'cancelled', ended_at = db_now() where team_id = ${made.team} and id = ${first.id}`;
        throw broken;
      }),
    ).rejects.toThrow(broken);
    await kit.settle();
    expect((await made.running()).map(({ id }) => id)).toEqual([first.id]);
    expect(await made.statusOf(second.id)).toBe("pending ready");
  });
});

describe("the order of the queue", () => {
  test("follows the priority, and a run gains a level in ten minutes", async () => {
    const team = await kit.team({ maxConcurrentRuns: 1 });
    for (const priority of [9, 5, 0]) await kit.workflow(team, `p${priority}`, waits, { priority });
    const low = await kit.submit(team, "p0");
    const middle = await kit.submit(team, "p5");
    const high = await kit.submit(team, "p9");
    const rows = await sql<{ id: string }[]>`
      select id from run where team_id = ${team} and phase = 'pending' and held_for is null order by coalesce(queue_rank, id), id`;
    expect(rows.map(({ id }) => id)).toEqual([high.id, middle.id, low.id]);
    const [row] = await sql<{ minutes: number }[]>`
      select round(extract(epoch from id_date(queue_rank) - id_date(id)) / 60)::int as minutes from run where team_id = ${team} and id = ${low.id}`;
    expect(row?.minutes).toBe(50);
  });

  test("can be set by a submission up to the priority of the workflow", async () => {
    const team = await kit.team();
    await kit.workflow(team, "p5", waits);
    const { id } = await kit.submit(team, "p5", { request: { priority: 4 } });
    const [row] = await sql<{ minutes: number }[]>`
      select round(extract(epoch from id_date(queue_rank) - id_date(id)) / 60)::int as minutes from run where id = ${id}`;
    expect(row?.minutes).toBe(10);
    await expect(kit.submit(team, "p5", { request: { priority: 6 } })).rejects.toThrow(/priority is 6, and that of the workflow is 5/);
  });
});
