import { advance, type RunEvent } from "../run/advance.ts";
import { type Facts, type Needs, noFacts } from "../run/facts.ts";
import type { AttemptOutcome } from "../run/finish-task.ts";
import type { RunChange } from "../run/run-change.ts";
import type { RunState, TaskState } from "../run/run-state.ts";
import type { ChildAnswer, ChildStart, TaskTypes } from "../task/task-type.ts";
import type { Plan } from "../workflow/plan.ts";

/**
 * A run that is only in memory: the pure core, with facts made up on the spot. Locks are free unless the run holds them, every approver group
 * exists, and results are where the state has them. Tests of workflows run this way, and tests of the rules.
 */
export class InMemoryRun {
  readonly plan: Plan;
  readonly types: TaskTypes;
  state: RunState;
  /** Epoch milliseconds. */
  now: number;
  lastChange: RunChange | undefined;
  /** Who holds which lock: the id of a run. */
  readonly locks = new Map<string, string>();
  /** Events from outside so far, by topic. */
  readonly events = new Map<string, { status: "succeeded" | "failed"; payload: unknown }>();
  /** Begins the run of a nested workflow; without it, a child is no more than an id. */
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
        this.#giveBack(change.releasedLocks);
        this.state = { ...change.after, stateVersion: change.before.stateVersion + 1 };
        return this;
      }
      this.#answer(needs, facts);
    }
  }

  /** A worker claims the task run, which is ready: a new attempt, with its deadline. */
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

  /** All task runs that there are: nodes in their order, then items. */
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

  #giveBack(keys: RunChange["releasedLocks"]): void {
    if (keys === "all") return;
    for (const key of keys) if (this.locks.get(key) === this.state.id) this.locks.delete(key);
  }
}

/** Nobody asks for more approvals than there are members. */
const anyNumber = 1000;

/** Ids that are the same each time. @param from how many are taken */
export function countedIds(from: number): () => string {
  let ids = from;
  return () => {
    ids += 1;
    return `00000000-0000-7000-8000-${String(ids).padStart(12, "0")}`;
  };
}
