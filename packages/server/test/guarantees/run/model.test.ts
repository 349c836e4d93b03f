import { isFinal } from "@millrace/contract/status.ts";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RunEvent } from "../../../src/core/run/advance.ts";
import type { TaskState } from "../../../src/core/run/run-state.ts";
import { nestedPrefix } from "../../../src/core/workflow/try-name.ts";
import type { Job } from "../../../src/engine/executor.ts";
import { testDatabase } from "../../kit/database.ts";
import { engineKit } from "../../kit/engine-kit.ts";
import { type EngineNode, engineNode } from "../../kit/run/engine-node.ts";
import { childDocument, childWorkflow, documentOf, randomScenario } from "../../kit/run/random-scenario.ts";
import {
  type AttemptEnd,
  childResult,
  type Expected,
  endOfChild,
  isRepeated,
  playModel,
  resultOfChildren,
  type Scenario,
} from "../../kit/run/rules-model.ts";
import { RunSimulator } from "../../kit/run-simulator.ts";
import { until } from "../../kit/until.ts";
import { testExecutor } from "../../kit/worker/test-executor.ts";

// Random workflows, run by the engine and by a model of the rules that shares no code with it (rules-model.ts).

/** In the long tests, more: five times as many as other tests draw, since a case of the pure core takes a millisecond. */
const asked = process.env["MILLRACE_FUZZ_RUNS"];
const drawn = asked === undefined ? undefined : 5 * Number(asked);

describe("the pure core", () => {
  test("ends every task and run as the rules say, in whatever order attempts end, are lost and are reported again", {
    timeout: 60_000,
  }, () => {
    const property = fc.property(randomScenario, fc.integer(), (scenario, seed) => {
      expect(playCore(scenario, seed)).toEqual(playModel(scenario));
    });
    fc.assert(property, { numRuns: drawn ?? 400 });
  });
});

/** How the attempt of a task run ends in that scenario. */
function endIn(scenario: Scenario, name: string, attempt: number): AttemptEnd {
  const [, node, item] = /^(\w+)(?:\[(\d+)\])?$/.exec(name) ?? [];
  const ends = [...scenario.nodes, ...scenario.handlers, ...scenario.compensations].find((one) => one.name === node)?.ends;
  return ends?.[Number(item ?? 0)]?.[attempt - 1] ?? "succeeded";
}

test("a run that is cancelled at any moment undoes what was done and runs what is to run finally, once", { timeout: 60_000 }, () => {
  const property = fc.property(randomScenario, fc.integer(), fc.nat(12), (scenario, seed, moment) => {
    const simulator = new RunSimulator(documentOf(scenario));
    const played = playCore(scenario, seed, { simulator, cancelAfter: moment });
    const wasFlowCancelled = simulator.plan.nodes.some(({ index, turn }) => {
      const { reason } = simulator.state.nodes[index] ?? {};
      return turn === "flow" && reason === "Cancelled";
    });
    if (!wasFlowCancelled) {
      if (simulator.state.reason !== "Cancelled" && !wasStopped(simulator)) expect(played).toEqual(playModel(scenario));
      return;
    }
    expect(played.run).toBe("cancelled");
    for (const { name, undoes } of scenario.compensations) {
      const isDone = played.tasks[undoes] === "succeeded" || itemsOf(simulator, undoes).includes("succeeded");
      expect(played.tasks[name] !== "skipped", name).toBe(isDone);
    }
    for (const { name, on, edges } of scenario.handlers)
      if (on === "onFailure") expect(played.tasks[name]).toBe("skipped");
      else if (edges.length === 0) expect(played.tasks[name]).not.toBe("skipped");
  });
  fc.assert(property, { numRuns: drawn ?? 300 });
});

/** Whether some of its handlers were stopped. */
function wasStopped({ state }: RunSimulator): boolean {
  return state.nodes.some(({ reason }) => reason === "Cancelled");
}

function itemsOf({ plan, state }: RunSimulator, name: string): string[] {
  return [...(state.items.get(plan.byName.get(name) ?? -1) ?? [])].map(({ status }) => status);
}

interface Played {
  simulator?: RunSimulator;
  /** This many events are sent before it is cancelled. */
  cancelAfter?: number;
}

function playCore(
  scenario: Scenario,
  seed: number,
  { simulator = new RunSimulator(documentOf(scenario)), cancelAfter }: Played = {},
): Expected {
  const random = randomFrom(seed);
  const records: string[] = [];
  const sent: RunEvent[] = [];
  const undone: string[] = [];
  const send = (event: RunEvent) => {
    simulator.now += 1;
    const before = allTasks(simulator);
    simulator.send(event);
    records.push(...(simulator.lastChange?.attempts ?? []).map((attempt) => `${attempt.taskRunId} ${attempt.attempt}`));
    const after = new Map(allTasks(simulator).map((task) => [task.id, task]));
    // The end of the flow gets the state of the run when it is the handlers' turn.
    for (const task of before.filter(({ status, type }) => isFinal(status) && type !== "end")) expect(after.get(task.id)).toBe(task);
    expectTurns(simulator);
    for (const { name } of scenario.compensations)
      if (!undone.includes(name) && !["notstarted", "skipped"].includes(simulator.task(name).status)) undone.push(name);
  };
  const lookLater = () => {
    simulator.now += 10;
    send({ kind: "look" });
  };
  send({ kind: "start", hasPlace: true });
  for (let steps = 0; simulator.state.phase === "running"; steps++) {
    if (steps > 1000) throw new Error("the run does not end");
    if (steps === cancelAfter) send({ kind: "cancel", message: "Cancelled by ann" });
    if (simulator.state.phase !== "running") break;
    const open = allTasks(simulator);
    const moves = [
      ...open.filter(({ status }) => status === "ready").map((task) => () => void simulator.claim(task.name)),
      ...open
        .filter(({ status, type }) => status === "running" && type === "script")
        .map((task) => () => {
          const event = eventFor(task, endIn(scenario, task.name, task.attempt));
          sent.push(event);
          send(event);
        }),
      ...open
        .filter(({ waitKind }) => waitKind === "run")
        .map((task) => () => {
          const event = childEvent(task, endIn(scenario, task.name, task.attempt));
          sent.push(event);
          send(event);
        }),
      ...(open.some(({ waitKind }) => waitKind === "retry") ? [() => lookLater()] : []),
      ...sent.slice(-3).map((event) => () => send(event)),
    ];
    if (moves.length === 0) throw new Error(`the run hangs: ${JSON.stringify(simulator.statuses())}`);
    (moves[Math.floor(random() * moves.length)] as () => void)();
  }
  for (const event of sent) send(event);
  expect(new Set(records).size).toBe(records.length);
  const endsOfUndone = undone.map((name) => simulator.task(scenario.compensations.find((one) => one.name === name)?.undoes ?? "").endedAt);
  expect(endsOfUndone).toEqual(endsOfUndone.toSorted((one, other) => (other ?? 0) - (one ?? 0)));
  const played = allTasks(simulator).filter((task) => isAttempted(scenario, task));
  const attempts = Object.fromEntries(played.map((task) => [task.name, task.attempt]));
  if (cancelAfter === undefined)
    for (const node of scenario.nodes) {
      const found = simulator.task(node.name).results?.find(({ name }) => name === childResult);
      expect(found?.value, `results of ${node.name}`).toEqual(resultOfChildren(node, attempts));
    }
  return {
    run: simulator.state.status,
    tasks: Object.fromEntries(simulator.state.nodes.map((task) => [task.name, task.status])),
    attempts,
  };
}

/** The flow, then compensations, one at a time, then the two kinds of handlers: none starts before the previous ones have finished. */
function expectTurns({ plan, state }: RunSimulator): void {
  const order = ["flow", "compensation", "onFailure", "finally"];
  const tasks = plan.nodes.map(({ index, turn }) => ({ status: state.nodes[index]?.status ?? "notstarted", turn: order.indexOf(turn) }));
  const latest = Math.max(...tasks.filter(({ status }) => status !== "notstarted").map(({ turn }) => turn));
  expect(tasks.filter(({ status, turn }) => turn < latest && !isFinal(status))).toEqual([]);
  const undoing = tasks.filter(({ status, turn }) => turn === 1 && status !== "notstarted" && !isFinal(status));
  expect(undoing.length).toBeLessThanOrEqual(1);
}

/** The task run of a list or of a loop itself has no attempts of its own. */
function isAttempted(scenario: Scenario, { name, item, type, status }: Pick<TaskState, "name" | "item" | "type" | "status">): boolean {
  if ((type !== "script" && type !== "runworkflow") || status === "skipped") return false;
  return item !== null || !scenario.nodes.some((node) => node.name === name && isRepeated(node));
}

function allTasks(simulator: RunSimulator): TaskState[] {
  return [...simulator.state.nodes, ...[...simulator.state.items.values()].flatMap((items) => [...items])];
}

function eventFor(task: Pick<TaskState, "id" | "attempt">, end: AttemptEnd): RunEvent {
  if (end === "lost") return { kind: "lost", taskRunId: task.id, attempt: task.attempt };
  return { kind: "ended", taskRunId: task.id, attempt: task.attempt, outcome: { status: end, reason: end, message: end, results: [] } };
}

/** The run that the task waits for has finished. */
function childEvent({ id, waitKey, name, attempt }: TaskState, end: AttemptEnd): RunEvent {
  const results = [{ name: childResult, value: `${name} ${attempt}` }];
  return { kind: "child", taskRunId: id, runId: waitKey as string, status: endOfChild(end), results, message: end };
}

/** Mulberry32. */
function randomFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

describe("the engine on its database", async () => {
  const { sql, address } = await testDatabase();
  const kit = engineKit(sql);
  const scenarios = new Map<string, Scenario>();
  const nodes: EngineNode[] = [];
  /** Jobs end as the scenario of their run says. A lost job is recorded as lost by another process, but reports its end all the same. */
  const executor = testExecutor(async (job) => {
    const end = await endOfJob(job);
    if (end !== "lost") return { status: end };
    const event: RunEvent = { kind: "lost", taskRunId: job.taskRunId, attempt: job.attempt };
    await nodes[job.attempt % nodes.length]?.driver.advance([{ teamId: job.teamId, id: job.runId, events: [event] }]);
    return { status: "failed", message: "reported after the loss" };
  });

  async function endOfJob({ runId, name, attempt }: Pick<Job, "runId" | "name" | "attempt">): Promise<AttemptEnd> {
    const own = scenarios.get(runId);
    if (own) return endIn(own, name, attempt);
    // For a run that a task of a scenario waits for: its first attempt ends in the same way as that of the task.
    const [caller] = await sql<{ runId: string; name: string; attempt: number }[]>`
      select t.run_id as "runId", t.name, t.attempt from run r join task_run t on t.team_id = r.team_id and t.id = r.parent_task_run_id
      where r.id = ${runId}`;
    const scenario = scenarios.get(caller?.runId ?? "");
    return attempt === 1 && caller && scenario ? endIn(scenario, caller.name, caller.attempt) : "succeeded";
  }

  beforeAll(async () => {
    nodes.push(...Array.from({ length: 3 }, () => engineNode(address, { executor, slots: 6 })));
    for (const node of nodes) await node.start();
  });
  afterAll(async () => {
    for (const node of nodes) await node.stop();
  });

  test("does the same, with several processes that drive the same runs", { timeout: 90_000 }, async () => {
    const seed = Number(process.env["MILLRACE_FUZZ_SEED"] ?? 20_261_120);
    const team = await kit.team();
    const runs = new Map<string, Scenario>();
    await kit.workflow(team, childWorkflow, childDocument);
    for (const [index, scenario] of fc.sample(randomScenario, { seed, numRuns: 45 }).entries()) {
      await kit.workflow(team, `random-${index}`, documentOf(scenario));
      const { id } = await kit.submit(team, `random-${index}`);
      scenarios.set(id, scenario);
      runs.set(id, scenario);
    }
    nodes[0]?.bus.wake("engine");
    const isOver = async () => (await sql`select 1 from run where team_id = ${team} and phase <> 'completed' limit 1`).length === 0;
    await until(isOver, `all runs of seed ${seed} are over`, 75_000);
    for (const [id, scenario] of runs) expect(await ofRun(team, id, scenario), `seed ${seed}`).toEqual(playModel(scenario));
    const [nested] = await sql<{ count: number }[]>`
      select count(*)::int as count from run r join workflow w on w.team_id = r.team_id and w.id = r.workflow_id
      where r.team_id = ${team} and starts_with(w.name, ${nestedPrefix})`;
    expect(nested?.count, `seed ${seed}: runs of nested workflows`).toBeGreaterThan(20);
  });

  async function ofRun(team: string, id: string, scenario: Scenario): Promise<Expected> {
    const tasks = await kit.tasks(team, id);
    const records = await sql<{ id: string; count: number }[]>`
      select task_run_id as id, count(*)::int as count from task_run_attempt
      where team_id = ${team} and task_run_id = any(${tasks.map((task) => task.id)}) group by task_run_id`;
    const attempts = new Map(records.map((record) => [record.id, record.count]));
    const played = tasks.filter((task) => isAttempted(scenario, task));
    for (const task of played.filter(({ type }) => type === "script"))
      expect(attempts.get(task.id), `records of ${task.name}`).toBe(task.attempt);
    const children = await sql<{ id: string; count: number }[]>`
      select parent_task_run_id as id, count(*)::int as count from run where team_id = ${team} and parent_run_id = ${id} group by 1`;
    const callers = played.filter(({ type }) => type === "runworkflow");
    expect(new Map(children.map((child) => [child.id, child.count]))).toEqual(new Map(callers.map((task) => [task.id, task.attempt])));
    return {
      run: (await kit.run(team, id)).status,
      tasks: Object.fromEntries(tasks.filter((task) => task.item === null).map((task) => [task.name, task.status])),
      attempts: Object.fromEntries(played.map((task) => [task.name, task.attempt])),
    };
  }
});
