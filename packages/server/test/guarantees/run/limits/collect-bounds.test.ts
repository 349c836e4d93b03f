import { afterAll, describe, expect, test } from "vitest";
import { type SubmitInput, submitRun } from "../../../../src/domain/run/submit-run.ts";
import { createPool } from "../../../../src/store/database/database.ts";
import { transaction } from "../../../../src/store/database/transaction.ts";
import { testDatabase } from "../../../kit/database.ts";
import { engineKit } from "../../../kit/engine-kit.ts";
import { node, workflow } from "../../../kit/run-simulator.ts";

/** What runs that collect events cost and leave behind, and what happens when their workflow changes in the meantime. */

const { sql, address } = await testDatabase();
const kit = engineKit(sql);
const waits = workflow(node("wait", "eventwait", ["start"], { params: [{ name: "topic", value: "go" }] }));
const key = "$(params.customer)";
const batchOf = (size: number) => ({ params: [{ name: "events", type: "json" }], batch: { key, size, period: "1h", param: "events" } });

async function collecting(document: Record<string, unknown>, quotas = {}) {
  const team = await kit.team(quotas);
  const workflowId = await kit.workflow(team, "collects", waits, document);
  const inputOf = (customer: string, more: Partial<SubmitInput> = {}): SubmitInput => ({
    ...{ teamId: team, workflow: "collects", start: false, initiatedBy: "test", isEvent: true },
    request: { params: [{ name: "customer", value: customer }] },
    ...more,
  });
  const send = async (customer: string, more: Partial<SubmitInput> = {}) =>
    (await kit.submit(team, "collects", inputOf(customer, more))).id;
  const count = async (table: "run_wake" | "run_collection" | "run_collected") =>
    (await sql<{ count: number }[]>`select count(*)::int as count from ${sql(table)} where team_id = ${team}`)[0]?.count;
  const phases = async () =>
    (await sql<{ phase: string }[]>`select phase from run where team_id = ${team} order by id`).map((run) => run.phase);
  const makeDue = () =>
    sql`with c as (update run_collection set due_at = db_now() where team_id = ${team}) update run_wake set due_at = db_now() where team_id = ${team}`;
  return { team, workflowId, inputOf, send, count, phases, makeDue };
}

describe("scheduled checks", () => {
  test("exist once for a collecting run, and not for runs that no longer collect", async () => {
    const made = await collecting(batchOf(2));
    for (let index = 0; index < 9; index++) await made.send("acme");
    expect(await made.count("run_wake")).toBe(1);
    const last = await made.send("globex");
    await kit.driver.advance([{ teamId: made.team, id: last, events: [{ kind: "cancel", message: "over" }] }]);
    expect(await made.count("run_wake")).toBe(1);
  });

  test("are not added again by a check that is too early", async () => {
    const made = await collecting(batchOf(2));
    await made.send("acme");
    await sql`insert into run_wake (team_id, workflow_id, kind, key, due_at)
      select team_id, workflow_id, kind, key, db_now() from run_wake where team_id = ${made.team}`;
    await kit.settle();
    expect([await made.count("run_wake"), await made.phases()]).toEqual([1, ["pending"]]);
  });
});

describe("the row of a run that collects", () => {
  const known = Array.from({ length: 200 }, (_, index) => `user:${index}`);

  test.each([
    ["workflows that led to it", sql`lineage = ${uuids(0, 100)}::uuid[]`, { lineage: uuids(3, 4) }, { lineage: uuids(200, 1) }],
    ["senders", sql`amended_by = ${known}`, { initiatedBy: "user:7" }, { initiatedBy: "user:200" }],
  ])("has a bound for its %s: one more opens the next run, and a known one doesn't", async (_, full, knownOne, oneMore) => {
    const made = await collecting({ debounce: { key, period: "1h" } });
    const first = await made.send("acme");
    await sql`update run set ${full} where team_id = ${made.team}`;
    expect(await made.send("acme", knownOne)).toBe(first);
    expect(await made.send("acme", oneMore)).not.toBe(first);
    await kit.settle();
    expect([await made.phases(), await made.count("run_collection")]).toEqual([["running", "pending"], 1]);
  });
});

describe("two transactions with events for the same keys", () => {
  test("both commit, in any order", async () => {
    const made = await collecting(batchOf(100));
    const pools = [0, 1].map(() => createPool(address, { maxConnections: 2 }));
    afterAll(() => Promise.all(pools.map((pool) => pool.end({ timeout: 1 }))));
    for (let round = 0; round < 4; round++) {
      await Promise.all(
        pools.map((pool, index) =>
          transaction(pool, async (tx) => {
            for (const customer of index === 0 ? ["a", "b"] : ["b", "a"]) await submitRun(tx, kit.context, made.inputOf(customer));
          }),
        ),
      );
    }
    expect(await sql`select key, events from run_collection where team_id = ${made.team} order by key`).toMatchObject([
      { events: 8 },
      { events: 8 },
    ]);
  });
});

describe("a workflow that changes while its run collects", () => {
  test.each([
    ["inactive", sql`status = 'inactive'`, /inactive|not active/i],
    ["archived", sql`status = 'inactive', archived_at = db_now()`, /archived/i],
  ])("and is %s takes no more events, and what it took starts", async (_, change, refused) => {
    const made = await collecting(batchOf(5));
    await made.send("acme");
    await sql`update workflow set ${change} where id = ${made.workflowId}`;
    await expect(made.send("acme")).rejects.toThrow(refused);
    await made.makeDue();
    await kit.settle();
    expect([await made.phases(), await made.count("run_collected")]).toEqual([["running"], 0]);
  });

  test("loses no event that arrived before one that a quota refuses", async () => {
    const made = await collecting(batchOf(5), { maxWorkflowRunMonthly: 1 });
    await made.send("acme");
    await made.makeDue();
    await expect(made.send("acme")).rejects.toThrow(/maxWorkflowRunMonthly/);
    await kit.settle();
    expect([await made.phases(), await made.count("run_collection"), await made.count("run_wake")]).toEqual([["running"], 0, 0]);
  });
});

function uuids(from: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `00000000-0000-7000-8000-${String(from + index).padStart(12, "0")}`);
}
