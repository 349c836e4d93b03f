import fc from "fast-check";
import { expect, test } from "vitest";
import type { Pin, Trial } from "../../../src/core/workflow/plan.ts";
import { documentOf, randomScenario } from "../../kit/run/random-scenario.ts";
import { playModel, type Scenario } from "../../kit/run/rules-model.ts";
import { RunSimulator } from "../../kit/run-simulator.ts";

// Random workflows, run by a model of the rules (rules-model.ts), and as trials in which nothing is executed.

/** Pins have no `invalid`: it leads to the same tasks as `failed`. */
const asPinned = (status: string) => (status === "invalid" ? "failed" : status);

/** Handlers run in a trial as in a run, but are not part of the path. */
const pathAlone = randomScenario.map((scenario) => ({ ...scenario, handlers: [], compensations: [] }));

test("a trial with every task pinned immediately takes exactly the path that a run with these ends takes", { timeout: 60_000 }, () => {
  const property = fc.property(pathAlone, (scenario) => {
    const expected = playModel(scenario);
    const trial = pinAll(scenario, expected.tasks);
    const { state, statuses } = playTrial(scenario, trial);
    expect(statuses).toEqual(Object.fromEntries(scenario.nodes.map(({ name }) => [name, asPinned(expected.tasks[name] ?? "")])));
    // Tasks that set the status of the run do not run either.
    if (!scenario.nodes.some(({ kind }) => kind === "status")) expect(asPinned(state.status)).toBe(asPinned(expected.run));
    expect(state.nodes.every(({ executor, workerId }) => executor === null && workerId === null)).toBe(true);
    expect(state.items.size).toBe(0);
  });
  fc.assert(property, { numRuns: 1000 });
});

test("pins on the engine's own tasks do not change the path of the others", { timeout: 60_000 }, () => {
  const property = fc.property(pathAlone, fc.nat(), (scenario, pick) => {
    const expected = playModel(scenario);
    const all = pinAll(scenario, expected.tasks);
    const engineOwn = new Set(scenario.nodes.filter(({ kind }) => kind === "decision" || kind === "property").map(({ name }) => name));
    // The bits of the number decide which of the engine's own tasks run instead of being pinned: they end in the same way.
    const pins = all.pins.filter(({ task }, index) => !engineOwn.has(task) || ((pick >> (index % 16)) & 1) === 1);
    expect(playTrial(scenario, { ...all, pins }).statuses).toEqual(playTrial(scenario, all).statuses);
  });
  fc.assert(property, { numRuns: 500 });
});

/** Skipped tasks are pinned, too, and must be skipped nevertheless. */
function pinAll({ nodes }: Scenario, ends: Readonly<Record<string, string>>): Trial {
  const pins = nodes.map(({ name, kind, value }): Pin & { task: string } => {
    const end = asPinned(ends[name] ?? "");
    const status = end === "failed" || end === "timedout" ? end : "succeeded";
    return {
      task: name,
      status,
      results: [{ name: "out", value: name }],
      ...(kind === "decision" && value !== undefined && { decision: value }),
    };
  });
  return { workflow: "tried", pins };
}

function playTrial(scenario: Scenario, trial: Trial) {
  const simulator = new RunSimulator(documentOf(scenario), {}, trial).start();
  return { state: simulator.state, statuses: simulator.statuses() };
}
