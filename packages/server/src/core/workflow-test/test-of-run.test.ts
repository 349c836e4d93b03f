import { type FinalStatus, isFinal } from "@millrace/contract/status.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { documentOf, randomScenario } from "../../../test/kit/run/random-scenario.ts";
import type { AttemptEnd, ModelNode, Scenario } from "../../../test/kit/run/rules-model.ts";
import { node, RunSimulator, workflow } from "../../../test/kit/run-simulator.ts";
import { engineTaskTypes } from "../../tasks/registry.ts";
import { decisionEvent } from "../action/decision-event.ts";
import type { AttemptRecord } from "../run/run-change.ts";
import type { TaskState } from "../run/run-state.ts";
import { countedIds } from "./in-memory-run.ts";
import { playWhole } from "./play-test.ts";
import { type EndedRun, testOfRun } from "./test-of-run.ts";

type Nodes = ConstructorParameters<typeof RunSimulator>[0];

function replay(nodes: Nodes, run: EndedRun) {
  const { plan, state } = new RunSimulator(nodes);
  const made = testOfRun(plan, run, "made");
  return { made, result: playWhole({ plan, state, types: engineTaskTypes, test: made, ids: countedIds(1_000_000) }) };
}

function endedRun(simulator: RunSimulator, begunAt: number, records: readonly (AttemptRecord & { endedAt: number })[]): EndedRun {
  const { state } = simulator;
  return {
    status: state.status as FinalStatus,
    ...{ reason: state.reason, trigger: "manual", timeoutMinutes: null, params: [], results: state.results },
    layers: { team: {}, global: {} },
    startedAt: begunAt,
    endedAt: state.endedAt ?? simulator.now,
    tasks: simulator.tasks().map(({ params = [], results = [], ...task }) => ({
      ...task,
      ...{ params, results },
      attempts: records.filter(({ taskRunId }) => taskRunId === task.id),
    })),
  };
}

/** Plays the run to its end: an attempt takes longer the higher its number, and ends as the scenario says. */
function playScenario(scenario: Scenario) {
  const simulator = new RunSimulator(documentOf(scenario));
  const begunAt = simulator.now;
  const records: (AttemptRecord & { endedAt: number })[] = [];
  simulator.start();
  while (!isFinal(simulator.state.status)) {
    const open = simulator.tasks();
    const ready = open.find(({ status, executor }) => status === "ready" && executor !== null);
    const running = open.find(({ status, type }) => status === "running" && type === "script");
    simulator.now += 7;
    if (ready) simulator.claim(ready.name);
    else if (running) end(simulator, running, endIn(scenario, running));
    else if (simulator.state.activity === "wanted") simulator.send({ kind: "activate" });
    else simulator.send({ kind: "look" });
    if (!ready) records.push(...(simulator.lastChange?.attempts ?? []).map((record) => ({ ...record, endedAt: simulator.now })));
  }
  return endedRun(simulator, begunAt, records);
}

function end(simulator: RunSimulator, task: TaskState, status: AttemptEnd): void {
  const { id: taskRunId, attempt } = task;
  if (status === "lost") simulator.send({ kind: "lost", taskRunId, attempt });
  else simulator.endAttempt(task, { status, reason: status, message: status, results: [{ name: "out", value: attempt }] });
}

function endIn(scenario: Scenario, { name, attempt }: TaskState): AttemptEnd {
  const [, of, item] = /^(\w+)(?:\[(\d+)\])?$/.exec(name) ?? [];
  const ends = scenario.nodes.find((one) => one.name === of)?.ends;
  return ends?.[Number(item ?? 0)]?.[attempt - 1] ?? "succeeded";
}

/** Runs of other workflows have no attempts of their own from which a test could be created. */
const ofScripts = randomScenario.map(
  (scenario): Scenario => ({ ...scenario, nodes: scenario.nodes.map((one) => ({ ...one, kind: scriptKinds[one.kind] ?? one.kind })) }),
);
const scriptKinds: Partial<Record<ModelNode["kind"], ModelNode["kind"]>> = { child: "script", childEach: "forEach", childLoop: "loop" };

test("a test that is made of a run of a random workflow passes with the same version", { timeout: 60_000 }, () => {
  const property = fc.property(ofScripts, (scenario) => {
    const { result } = replay(documentOf(scenario), playScenario(scenario));
    expect(result).toMatchObject({ outcome: "passed", failures: [] });
  });
  fc.assert(property, { numRuns: 500 });
});

test("decisions and events from outside happen when they did", () => {
  const nodes = workflow(
    node("paid", "eventwait", ["start"], { params: [{ name: "topic", value: "paid" }] }),
    node("ask", "approval", ["paid"]),
    node("ship", "script", [{ from: "ask", on: "failure" }]),
  );
  const simulator = new RunSimulator(nodes);
  const begunAt = simulator.now;
  simulator.start();
  simulator.now += 90_000;
  simulator.send({ kind: "callback", topic: "paid", status: "succeeded", payload: { euro: 5 } });
  const { waitKey, id } = simulator.task("ask");
  simulator.now += 3_600_000;
  const action = { id: waitKey ?? "", taskRunId: id, type: "approval" as const, fields: [] };
  simulator.send(
    decisionEvent(action, { approved: false, comments: "too much", values: {} }, { name: "Ann", email: "" }, new Date(simulator.now)),
  );
  simulator.end("ship");
  const { made, result } = replay(nodes, endedRun(simulator, begunAt, []));
  expect(made.events).toEqual([
    { topic: "paid", data: { euro: 5 }, at: "1m30s" },
    { task: "ask", decision: "rejected", by: "Ann", comments: "too much", after: "1h" },
  ]);
  expect(result).toMatchObject({ outcome: "passed", run: { durationMs: 3_690_000 } });
});

test("what was under way when the run was cancelled is cancelled again", () => {
  const nodes = workflow(node("one", "script"), node("two", "script", ["one"]));
  const simulator = new RunSimulator(nodes);
  const begunAt = simulator.now;
  simulator.start().claim("one");
  simulator.now += 5000;
  simulator.send({ kind: "cancel", message: "enough" });
  const { result } = replay(nodes, endedRun(simulator, begunAt, []));
  expect(result).toMatchObject({ outcome: "passed", run: { status: "cancelled" } });
});
