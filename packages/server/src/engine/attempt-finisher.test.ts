import { beforeEach, expect, test } from "vitest";
import { testDatabase } from "../../test/kit/database.ts";
import { engineKit } from "../../test/kit/engine-kit.ts";
import { node, workflow } from "../../test/kit/run-simulator.ts";
import type { AttemptOutcome } from "../core/run/finish-task.ts";
import type { RunWork } from "../domain/run/advance-runs.ts";
import type { NextClaims } from "../store/run/run-changes.ts";
import type { Claim } from "../store/worker/workers.ts";
import { AttemptCompleter } from "./attempt-finisher.ts";

/**
 * The worker that ends a step of a chain begins with the next one in the same statement, and its row is written once. What others may see of it,
 * and whose turn it is, is as if it had been ready in between.
 */

// One connection, so that what it has written is counted as soon as it is asked to report.
const { sql } = await testDatabase({ maxConnections: 1 });
const kit = engineKit(sql);
const completer = new AttemptCompleter(kit);
const script = { params: [{ name: "script", value: ":" }] };

beforeEach(async () => {
  await sql`truncate team, task_run cascade`;
  await sql`truncate worker cascade`;
});

/** A run of scripts whose first one the worker has. */
async function chain(team: string, workerId: string, more: object = {}): Promise<Claim> {
  const name = `chain-${Math.random()}`;
  await kit.workflow(
    team,
    name,
    workflow(
      node("one", "script", ["start"], script),
      node("two", "script", ["one"], { ...script, ...more }),
      node("three", "script", ["two"], script),
    ),
  );
  await kit.submit(team, name);
  await kit.settle();
  const claim = await kit.claim(workerId, team);
  kit.context.states.claimed(claim, workerId);
  return claim;
}

async function endStep({ teamId, runId, id, attempt }: Claim, workerId: string, more: Partial<NextClaims> = {}) {
  const outcome: AttemptOutcome = { status: "succeeded", reason: "Succeeded", message: "", results: [] };
  const before = await countUpdates();
  const work: RunWork[] = [{ teamId, id: runId, events: [{ kind: "ended", taskRunId: id, attempt, outcome }] }];
  const claims = (await completer.complete(work, { workerId, wanted: 1, needs: ["process"], labels: [], ...more })) ?? [];
  const rows = await sql<{ name: string; status: string }[]>`
    select name, status, attempt, worker_id as "workerId", claimable_at as "claimableAt", ready_at is not null as "wasReady", started_at as "startedAt",
      extract(epoch from deadline_at - started_at)::int / 60 as minutes, timeout_minutes as timeout, due_at = deadline_at as "isDue"
    from task_run where run_id = ${runId} and name = 'two'`;
  return { claims, next: rows[0], updates: (await countUpdates()) - before };
}

async function countUpdates(): Promise<number> {
  await sql`select pg_stat_force_next_flush()`;
  const [row] = await sql<{ count: number }[]>`
    select sum(n_tup_upd)::int as count from pg_stat_user_tables where relname like 'task_run%'`;
  return row!.count;
}

test("the next step is written once, as running", async () => {
  const workerId = await kit.worker();
  const { claims, next, updates } = await endStep(await chain(await kit.team(), workerId), workerId);
  expect(updates).toBe(2);
  expect(claims).toMatchObject([{ attempt: 1, need: "process", losses: 0, claimedAt: (next as { startedAt?: Date }).startedAt }]);
  const timeout = (next as { timeout?: number }).timeout;
  expect(next).toMatchObject({ status: "running", attempt: 1, workerId, claimableAt: null, wasReady: true, minutes: timeout, isDue: true });
});

test("what waits has its turn first", async () => {
  const workerId = await kit.worker();
  const team = await kit.team();
  const claim = await chain(team, workerId);
  const older = await submitOne(team);
  const { claims, next } = await endStep(claim, workerId);
  expect(claims).toMatchObject([{ runId: older }]);
  expect(next).toMatchObject({ status: "ready", attempt: 0, workerId: null });
});

test("while work of another team waits, teams take turns", async () => {
  const workerId = await kit.worker();
  const claim = await chain(await kit.team(), workerId);
  await submitOne(await kit.team());
  const { claims, updates } = await endStep(claim, workerId);
  expect({ claimed: claims.length, updates }).toEqual({ claimed: 1, updates: 3 });
});

test("a step that started at once counts as a turn of its team", async () => {
  const [workerId, other] = [await kit.worker(), await kit.worker()];
  const claim = await chain(await kit.team(), workerId);
  const second = await kit.team();
  const earlier = await chain(second, other);
  const [next] = (await endStep(claim, workerId)).claims;
  // The next steps of both wait, and the other team was served before that step began.
  await endStep(earlier, other, { wanted: 0 });
  const { claims } = await endStep(next as Claim, workerId);
  expect(claims.map(({ teamId }) => teamId)).toEqual([second]);
});

test("task runs that need a label that the worker lacks don't get a turn", async () => {
  const workerId = await kit.worker();
  const claim = await chain(await kit.team(), workerId);
  await submitOne(await kit.team(), { annotations: { "millrace.dev/runs-on": "gpu" } });
  const { next, updates } = await endStep(claim, workerId);
  expect({ status: next?.status, updates }).toEqual({ status: "running", updates: 2 });
});

async function submitOne(team: string, more: object = {}): Promise<string> {
  const name = `one-${Math.random()}`;
  await kit.workflow(team, name, workflow(node("one", "script", ["start"], { ...script, ...more })));
  const { id } = await kit.submit(team, name);
  await kit.settle();
  return id;
}

test("subscribers to task runs are notified that it was ready and that it runs", async () => {
  const workerId = await kit.worker();
  const team = await kit.team();
  const claim = await chain(team, workerId);
  await sql`insert into subscription (team_id, name, channel, kinds, target) values (${team}, 'steps', 'webhook', '{taskrun}', '{}')`;
  const { claims } = await endStep(claim, workerId);
  expect(claims).toHaveLength(1);
  const events = await sql<{ status: string }[]>`select status from change_event where object_id = ${claims[0]!.id} order by id`;
  expect(events.map(({ status }) => status)).toEqual(["ready", "running"]);
});

test("a worker whose slots are shared between teams claims by its share", async () => {
  const workerId = await kit.worker({ slots: 4 });
  const claim = await chain(await kit.team(), workerId);
  await kit.team();
  const { claims, updates } = await endStep(claim, workerId, { reserved: 1 });
  expect({ claimed: claims.length, updates }).toEqual({ claimed: 1, updates: 3 });
});

test("where a step of a run with workspaces goes is decided first", async () => {
  const workerId = await kit.worker();
  const claim = await chain(await kit.team(), workerId);
  await sql`update run set workspaces = '[{"name": "code", "type": "workflowrun"}]' where id = ${claim.runId}`;
  await endStep(claim, workerId);
  const [next] = await sql<{ place: string }[]>`select place from task_run where run_id = ${claim.runId} and name = 'two'`;
  expect(next?.place).not.toBe("");
});

test("a worker that can't run it, has no free slot or lost its lease gets nothing, and it is ready for others", async () => {
  const team = await kit.team();
  const nextOf = async (more: Partial<NextClaims>, annotations = {}, leaseSeconds = 600) => {
    const workerId = await kit.worker();
    const claim = await chain(team, workerId, { annotations });
    await sql`update worker set lease_until = db_now() + make_interval(secs => ${leaseSeconds}) where id = ${workerId}`;
    const { claims, next } = await endStep(claim, workerId, more);
    await sql`update task_run set status = 'cancelled', phase = 'completed', ended_at = db_now(), claimable_at = null where run_id = ${claim.runId}`;
    return { claimed: claims.length, status: next?.status };
  };
  const left = { claimed: 0, status: "ready" };
  expect(await nextOf({})).toEqual({ claimed: 1, status: "running" });
  expect(await nextOf({ needs: ["container"] })).toEqual(left);
  expect(await nextOf({ labels: ["linux"] }, { "millrace.dev/runs-on": "gpu" })).toEqual(left);
  expect(await nextOf({ labels: ["gpu"] }, { "millrace.dev/runs-on": "gpu" })).toEqual({ claimed: 1, status: "running" });
  expect(await nextOf({ wanted: 0 })).toEqual(left);
  expect(await nextOf({}, {}, -1)).toEqual(left);
});

test("of two ends of one attempt one counts, and the next step starts once", async () => {
  const workerId = await kit.worker();
  const claim = await chain(await kit.team(), workerId);
  const state = kit.context.states.get(claim.runId)!;
  const first = await endStep(claim, workerId);
  // As another process that has not heard of it knows the run.
  kit.context.states.delete(claim.runId);
  kit.context.states.put(state);
  kit.context.states.claimed(claim, workerId);
  const second = await endStep(claim, workerId);
  expect([first.claims.length, second.claims.length]).toEqual([1, 0]);
  expect(second.next).toMatchObject({ status: "running", attempt: 1 });
});
