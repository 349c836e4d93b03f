import { isExecutorType, isFinal } from "@millrace/contract/status.ts";
import { type TestEvent, type WorkflowTestInput, workflowTestLimits } from "@millrace/contract/workflow/workflow-test.ts";
import type { RunEvent } from "../run/advance.ts";
import { nextDeadline } from "../run/run-activity.ts";
import type { RunState, TaskState } from "../run/run-state.ts";
import type { ChildAnswer, ChildStart, NewAction, TaskTypes } from "../task/task-type.ts";
import { nodeAt, type Plan } from "../workflow/plan.ts";
import { InMemoryRun } from "./in-memory-run.ts";
import { MockedEnds } from "./mocked-ends.ts";
import { mockedTypes } from "./mocked-types.ts";
import { type NestedPlans, type NewNestedState, noNested } from "./nested-plan.ts";
import { PlayedActions, plannedEscalation } from "./played-actions.ts";
import { msOf } from "./test-durations.ts";
import { TestProblem } from "./test-problem.ts";

/**
 * Runs a workflow as a test says: by the rules of all runs, in memory, with a clock that jumps to the next event. Tasks for workers end as
 * their mocks say; people and other systems act when the test says so. It reads nothing from outside, so the same test always ends the same
 * way.
 *
 * It goes step by step, so that its caller can stop a test that takes long, and let other work run in between.
 */
export class TestPlayer {
  readonly run: InMemoryRun;
  /** Ids of task runs in the order in which they started. */
  readonly began: string[] = [];
  readonly actions: PlayedActions;
  readonly #main: PlayedRun;
  /** Including those of nested workflows. */
  readonly #runs: PlayedRun[];
  readonly #test: WorkflowTestInput;
  readonly #types: TaskTypes;
  readonly #ids: () => string;
  readonly #newState: NewNestedState | undefined;
  readonly #begin: number;
  readonly #queue = new TestQueue();
  #steps = 0;
  #now: number;

  /** @param state of a run that has not started */
  constructor(
    plan: Plan,
    state: RunState,
    types: TaskTypes,
    test: WorkflowTestInput,
    ids: () => string,
    nested?: { plans: NestedPlans; newState: NewNestedState },
  ) {
    this.#test = test;
    this.#types = types;
    this.#ids = ids;
    this.#newState = nested?.newState;
    this.#begin = Date.parse(test.given?.now ?? "2030-01-01T00:00:00Z");
    this.#now = this.#begin;
    this.#runs = [];
    this.#main = this.#play(plan, state, nested?.plans ?? noNested, [""]);
    this.run = this.#main.run;
    this.actions = new PlayedActions(test);
    for (const [index, event] of (test.events ?? []).entries()) this.#plan(event, index);
    this.#queue.add(this.#begin, () => this.#send(this.#main, { kind: "start", hasPlace: true }));
  }

  #play(plan: Plan, state: RunState, nested: NestedPlans, prefixes: string[], parent?: PlayedRun["parent"]): PlayedRun {
    const mocks = new MockedEnds(plan, this.#test, nested, prefixes);
    const run = new InMemoryRun(plan, state, mockedTypes(this.#types, mocks), this.#now, this.#ids);
    const played: PlayedRun = { run, mocks, nested, prefixes, parent, deadline: null };
    run.startChild = (request) => this.#startChild(played, request);
    this.#runs.push(played);
    return played;
  }

  /** Starts the run for a task with a nested workflow. */
  #startChild(parent: PlayedRun, { taskRunId, node, item, params }: ChildStart): ChildAnswer | undefined {
    const planNode = nodeAt(parent.run.plan, node);
    const nested = parent.nested.get(planNode.name);
    if (nested === undefined || this.#newState === undefined) return undefined;
    const state = this.#newState(nested, params, parent.run.state, this.#ids);
    if (typeof state === "string") return { reason: "WORKFLOWRUN_INVALID_REQUIREMENT", error: state };
    const names = item === null ? [planNode.name] : [`${planNode.name}[${item}]`, planNode.name];
    const prefixes = parent.prefixes.flatMap((prefix) => names.map((name) => `${prefix}${name}/`));
    const child = this.#play(nested.plan, state, nested.inner, prefixes, { played: parent, taskRunId });
    for (const [topic, event] of this.run.events) child.run.events.set(topic, event);
    this.#queue.add(this.#now, () => this.#send(child, { kind: "start", hasPlace: true }));
    return { runId: state.id };
  }

  /** All task runs; those of nested workflows have the names of the tasks that lead to them as a prefix. */
  tasks(): TaskState[] {
    return this.#runs.flatMap(({ run, prefixes }) =>
      prefixes[0] === "" ? run.tasks() : run.tasks().map((task) => ({ ...task, name: `${prefixes[0]}${task.name}` })),
    );
  }

  /** Whether this task run ended as the test says instead of running. */
  isMocked({ id }: TaskState): boolean {
    return this.#runs.some(({ run, mocks }) => run.tasks().some((task) => task.id === id && mocks.isMocked(task)));
  }

  /** Milliseconds since the start of the run. */
  sinceStart(at: number): number {
    return at - this.#begin;
  }

  /** Takes the next step; false if the run has ended. @throws TestProblem */
  step(): boolean {
    if (isFinal(this.run.state.status)) return false;
    const next = this.#queue.next();
    if (next === undefined) throw new TestProblem(whyStuck(this.#runs));
    this.#steps += 1;
    if (this.#steps > workflowTestLimits.steps)
      throw new TestProblem(`more than ${workflowTestLimits.steps} events happen; test less at once`);
    if (this.sinceStart(next.at) > workflowTestLimits.days * 86_400_000)
      throw new TestProblem(`the run takes longer than ${workflowTestLimits.days} days by the clock of the test`);
    this.#now = Math.max(this.#now, next.at);
    next.act();
    return true;
  }

  #plan({ task, topic, cancel, at, status, data }: TestEvent, index: number): void {
    if ([task != null, topic != null, cancel === true].filter(Boolean).length !== 1)
      throw new TestProblem("must have one of task, topic and cancel", `/events/${index}`);
    if (task != null) return this.#checkDecided(task, index);
    const when = this.#begin + msOf(at);
    if (topic == null) return this.#queue.add(when, () => this.#send(this.#main, { kind: "cancel", message: "Cancelled by the test" }));
    const event = { status: status ?? "succeeded", payload: data ?? null } as const;
    this.#queue.add(when, () => {
      for (const played of [...this.#runs]) {
        played.run.events.set(topic, event);
        this.#send(played, { kind: "callback", topic, ...event });
      }
    });
  }

  #checkDecided(task: string, index: number): void {
    const node = this.#main.mocks.nodeOf(task, `/events/${index}/task`);
    if (node.type === "approval" || node.type === "manual") return;
    throw new TestProblem(
      `names the task ${task}, which is of type ${node.type}; only approvals and manual tasks are decided`,
      `/events/${index}/task`,
    );
  }

  #send(played: PlayedRun, event: RunEvent): void {
    const { run, parent } = played;
    run.now = this.#now;
    if (isFinal(run.state.status) || (event.kind === "callback" && run.state.startedAt === null)) return;
    run.send(event);
    this.#follow(played);
    // A waiting run has no place in the quota; here it gets one as soon as it wants it.
    while (run.state.activity === "wanted") {
      run.send({ kind: "activate" });
      this.#follow(played);
    }
    this.#cancelChildren(played);
    const { status, results, statusMessage: message, id: runId } = run.state;
    if (!parent || !isFinal(status)) return;
    const end: RunEvent = { kind: "child", taskRunId: parent.taskRunId, runId, status, results, message };
    this.#queue.add(this.#now, () => this.#send(parent.played, end));
  }

  /** Cancels child runs that no task run waits for any more. */
  #cancelChildren({ run }: PlayedRun): void {
    const over = new Set(run.tasks().flatMap(({ id, status }) => (isFinal(status) ? [id] : [])));
    for (const child of this.#runs)
      if (child.parent?.played.run === run && over.has(child.parent.taskRunId) && !isFinal(child.run.state.status))
        this.#queue.add(this.#now, () => this.#send(child, { kind: "cancel", message: "Cancelled with the run that started it" }));
  }

  /** Plans what follows from the change: attempts that start, actions to decide, moments to look again. */
  #follow(played: PlayedRun): void {
    const { lastChange, state } = played.run;
    if (!lastChange || isFinal(state.status)) return this.#note(lastChange);
    this.#note(lastChange);
    for (const task of [...lastChange.updated.map(({ after }) => after), ...lastChange.created]) {
      if (task.status === "ready" && task.executor !== null) this.#beginAttempt(played, task);
      else if (task.dueAt !== null && !isFinal(task.status)) this.#wakeAt(played, task.dueAt);
    }
    for (const action of lastChange.actions) this.#open(played, action);
    const deadline = nextDeadline(state);
    if (deadline !== null && deadline !== played.deadline) this.#wakeAt(played, deadline);
    played.deadline = deadline;
    if (lastChange.hasMore) this.#wakeAt(played, this.#now);
  }

  #note(change: InMemoryRun["lastChange"]): void {
    if (!change) return;
    const begun = change.updated.filter(({ before, after }) => before.status === "notstarted" && after.status !== "skipped");
    this.began.push(
      ...begun.map(({ after }) => after.id),
      ...change.created.filter(({ status }) => status !== "notstarted").map(({ id }) => id),
    );
  }

  #wakeAt(played: PlayedRun, at: number): void {
    this.#queue.add(at, () => this.#send(played, { kind: "look" }));
  }

  #beginAttempt(played: PlayedRun, task: TaskState): void {
    const claimed = played.run.claimTask(task);
    const end = played.mocks.endOf(claimed);
    if (claimed.dueAt !== null) this.#wakeAt(played, claimed.dueAt);
    const { id: taskRunId, attempt } = claimed;
    const event: RunEvent =
      end.status === "lost"
        ? { kind: "lost", taskRunId, attempt }
        : { kind: "ended", taskRunId, attempt, outcome: { ...end, status: end.status } };
    this.#queue.add(this.#now + end.durationMs, () => this.#send(played, event));
  }

  #open(played: PlayedRun, action: NewAction): void {
    const { run, prefixes } = played;
    const now = this.#now;
    const task = run.tasks().find(({ id }) => id === action.taskRunId);
    const node = task && run.plan.nodes[task.node];
    this.actions.open(action);
    const escalation = plannedEscalation(action, now);
    const isOpen = () => run.tasks().some(({ status, waitKey }) => status === "waiting" && waitKey === action.id);
    // Added before the decision: if both are at the same moment, the group gets the action first.
    if (escalation) this.#queue.add(escalation.at, () => isOpen() && this.actions.escalate(action, escalation));
    const names = new Set(prefixes.flatMap((prefix) => [`${prefix}${task?.name}`, `${prefix}${node?.name}`]));
    const decision = this.actions.decide(action, names, now);
    if (decision) this.#queue.add(decision.at, () => this.#send(played, decision.event));
  }
}

/** One of the runs of a test: that of the workflow, or of a nested one. */
interface PlayedRun {
  run: InMemoryRun;
  mocks: MockedEnds;
  nested: NestedPlans;
  /** Prefixes for the names of its tasks, the most specific first. */
  prefixes: readonly string[];
  parent: { played: PlayedRun; taskRunId: string } | undefined;
  deadline: number | null;
}

/** Explains why nothing more can happen although the run has not ended. */
function whyStuck(runs: readonly PlayedRun[]): string {
  const waiting = runs.flatMap(({ run, mocks, prefixes }) =>
    run
      .tasks()
      .filter((task) => task.status === "waiting" && task.waitKind !== "items" && !(task.waitKind === "run" && mocks.isPlayed(task)))
      .map((task) => ({ ...task, name: `${prefixes[0]}${task.name}` })),
  );
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

/** What is still to happen in a test, the earliest first; at the same moment, in the order of adding. */
class TestQueue {
  readonly #entries: { at: number; act: () => unknown }[] = [];

  add(at: number, act: () => unknown): void {
    let [low, high] = [0, this.#entries.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#entries[middle]!.at > at) low = middle + 1;
      else high = middle;
    }
    // Kept in reverse order, so that the next entry is at the end; a new entry goes before existing ones of the same moment.
    this.#entries.splice(low, 0, { at, act });
  }

  /** Removes and returns the next entry; undefined: there is none. */
  next(): { at: number; act: () => unknown } | undefined {
    return this.#entries.pop();
  }
}
