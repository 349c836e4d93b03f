import { expect, test } from "vitest";
import { transaction } from "../../../src/store/database/transaction.ts";
import { purgeRuns } from "../../../src/store/workflow/workflow-deletion.ts";
import { type TestAnswer, testApp } from "../../kit/app.ts";
import { type Removal, removals, usesOfEndedRun } from "../../kit/data/race-removals.ts";
import { type RaceRequest, RaceWorld } from "../../kit/data/race-world.ts";
import { until } from "../../kit/until.ts";

/**
 * Something is deleted while another request changes it, or creates something below it. Both requests have checked everything and written,
 * and none has committed: a lock on the table of audit records, which each writes last, stops them there. So the second one meets rows that
 * the first has changed, in the moment in which it still sees the old ones. Whatever the order, both responses are clear, and never a 5xx.
 */
const app = await testApp({ database: { maxConnections: 24 } });
const atOnce = 8;
await app.as().post("/api/v2/task", { name: "manual-approval", type: "approval", spec: {} });
await app.as().post("/api/v2/task", { name: "work", type: "template", spec: { script: "true" } });

interface Pair {
  name: string;
  first: RaceRequest;
  second: RaceRequest;
}

type Raced = { name: string; first: TestAnswer; second: TestAnswer };

/** Each pair has a team of its own, so that pairs that race at once don't wait for each other. */
async function pairOf([name, use]: [string, Removal["remove"]], { remove }: Removal, isRemovedFirst: boolean): Promise<Pair> {
  const world = new RaceWorld(app, await app.make.team());
  const used = await use(world);
  const removed = await remove(world);
  return isRemovedFirst ? { name, first: removed, second: used } : { name, first: used, second: removed };
}

/** Sends requests, and says whether all that have not ended wait for a lock. */
function openRequests() {
  let count = 0;
  return {
    send: ([method, path, body, by = app.as()]: RaceRequest): Promise<TestAnswer> => {
      count += 1;
      return by.send(method, path, body).finally(() => {
        count -= 1;
      });
    },
    // By the pool: within a transaction the activity stays what it was at the first look.
    doAllWait: async () =>
      (await app.sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`).length >= count,
  };
}

async function race(pairs: readonly Pair[]): Promise<Raced[]> {
  const open = openRequests();
  const answers: Promise<TestAnswer>[] = [];
  await transaction(app.sql, async (tx) => {
    await tx`lock table audit in share row exclusive mode`;
    for (const turn of ["first", "second"] as const) {
      answers.push(...pairs.map((pair) => open.send(pair[turn])));
      await until(open.doAllWait, `each ${turn} request waits, or has ended`, 20_000);
    }
  });
  const all = await Promise.all(answers);
  return pairs.map(({ name }, index) => ({ name, first: all[index]!, second: all[index + pairs.length]! }));
}

/** A refusal names what it refuses. Only the last resort for a violated constraint doesn't. */
function isClear({ status, body }: TestAnswer): boolean {
  if (status < 300) return true;
  return status < 500 && typeof body.code === "number" && !/has just been created or deleted; try again$/.test(body.message);
}

const line = ({ status, body }: TestAnswer) => `${status} ${status < 300 ? "" : `${body?.reason}: ${body?.message}`}`;
const cases = Object.entries(removals).flatMap(([what, removal]) => [
  [`${what} is deleted, and then used`, removal, true] as const,
  [`${what} is used, and then deleted`, removal, false] as const,
]);

test.each(cases)("%s, before either is committed", async (_, removal, isRemovedFirst) => {
  const uses = Object.entries(removal.uses);
  for (let at = 0; at < uses.length; at += atOnce) {
    const pairs = await Promise.all(uses.slice(at, at + atOnce).map((use) => pairOf(use, removal, isRemovedFirst)));
    for (const { name, first, second } of await race(pairs)) {
      const both = `${name}: ${line(first)}, then ${line(second)}`;
      expect([first, second].every(isClear), both).toBe(true);
      expect(Math.min(first.status, second.status), `one of both succeeds: ${both}`).toBeLessThan(300);
      // A request that is wrong in itself would test nothing.
      if (!isRemovedFirst) expect(first.status, both).not.toBe(400);
    }
  }
  await expectSound();
});

test("a run is used while history removes it", async () => {
  const made = await Promise.all(
    Object.entries(usesOfEndedRun).map(async ([name, use]) => {
      const team = await app.make.team();
      const world = new RaceWorld(app, team);
      const request = await use(world);
      return { name, teamId: team.id, request, runId: (await world.endedRun()).split("/").at(-1)! };
    }),
  );
  let answers: Promise<TestAnswer>[] = [];
  await transaction(app.sql, async (tx) => {
    for (const { teamId, runId } of made) {
      await tx`select from run where team_id = ${teamId} and id = ${runId} for update`;
      await purgeRuns(tx, teamId, [runId]);
    }
    const open = openRequests();
    answers = made.map(({ request }) => open.send(request));
    await until(open.doAllWait, "each request waits, or has ended", 20_000);
  });
  for (const [index, answer] of (await Promise.all(answers)).entries()) {
    expect(isClear(answer), `${made[index]?.name}: ${line(answer)}`).toBe(true);
  }
  const left = await app.sql`
    select c.id from run_comment c where not exists (select from run r where r.team_id = c.team_id and r.id = c.run_id)
    union all
    select a.run_id from run_acknowledgement a where not exists (select from run r where r.team_id = a.team_id and r.id = a.run_id)`;
  expect(left).toEqual([]);
});

/** What a deletion must not leave behind, whatever came at the same moment. */
async function expectSound(): Promise<void> {
  const schedules = await app.sql`
    select s.id from schedule s join workflow w on w.team_id = s.team_id and w.id = s.workflow_id
    where w.deleted_at is not null and s.status = 'active'`;
  expect(schedules).toEqual([]);
  const runs = await app.sql`
    select r.id from run r join workflow w on w.team_id = r.team_id and w.id = r.workflow_id join team t on t.id = r.team_id
    where w.deleted_at is not null and t.deleted_at is null and r.phase in ('pending', 'queued', 'running')
      and not starts_with(w.name, 'try~')
      and not exists (select from run_signal s where s.team_id = r.team_id and s.run_id = r.id)`;
  expect(runs).toEqual([]);
}
