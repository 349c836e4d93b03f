import { advance, type RunEvent } from "../run/advance.ts";
import { type Facts, type Needs, noFacts } from "../run/facts.ts";
import type { AttemptOutcome } from "../run/finish-task.ts";
import type { RunChange } from "../run/run-change.ts";
import type { RunState, TaskState } from "../run/run-state.ts";
import type { ChildAnswer, ChildStart, TaskTypes } from "../task/task-type.ts";
import type { Plan } from "../workflow/plan.ts";

/**
 * A run that exists only in memory: the pure core, with facts created on the spot. Locks are free unless the run holds them, every approver
 * group exists, and results are in the state. Tests of workflows run this way, and so do tests of the core.
 */
export class InMemoryRun {
  readonly plan: Plan;
  readonly types: TaskTypes;
  state: RunState;
  /** Epoch milliseconds. */
  now: number;
  lastChange: RunChange | undefined;
  /** The id of the run that holds each lock. */
  readonly locks = new Map<string, string>();
  /** The latest event from outside for each topic. */
  readonly events = new Map<string, { status: "succeeded" | "failed"; payload: unknown }>();
  /** Starts the run of a nested workflow; without it, a child run is only an id. */
  startChild: ((request: ChildStart) => ChildAnswer | undefined) | undefined;
  readonly #ids: () => string;

  constructor(plan: Plan, state: RunState, types: TaskTypes, now: number, ids = countedIds(0)) {
    this.plan = plan;
    this.state = state;
    this.types = types;
    this.now = now;
    this.#ids = ids;
  }

  send(...events: RunEvent[]): this {
    const facts = noFacts();
    for (;;) {
      const { change, needs } = advance(this.plan, this.state, events, facts, this.types, this.now);
      if (change) {
        this.lastChange = change;
        this.#release(change.releasedLocks);
        this.state = { ...change.after, stateVersion: change.before.stateVersion + 1 };
        return this;
      }
      this.#answer(needs, facts);
    }
  }

  /** A worker claims the ready task run: a new attempt starts, with its deadline. */
  claimTask(task: TaskState): TaskState {
    const deadlineAt = task.timeoutMinutes === null ? null : this.now + task.timeoutMinutes * 60_000;
    const claimed: TaskState = {
      ...task,
      status: "running",
      phase: "running",
      attempt: task.attempt + 1,
      workerId: "worker",
      startedAt: this.now,
      deadlineAt,
      dueAt: deadlineAt,
    };
    if (task.item === null) this.state.nodes[task.node] = claimed;
    else this.state.items.get(task.node)?.put(claimed);
    return claimed;
  }

  endAttempt(task: TaskState, outcome: AttemptOutcome): this {
    return this.send({ kind: "ended", taskRunId: task.id, attempt: task.attempt, outcome });
  }

  /** All existing task runs: nodes in their order, then items. */
  tasks(): TaskState[] {
    return [...this.state.nodes, ...[...this.state.items.values()].flatMap((items) => [...items])];
  }

  #answer(needs: Needs, facts: Facts): void {
    while (needs.ids && facts.ids.length < needs.ids) facts.ids.push(this.#ids());
    for (const id of needs.results ?? []) facts.results.set(id, []);
    if (needs.event !== undefined) facts.events.set(needs.event, this.events.get(needs.event) ?? null);
    if (needs.lock) facts.locks.set(needs.lock.key, this.#lock(needs.lock.key));
    if (needs.later) facts.later.set(needs.later.taskRunId, { scheduleId: this.#ids() });
    if (needs.child) facts.children.set(needs.child.taskRunId, this.startChild?.(needs.child) ?? { runId: this.#ids() });
    if (needs.group !== undefined)
      facts.groups.set(needs.group, { id: needs.group, name: needs.group, members: anyNumber, otherMembers: anyNumber });
  }

  #lock(key: string): { held: true } | { held: false; holder: string } {
    const holder = this.locks.get(key) ?? this.state.id;
    this.locks.set(key, holder);
    return holder === this.state.id ? { held: true } : { held: false, holder };
  }

  #release(keys: RunChange["releasedLocks"]): void {
    if (keys === "all") return;
    for (const key of keys) if (this.locks.get(key) === this.state.id) this.locks.delete(key);
  }
}

/** More members than any number of required approvals. */
const anyNumber = 1000;

/** Ids that are the same each time. @param from number of ids that are already in use */
export function countedIds(from: number): () => string {
  let ids = from;
  return () => {
    ids += 1;
    return `00000000-0000-7000-8000-${String(ids).padStart(12, "0")}`;
  };
}
