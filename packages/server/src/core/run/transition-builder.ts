import { isFinal } from "@millrace/contract/status.ts";
import { WorkBudget } from "../document/work-budget.ts";
import type { Ask, ChildRequest, ChildStart, LaterRequest, NewAction, TaskTypes } from "../task/task-type.ts";
import { type NamedValue, nodeAt, type Plan, type PlanEdge, type PlanNode } from "../workflow/plan.ts";
import { type Facts, MissingFact, type Needs, type ValueWarning } from "./facts.ts";
import { handlerDeadline } from "./handlers/handler-turns.ts";
import { ItemList } from "./items/item-list.ts";
import type { LoopScope } from "./loops/loop-scope.ts";
import { NamedResults } from "./merge-results.ts";
import { referredNodes } from "./resolve-node.ts";
import {
  maxChangeParamsLength,
  maxNodeParamsLength,
  maxResultsLength,
  OversizedParameters,
  OversizedResults,
  textLengthOf,
} from "./result-sizes.ts";
import { activityOf, nextDeadline, withActivity } from "./run-activity.ts";
import type { AttemptRecord, RunChange, Signal } from "./run-change.ts";
import { nextRun, type RunEventName } from "./run-machine.ts";
import type { RunResult, RunState, TaskState } from "./run-state.ts";
import type { Pair } from "./state-machine.ts";
import { nextTaskRun, type TaskRunEventName } from "./task-run-machine.ts";

export interface ChosenEdges {
  edges: ReadonlySet<PlanEdge>;
  warnings: readonly ValueWarning[];
}

/** A change that does not touch the status and the phase. */
export type TaskPatch = Partial<Omit<TaskState, keyof Pair>> & { [member in keyof Pair]?: never };
type RunPatch = Partial<Omit<RunState, keyof Pair>> & { [member in keyof Pair]?: never };

/**
 * The working copy of a run while `advance` decides: it reads from the state, writes to copies, and what was written becomes the change.
 * Facts that only the database knows are requested. If one is not among the facts at hand, the whole advance is abandoned with
 * `MissingFact`; the caller fetches the fact and starts over. Nothing was written, so nothing is lost.
 */
export class TransitionBuilder {
  readonly plan: Plan;
  readonly before: RunState;
  readonly run: RunState;
  readonly now: number;
  readonly types: TaskTypes;
  readonly attempts: AttemptRecord[] = [];
  readonly actions: NewAction[] = [];
  readonly signals: Signal[] = [];
  readonly releasedLocks: string[] = [];
  readonly created: TaskState[] = [];
  /** Nodes whose dependencies have all ended and that have not been considered yet. */
  readonly ready: number[] = [];
  /** forEach and loop nodes whose items are to be created. */
  readonly expanding: number[] = [];
  /** forEach nodes whose list of items must be examined. */
  readonly itemNodes: number[] = [];
  /** Number of items started in this change. */
  itemsBegun = 0;
  /** Number of rounds of loops started in this change. */
  roundsBegun = 0;
  /** More could start than one change may contain: the engine continues at once. */
  hasMore = false;
  /** The edges that decisions chose, by the decision's node. */
  readonly #chosen = new Map<number, ChosenEdges>();
  readonly #facts: Facts;
  readonly #touched = new Map<TaskState, TaskState>();
  readonly #fresh = new Set<TaskState>();
  readonly #openDependencies: Int32Array;
  /** Nodes whose list of items was already copied by this draft. */
  readonly #ownItems = new Set<number>();
  #idsTaken = 0;
  #loopWork: WorkBudget | undefined;
  /** Those of the run; undefined until a task sets one. */
  #results: NamedResults | undefined;
  #paramsLength = 0;

  constructor(plan: Plan, state: RunState, facts: Facts, types: TaskTypes, now: number) {
    this.plan = plan;
    this.before = state;
    this.run = { ...state, nodes: [...state.nodes], items: new Map(state.items) };
    this.#facts = facts;
    this.types = types;
    this.now = now;
    this.#openDependencies = countOpenDependencies(plan, state.nodes);
  }

  /** The work left for evaluating conditions of loops. */
  get loopWork(): WorkBudget {
    this.#loopWork ??= new WorkBudget(20_000_000);
    return this.#loopWork;
  }

  node(index: number): PlanNode {
    return nodeAt(this.plan, index);
  }

  /** The node's own task run, as it is in this draft. */
  task(index: number): TaskState {
    const task = this.run.nodes[index];
    if (!task) throw new Error(`run ${this.run.id} has no task run for node ${index}`);
    return task;
  }

  /** Finds a task run that has started and not ended. */
  findInProgress(taskRunId: string): TaskState | undefined {
    for (const items of this.run.items.values()) for (const task of items.itemsInProgress()) if (task.id === taskRunId) return task;
    return this.run.nodes.find(({ id, status }) => id === taskRunId && status !== "notstarted" && !isFinal(status));
  }

  /** All task runs that have not ended. */
  open(): TaskState[] {
    const nodes = this.run.nodes.filter((task) => !isFinal(task.status));
    return [...nodes, ...[...this.run.items.values()].flatMap((items) => [...items.openItems()])];
  }

  /** All task runs that wait for anything, are at a worker, or are ready for one. */
  inProgress(): TaskState[] {
    const nodes = this.run.nodes.filter(({ status }) => status !== "notstarted" && !isFinal(status));
    return [...nodes, ...[...this.run.items.values()].flatMap((items) => [...items.itemsInProgress()])];
  }

  /** Changes a task run but not its state; returns the copy that is now the current one. */
  update(task: TaskState, patch: TaskPatch): TaskState {
    return this.#write(task, patch);
  }

  /**
   * The only place where the state of a task run changes: by these events, one after the other, following the table of the state machine.
   *
   * @returns the copy that is now the current one
   * @throws if the table refuses an event
   */
  move(task: TaskState, patch: TaskPatch, ...events: readonly TaskRunEventName[]): TaskState {
    let pair: Pair = this.#touched.get(task) ?? task;
    for (const event of events) pair = nextTaskRun(pair, event);
    return this.#write(task, patch, pair);
  }

  /** The only place where the state of the run changes. @throws if its table refuses the event */
  moveRun(patch: RunPatch, event: RunEventName): void {
    Object.assign(this.run, patch, nextRun(this.run, event));
  }

  /** Changes the run but not its state. */
  noteRun(patch: RunPatch): void {
    Object.assign(this.run, patch);
  }

  #write(task: TaskState, patch: TaskPatch, pair?: Pair): TaskState {
    const current = this.#touched.get(task) ?? task;
    if (this.#fresh.has(current)) {
      if (current.item === null) return Object.assign(current, patch, pair);
      this.items(current.node).amend(current, patch, pair);
      return current;
    }
    const copy = { ...task, ...patch, ...pair };
    this.#fresh.add(copy);
    this.#touched.set(task, copy);
    this.#place(copy);
    return copy;
  }

  /** From here on task runs of this run may go to workers. */
  givePlace(): void {
    Object.assign(this.run, withActivity(this.run, "active", this.now));
  }

  /** Appends items to those of a forEach node, in order. */
  createItems(node: number, tasks: TaskState[]): void {
    for (const task of tasks) this.#fresh.add(task);
    for (const task of tasks) this.created.push(task);
    this.#setItems(node, this.items(node).extended(tasks));
  }

  /** One dependency of each successor has ended; successors with no dependencies left become candidates. */
  releaseSuccessors(node: PlanNode): void {
    for (const edge of node.outgoing) {
      const left = (this.#openDependencies[edge.to] ?? 0) - 1;
      this.#openDependencies[edge.to] = left;
      if (left === 0) this.ready.push(edge.to);
    }
  }

  /** Chosen once for each decision. @throws CostlyPatterns */
  edgesChosenBy({ index, outgoing }: PlanNode, value: string): ChosenEdges {
    let chosen = this.#chosen.get(index);
    if (!chosen) {
      const { choice, warnings } = this.#facts.decisions.choose(index, value, outgoing);
      chosen = { edges: new Set(outgoing.filter((_, at) => choice[at])), warnings };
      this.#chosen.set(index, chosen);
    }
    return chosen;
  }

  /** The items as they are in this draft. */
  items(node: number): ItemList<TaskState> {
    return this.run.items.get(node) ?? noItems;
  }

  /** For a run that starts in the middle, with task runs reused from another run. */
  considerOpenNodes(): void {
    for (const node of this.plan.nodes) {
      if (node.turn === "flow" && this.#openDependencies[node.index] === 0 && !isFinal(this.task(node.index).status))
        this.ready.push(node.index);
    }
  }

  /** @param ahead how many to request if there are too few, because the caller is going to need them */
  takeIds(count: number, ahead = count): string[] {
    const ids = this.#facts.ids.slice(this.#idsTaken, this.#idsTaken + count);
    if (ids.length < count) throw new MissingFact({ ids: this.#idsTaken + Math.max(count, ahead) });
    this.#idsTaken += count;
    return ids;
  }

  /** Merges results into those of the run, by name. If they would become too large together, it changes nothing and returns false. */
  addRunResults(more: readonly RunResult[]): boolean {
    const results = this.#results ?? new NamedResults(this.run.results);
    this.#results = results;
    if (!results.add(more, maxResultsLength)) return false;
    this.run.results = results.list;
    return true;
  }

  /** Whether there is room for the parameters of one more task run of the largest size. */
  hasParamsRoom(): boolean {
    return this.#paramsLength <= maxChangeParamsLength - maxNodeParamsLength;
  }

  /** Counts parameters that this change will write. @throws OversizedParameters if all of them together are too large */
  takeParamsLength(params: readonly NamedValue[]): void {
    const length = textLengthOf(params);
    if (this.#paramsLength + length > maxChangeParamsLength)
      throw new OversizedParameters("The parameters of the tasks that start at this moment", maxChangeParamsLength);
    this.#paramsLength += length;
  }

  /** Results of each of these task runs. If some are not at hand, all missing ones are fetched together. @throws OversizedResults */
  results(tasks: readonly TaskState[]): RunResult[][] {
    const missing: string[] = [];
    const found = tasks.map((task) => {
      const results = task.results ?? this.#facts.results.get(task.id);
      if (!results) missing.push(task.id);
      return results ?? [];
    });
    if (missing.length === 0) return found;
    const bytes = this.#facts.oversized?.get(missing.join(" "));
    throw bytes === undefined ? new MissingFact({ results: missing }) : new OversizedResults(bytes);
  }

  /** The questions a task type may ask, bound to one task run. */
  ask(task: TaskState): Ask {
    return {
      newId: () => this.takeIds(1)[0] as string,
      event: (topic) => known(this.#facts.events.get(topic), { event: topic }) ?? undefined,
      lock: (key) => this.#askForLock(key, task.id),
      child: (request) => this.#facts.children.get(task.id) ?? this.#requestChild(task, request),
      later: (request) => this.#facts.later.get(task.id) ?? this.#requestLater(task, request),
      group: (reference) => known(this.#facts.groups.get(reference), { group: reference }) ?? undefined,
    };
  }

  change(): RunChange {
    if ([...this.#touched].some(([before, after]) => (before.waitKind === "action") !== (after.waitKind === "action"))) {
      const items = [...this.run.items.values()];
      this.run.awaitingApproval =
        items.some(({ hasActions }) => hasActions) || this.run.nodes.some(({ waitKind }) => waitKind === "action");
    }
    this.#settleActivity();
    this.run.warningCount += this.#newWarnings();
    return {
      before: this.before,
      after: this.run,
      updated: [...this.#touched].map(([before, after]) => ({ before, after })),
      created: this.created,
      attempts: this.attempts,
      actions: this.actions,
      signals: this.signals,
      releasedLocks: isFinal(this.run.status) ? "all" : this.releasedLocks,
      hasMore: this.hasMore && !isFinal(this.run.status),
    };
  }

  /** A task run gets its warnings when it starts for the first time; what a further attempt resolves is the same. */
  #newWarnings(): number {
    const first = [...this.#touched].filter(([before]) => before.readyAt === null && before.attempt === 0);
    const found = first.map(([before, after]) => (after.warnings?.length ?? 0) - (before.warnings?.length ?? 0));
    return [...found, ...this.created.map(({ warnings }) => warnings?.length ?? 0)].reduce((sum, count) => sum + count, 0);
  }

  /** Releases the run's place if no task needs it any more, and computes when the engine must next look at the run. */
  #settleActivity(): void {
    const { run } = this;
    const isRunning = run.phase === "running";
    const tasks = isRunning ? activityOf(run.nodes, run.items.values()) : "none";
    Object.assign(run, withActivity(run, tasks, this.now));
    run.dueAt = isRunning ? (this.hasMore ? this.now : this.#nextDeadline()) : null;
  }

  #nextDeadline(): number | null {
    const ofHandlers = this.plan.handlers ? handlerDeadline(this.plan, this.run) : null;
    return ofHandlers ?? nextDeadline(this.run);
  }

  /** A lock that this draft released and now acquires again stays held. */
  #askForLock(key: string, taskRunId: string) {
    const answer = known(this.#facts.locks.get(key), { lock: { key, taskRunId } });
    const released = this.releasedLocks.indexOf(key);
    if (answer.held && released >= 0) this.releasedLocks.splice(released, 1);
    return answer;
  }

  /** All results that the node refers to, by the node that has them; fetched at once, before any is examined. */
  resultsReferredBy(node: PlanNode): ReadonlyMap<number, readonly RunResult[]> {
    const tasks = referredNodes(this.plan, node).map((index) => this.task(index));
    // The end node has results even if it was skipped (run-outcome.ts).
    const over = tasks.filter((task) => task.endedAt !== null && (task.status !== "skipped" || task.node === this.plan.end));
    const results = this.results(over);
    return new Map(over.map((task, at) => [task.node, results[at] ?? []]));
  }

  /** What a round can read about its loop. @param index of the round, or of the one that would follow */
  loopOf(node: number, index: number): LoopScope {
    const last = this.items(node).at(index - 1);
    return { index, previous: last && { status: last.status, results: this.results([last])[0] ?? [] } };
  }

  #requestChild(task: TaskState, request: ChildRequest): never {
    throw new MissingFact({ child: { ...request, ...this.#scopeFor(task) } });
  }

  #requestLater(task: TaskState, request: LaterRequest): never {
    throw new MissingFact({ later: { ...request, ...this.#scopeFor(task) } });
  }

  /** The scope in which the parameters for another run are resolved again, with secrets in clear text. */
  #scopeFor({ node, item }: TaskState): Pick<ChildStart, "node" | "item" | "results" | "loop"> {
    const planNode = this.node(node);
    const loop = item !== null && planNode.loop ? this.loopOf(node, item) : undefined;
    return { node, item, results: this.resultsReferredBy(planNode), ...(loop && { loop }) };
  }

  #place(task: TaskState): void {
    if (task.item === null) {
      this.run.nodes[task.node] = task;
      return;
    }
    if (!this.#ownItems.has(task.node)) this.#setItems(task.node, this.items(task.node).copy());
    this.items(task.node).put(task);
  }

  #setItems(node: number, items: ItemList<TaskState>): void {
    this.#ownItems.add(node);
    (this.run.items as Map<number, ItemList<TaskState>>).set(node, items);
  }
}

const noItems: ItemList<TaskState> = ItemList.of<TaskState>([]);

function known<T>(value: T | undefined, needs: Needs): T {
  if (value === undefined) throw new MissingFact(needs);
  return value;
}

/** Number of edges into each node from nodes that have not ended. Counted from the rows each time: a stored counter could become wrong. */
function countOpenDependencies(plan: Plan, nodes: readonly TaskState[]): Int32Array {
  const open = new Int32Array(plan.nodes.length);
  for (const node of plan.nodes) {
    const task = nodes[node.index];
    if (task && isFinal(task.status)) continue;
    for (const edge of node.outgoing) open[edge.to] = (open[edge.to] ?? 0) + 1;
  }
  return open;
}
