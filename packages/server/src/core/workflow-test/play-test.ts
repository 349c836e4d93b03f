import type { TestFailure, WorkflowTestInput, WorkflowTestResult } from "@millrace/contract/workflow/workflow-test.ts";
import type { RunState } from "../run/run-state.ts";
import type { TaskTypes } from "../task/task-type.ts";
import type { Plan } from "../workflow/plan.ts";
import { checkOutcome, refuseUnknownNames } from "./check-outcome.ts";
import type { NestedPlans, NewNestedState } from "./nested-plan.ts";
import { TestPlayer } from "./test-player.ts";
import { TestProblem } from "./test-problem.ts";
import { showRun } from "./tested-run.ts";

export interface TestPlay {
  plan: Plan;
  /** The state of a run that has not started. */
  state: RunState;
  types: TaskTypes;
  test: WorkflowTestInput;
  /** Generates ids that are not in the state. */
  ids: () => string;
  /** Nested workflows, which run in the test. */
  nested?: { plans: NestedPlans; newState: NewNestedState } | undefined;
}

/**
 * Runs one test and reports how it ended. It can be paused between any two steps: each `next` takes one.
 *
 * A test that can't be run to its end has failed, with the reason; what happened before is still shown.
 */
export function* playTest({ plan, state, types, test, ids, nested }: TestPlay): Generator<void, WorkflowTestResult> {
  const { name } = test;
  let player: TestPlayer | undefined;
  try {
    const ready = new TestPlayer(plan, state, types, test, ids, nested);
    refuseUnknownNames(plan, test, nested?.plans);
    player = ready;
    while (player.step()) yield;
  } catch (error) {
    if (!(error instanceof TestProblem)) throw error;
    return { name, ...stopped(error), ...(player && { run: showRun(player) }) };
  }
  const failures = checkOutcome(player, test);
  return { name, outcome: failures.length === 0 ? "passed" : "failed", failures, run: showRun(player) };
}

/** As a result: what could not be done, and the place in the test. */
function stopped({ message, path }: TestProblem): Pick<WorkflowTestResult, "outcome" | "problem" | "failures"> {
  const failure: TestFailure[] = path === "" ? [] : [{ path, message }];
  return { outcome: "failed", problem: path === "" ? message : `${path} ${message}`, failures: failure };
}

/** All steps at once. */
export function playWhole(play: TestPlay): WorkflowTestResult {
  const steps = playTest(play);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
