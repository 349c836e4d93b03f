import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { reservedSlots, slotsToTake } from "../../../src/core/worker/slot-shares.ts";
import { type Claim, claimTaskRuns } from "../../../src/store/worker/workers.ts";
import { testDatabase } from "../../kit/database.ts";
import { engineKit } from "../../kit/engine-kit.ts";
import { node, workflow } from "../../kit/run-simulator.ts";

/** No team fills a worker: how the claim in the database applies the rule of `core/worker/slot-shares.ts`. */
const { sql } = await testDatabase();
const kit = engineKit(sql);
const script = { params: [{ name: "script", value: "true" }] };

/** A team with this many task runs that wait to be claimed. */
async function teamWith(count: number): Promise<string> {
  const team = await kit.team();
  const nodes = Array.from({ length: count }, (_, index) => node(`n${index}`, "script", ["start"], script));
  await kit.workflow(team, "wide", workflow(...nodes));
  await kit.submit(team, "wide");
  await kit.settle();
  return team;
}

/** Claims as a worker does: for the free slots, until nothing is left to claim. */
async function claimAll(workerId: string, free: number, slots: number): Promise<Claim[]> {
  const claims: Claim[] = [];
  for (;;) {
    const more = await claimTaskRuns(sql, workerId, free - claims.length, ["process"], [], reservedSlots(slots));
    if (more.length === 0) return claims;
    claims.push(...more);
  }
}

async function clear(): Promise<void> {
  await sql`truncate team cascade`;
  await sql`truncate worker cascade`;
}

describe("a worker", () => {
  test("gives all its slots to a single team", async () => {
    await clear();
    await teamWith(30);
    expect(await claimAll(await kit.worker({ slots: 16 }), 16, 16)).toHaveLength(16);
  });

  test("keeps a quarter for later teams, in each worker", async () => {
    await clear();
    const greedy = await teamWith(60);
    await kit.team();
    const workers = [await kit.worker({ slots: 16 }), await kit.worker({ slots: 16 })];
    for (const worker of workers) expect(await claimAll(worker, 16, 16)).toHaveLength(12);
    const late = await teamWith(30);
    const third = await teamWith(1);
    for (const worker of workers) await claimAll(worker, 4, 16);
    const held = await sql<{ team: string; held: number }[]>`
      select team_id as team, count(*)::int as held from task_run where status = 'running' group by team_id`;
    const heldBy = (team: string) => held.find((row) => row.team === team)?.held;
    expect([heldBy(greedy), heldBy(third)]).toEqual([24, 1]);
    expect(heldBy(late)).toBeGreaterThanOrEqual(3);
  });

  test("keeps it under concurrent claims", async () => {
    await clear();
    await teamWith(120);
    await kit.team();
    const workers = await Promise.all(Array.from({ length: 2 }, () => kit.worker({ slots: 16 })));
    const claims = await Promise.all(
      Array.from({ length: 24 }, (_, index) => claimTaskRuns(sql, workers[index % 2] as string, 3, ["process"], [], reservedSlots(16))),
    );
    expect(claims.flat()).toHaveLength(24);
  });
});

test("the claim in the database follows the same rule", { timeout: 60_000 }, async () => {
  const loads = fc.record({
    slots: fc.integer({ min: 1, max: 24 }),
    held: fc.array(fc.integer({ min: 0, max: 8 }), { minLength: 1, maxLength: 4 }),
  });
  await fc.assert(
    fc.asyncProperty(loads, async ({ slots, held }) => {
      await clear();
      const teams: string[] = [];
      for (const _ of held) teams.push(await teamWith(25));
      const worker = await kit.worker({ slots });
      for (const [index, count] of held.entries()) {
        await sql`update task_run set status = 'running', phase = 'running', worker_id = ${worker}, claimable_at = null, attempt = 1
                  where id in (select id from task_run where team_id = ${teams[index] as string} and claimable_at is not null limit ${count})`;
      }
      const [asking = "", own = 0] = [teams[0], held[0]];
      await sql`update task_run set claimable_at = null where team_id <> ${asking}`;
      const busy = held.reduce((sum, count) => sum + count, 0);
      const otherHolders = held.slice(1).filter((count) => count > 0).length;
      const expected = slotsToTake({ slots, busy, held: own, otherHolders, hasSeveralTeams: teams.length > 1 });
      const claimed = await claimTaskRuns(sql, worker, 1000, ["process"], [], reservedSlots(slots));
      const isShared = teams.length > 1 && reservedSlots(slots) > 0;
      expect(claimed.length).toBe(isShared ? Math.min(expected, 25 - own) : 25 - own);
    }),
    { numRuns: 15 },
  );
});
