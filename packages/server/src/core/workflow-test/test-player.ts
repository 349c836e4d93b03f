import { isExecutorType, isFinal } from "@millrace/contract/status.ts";
import { type TestEvent, type WorkflowTestInput, workflowTestLimits } from "@millrace/contract/workflow/workflow-test.ts";
import { decisionEvent } from "../action/decision-event.ts";
import { readFieldValues } from "../action/field-values.ts";
import type { RunEvent } from "../run/advance.ts";
import { nextDeadline } from "../run/run-activity.ts";
import type { RunState, TaskState } from "../run/run-state.ts";
import type { NewAction, TaskTypes } from "../task/task-type.ts";
import type { Plan } from "../workflow/plan.ts";
import { InMemoryRun } from "./in-memory-run.ts";
import { MockedEnds } from "./mocked-ends.ts";
import { mockedTypes } from "./mocked-types.ts";
import { msOf } from "./test-durations.ts";
import { TestProblem } from "./test-problem.ts";

/**
 * Runs a workflow as a test says: by the rules of all runs, in memory, with a clock that jumps to whatever comes next. What needs a worker ends
 * as its mock says; people and other systems act when the test says so. Nothing outside is read, so the same test always ends the same way.
 *
 * It goes step by step, so that its caller can stop a test that takes long, and let others have their turn.
 */
export class TestPlayer {
  readonly run: InMemoryRun;
  /** Task runs in the order in which they began, by id. */
  readonly began: string[] = [];
  readonly mocks: MockedEnds;
  readonly #test: WorkflowTestInput;
  readonly #begin: number;
  readonly #queue = new TestQueue();
  /** Decisions that have not been made yet. */
  readonly #decisions: TestEvent[];
  #steps = 0;
  #runDeadline: number | null = null;

  /** @param state of a run that has not begun */
  constructor(plan: Plan, state: RunState, types: TaskTypes, test: WorkflowTestInput, ids: () => string) {
    this.#test = test;
    this.#begin = Date.parse(test.given?.now ?? "2030-01-01T00:00:00Z");
    this.mocks = new MockedEnds(plan, test);
    this.run = new InMemoryRun(plan, state, mockedTypes(types, this.mocks), this.#begin, ids);
    this.#decisions = (test.events ?? []).filter(({ task }) => task != null);
    for (const [index, event] of (test.events ?? []).entries()) this.#plan(event, index);
    this.#queue.add(this.#begin, () => this.#send({ kind: "start", hasPlace: true }));
  }

  /** Since the start of the run. */
  sinceStart(at: number): number {
    return at - this.#begin;
  }

  /** Does what comes next; false when the run is over. @throws TestProblem */
  step(): boolean {
    if (isFinal(this.run.state.status)) return false;
    const next = this.#queue.next();
    if (next === undefined) throw new TestProblem(whyStuck(this.run));
    this.#steps += 1;
    if (this.#steps > workflowTestLimits.steps)
      throw new TestProblem(`more than ${workflowTestLimits.steps} things happen; test less at once`);
    if (this.sinceStart(next.at) > workflowTestLimits.days * 86_400_000)
      throw new TestProblem(`the run takes longer than ${workflowTestLimits.days} days by the clock of the test`);
    this.run.now = Math.max(this.run.now, next.at);
    next.act();
    return true;
  }

  #plan({ task, topic, cancel, at, status, data }: TestEvent, index: number): void {
    if ([task != null, topic != null, cancel === true].filter(Boolean).length !== 1)
      throw new TestProblem("must have one of task, topic and cancel", `/events/${index}`);
    if (task != null) return this.#checkDecided(task, index);
    const when = this.#begin + msOf(at);
    if (topic == null) return this.#queue.add(when, () => this.#send({ kind: "cancel", message: "Cancelled by the test" }));
    const event = { status: status ?? "succeeded", payload: data ?? null } as const;
    this.#queue.add(when, () => {
      this.run.events.set(topic, event);
      this.#send({ kind: "callback", topic, ...event });
    });
  }

  #checkDecided(task: string, index: number): void {
    const node = this.mocks.nodeOf(task, `/events/${index}/task`);
    if (node.type === "approval" || node.type === "manual") return;
    throw new TestProblem(
      `names the task ${task}, which is of type ${node.type}; only approvals and manual tasks are decided`,
      `/events/${index}/task`,
    );
  }

  #send(event: RunEvent): void {
    this.run.send(event);
    this.#follow();
    // A run that waits has no place, and gets one as soon as it wants it.
    while (this.run.state.activity === "wanted") {
      this.run.send({ kind: "activate" });
      this.#follow();
    }
  }

  /** What the change brings about: attempts that begin, actions that are decided, moments to look again. */
  #follow(): void {
    const { lastChange, state, now } = this.run;
    if (!lastChange || isFinal(state.status)) return this.#note(lastChange);
    this.#note(lastChange);
    for (const task of [...lastChange.updated.map(({ after }) => after), ...lastChange.created]) {
      if (task.status === "ready" && task.executor !== null) this.#beginAttempt(task);
      else if (task.dueAt !== null && !isFinal(task.status)) this.#lookAt(task.dueAt);
    }
    for (const action of lastChange.actions) this.#decideLater(action);
    const deadline = nextDeadline(state);
    if (deadline !== null && deadline !== this.#runDeadline) this.#lookAt(deadline);
    this.#runDeadline = deadline;
    if (lastChange.hasMore) this.#lookAt(now);
  }

  #note(change: InMemoryRun["lastChange"]): void {
    if (!change) return;
    const begun = change.updated.filter(({ before, after }) => before.status === "notstarted" && after.status !== "skipped");
    this.began.push(
      ...begun.map(({ after }) => after.id),
      ...change.created.filter(({ status }) => status !== "notstarted").map(({ id }) => id),
    );
  }

  #lookAt(at: number): void {
    this.#queue.add(at, () => this.#send({ kind: "look" }));
  }

  #beginAttempt(task: TaskState): void {
    const claimed = this.run.claimTask(task);
    const end = this.mocks.endOf(claimed);
    if (claimed.dueAt !== null) this.#lookAt(claimed.dueAt);
    const { id: taskRunId, attempt } = claimed;
    const event: RunEvent =
      end.status === "lost"
        ? { kind: "lost", taskRunId, attempt }
        : { kind: "ended", taskRunId, attempt, outcome: { ...end, status: end.status } };
    this.#queue.add(this.run.now + end.durationMs, () => this.#send(event));
  }

  #decideLater(action: NewAction): void {
    const task = this.run.tasks().find(({ id }) => id === action.taskRunId);
    const node = task && this.run.plan.nodes[task.node];
    const at = this.#decisions.findIndex((event) => event.task === task?.name || event.task === node?.name);
    const decision = this.#decisions[at];
    if (decision === undefined) return;
    this.#decisions.splice(at, 1);
    const place = `/events/${(this.#test.events ?? []).indexOf(decision)}/values`;
    const vote = { approved: decision.decision !== "rejected", comments: decision.comments, values: decision.values ?? {} };
    const { faults } = readFieldValues(action.form.fields, vote.values, vote.approved);
    if (faults[0]) throw new TestProblem(faults[0].message, place);
    const person = { name: decision.by ?? "A tester", email: "" };
    this.#queue.add(this.run.now + msOf(decision.after), () =>
      this.#send(decisionEvent({ ...action, fields: action.form.fields }, vote, person, new Date(this.run.now))),
    );
  }
}

/** Nothing more comes, and the run is not over. */
function whyStuck(run: InMemoryRun): string {
  const waiting = run.tasks().filter(({ status, waitKind }) => status === "waiting" && waitKind !== "items");
  const [first] = waiting;
  if (!first) return "the run never ends, and none of its tasks waits";
  const remedy = isExecutorType(first.type) ? "" : `; ${remedies[first.waitKind ?? ""] ?? `mock the task with mocks.${first.name}`}`;
  const more = waiting.length > 1 ? ` (and ${waiting.length - 1} more tasks wait)` : "";
  return `task "${first.name}" waits forever: ${first.waitDetail ?? first.waitKind}${more}${remedy}`;
}

const remedies: Readonly<Record<string, string>> = {
  action: "decide it with an event: {task: NAME, decision: approved}",
  event: "send it with an event: {topic: TOPIC}",
};

/** What is still to happen in a test, the earliest first; of the same moment what was added first. */
class TestQueue {
  readonly #entries: { at: number; act: () => void }[] = [];

  add(at: number, act: () => void): void {
    let [low, high] = [0, this.#entries.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#entries[middle]!.at > at) low = middle + 1;
      else high = middle;
    }
    // Kept in reverse, so that the next is at the end; an equal moment goes before those that are there.
    this.#entries.splice(low, 0, { at, act });
  }

  /** Takes it out; undefined: there is nothing. */
  next(): { at: number; act: () => void } | undefined {
    return this.#entries.pop();
  }
}
