import { escapePointer } from "@millrace/contract/json-pointer.ts";
import { isExecutorType } from "@millrace/contract/status.ts";
import type { MockedEnd, MockStatus, TaskMock, WorkflowTestInput } from "@millrace/contract/workflow/workflow-test.ts";
import { nearestName } from "../../base/text/nearest-name.ts";
import type { RunResult, TaskState } from "../run/run-state.ts";
import { nodeAt, type Plan, type PlanNode } from "../workflow/plan.ts";
import { type NestedPlans, noNested } from "./nested-plan.ts";
import { msOf } from "./test-durations.ts";
import { TestProblem } from "./test-problem.ts";

export interface EndOfAttempt {
  status: MockStatus;
  reason: string;
  message: string;
  results: RunResult[];
  decision: string | undefined;
  durationMs: number;
}

/** How the tasks of a test end that do not run. */
export class MockedEnds {
  readonly #plan: Plan;
  readonly #mocks: Readonly<Record<string, TaskMock>>;
  readonly #others: MockedEnd | undefined;
  readonly #nested: NestedPlans;
  /** Prefixes for the names of its tasks, the most specific first. */
  readonly #prefixes: readonly string[];

  /**
   * @param prefixes for the tasks of a nested workflow; the outer workflow has already checked these names
   * @throws TestProblem if a mock names no task
   */
  constructor(plan: Plan, { mocks, mockOthers }: Pick<WorkflowTestInput, "mocks" | "mockOthers">, nested = noNested, prefixes = [""]) {
    this.#plan = plan;
    this.#mocks = mocks ?? {};
    this.#others = mockOthers ?? undefined;
    this.#nested = nested;
    this.#prefixes = prefixes;
    if (prefixes[0] !== "") return;
    for (const name of Object.keys(this.#mocks)) {
      const path = `/mocks/${escapePointer(name)}`;
      const { type } = this.nodeOf(name, path);
      if (type === "start" || type === "end")
        throw new TestProblem(`names the task ${name}, which is of type ${type} and does nothing`, path);
    }
  }

  /** The node of a task, or of one of its items: `deploy[0]`. @throws TestProblem if it does not exist */
  nodeOf(name: string, path: string): PlanNode {
    const { byName } = this.#plan;
    const index = byName.get(name) ?? byName.get(name.replace(/\[\d+\]$/, ""));
    if (index !== undefined) return nodeAt(this.#plan, index);
    const inner = this.#nestedNode(name, path);
    if (inner) return inner;
    const meant = nearestName(name, [...byName.keys()]);
    const hint = meant === undefined ? `its tasks are ${[...byName.keys()].slice(0, 10).join(", ")}` : `did you mean ${meant}?`;
    throw new TestProblem(`names the task ${name}, which the workflow doesn't have; ${hint}`, path);
  }

  /** `group/work`: a task of a nested workflow. */
  #nestedNode(name: string, path: string): PlanNode | undefined {
    for (let at = name.indexOf("/"); at > 0; at = name.indexOf("/", at + 1)) {
      const head = name.slice(0, at);
      const nested = this.#nested.get(head) ?? this.#nested.get(head.replace(/\[\d+\]$/, ""));
      if (nested) return new MockedEnds(nested.plan, {}, nested.inner).nodeOf(name.slice(at + 1), path);
    }
    return undefined;
  }

  /** Whether it ends as the test says instead of running. */
  isMocked(task: TaskState): boolean {
    return this.#mockOf(task) !== undefined || (this.#others !== undefined && !this.isPlayed(task) && needsMock(task, undefined));
  }

  /** Whether its nested workflow runs in the test. */
  isPlayed(task: Pick<TaskState, "node">): boolean {
    return this.#nested.has(nodeAt(this.#plan, task.node).name);
  }

  /** How the newest attempt ends. @throws TestProblem if the test doesn't say */
  endOf(task: TaskState): EndOfAttempt {
    const mock = this.#mockOf(task) ?? this.#others;
    if (mock === undefined) throw new TestProblem(whyMissing({ ...task, name: `${this.#prefixes[0]}${task.name}` }));
    const { attempts } = mock as TaskMock;
    const end = attempts?.[Math.min(task.attempt, attempts.length) - 1];
    return endOf({ ...mock, ...end });
  }

  #mockOf(task: TaskState): TaskMock | undefined {
    const own = this.#own(task.name);
    if (own !== undefined || task.item === null) return own;
    const mock = this.#own(nodeAt(this.#plan, task.node).name);
    return mock?.items?.[task.item] ?? mock;
  }

  #own(name: string): TaskMock | undefined {
    const key = this.#prefixes.map((prefix) => `${prefix}${name}`).find((one) => Object.hasOwn(this.#mocks, one));
    return key === undefined ? undefined : this.#mocks[key];
  }
}

/** Tasks that only a worker, or another workflow, can run. @param waits for the other workflow; undefined: not known yet */
export function needsMock({ type }: Pick<TaskState, "type">, waits: boolean | undefined): boolean {
  return isExecutorType(type) || (type === "runworkflow" && waits !== false);
}

function whyMissing({ name, type }: TaskState): string {
  const what = type === "runworkflow" ? "waits for another workflow" : `runs on a worker (${type})`;
  return `task "${name}" ${what} and has no mock; add mocks.${name} with its status and results, or mockOthers: {} to let all such tasks succeed`;
}

function endOf({ status, reason, message, results, decision, duration }: MockedEnd): EndOfAttempt {
  const ends = status ?? "succeeded";
  return {
    status: ends,
    reason: reason ?? reasons[ends],
    message: message ?? (ends === "succeeded" ? "" : "The test says so"),
    results: Object.entries(results ?? {}).map(([name, value]) => ({ name, value })),
    decision: decision ?? undefined,
    durationMs: msOf(duration),
  };
}

const reasons: Readonly<Record<MockStatus, string>> = {
  succeeded: "Succeeded",
  failed: "ExitCode",
  timedout: "DeadlineExceeded",
  invalid: "InvalidTask",
  lost: "WorkerLost",
};
