// What a process remembers of the database, so that it need not ask: the states of runs, the plans, and the time.
import { BoundedCache } from "../../base/process/bounded-cache.ts";
import { pauseIfLarge } from "../../base/process/slices.ts";
import { lengthOf, textLengthOf } from "../../core/run/result-sizes.ts";
import type { RunState, TaskState } from "../../core/run/run-state.ts";
import { nextTaskRun } from "../../core/run/task-run-machine.ts";
import { type NestedRef, nestedDocument } from "../../core/workflow/nested-workflow.ts";
import { compilePlan, type DocumentNode, type Plan, type PlanDocument, type PlanTask } from "../../core/workflow/plan.ts";
import type { WorkflowDocument } from "../../core/workflow/workflow-document.ts";
import type { NestedPlan, NestedPlans } from "../../core/workflow-test/nested-plan.ts";
import type { Queryable } from "../../store/database/database.ts";
import { findPlanDocument, listPlanTasks } from "../../store/run/plans.ts";

/**
 * The last states of runs that this process knows, so that the end of an attempt needs no read first. A state may be outdated: a change
 * that is computed from it must be written under the fence of its `stateVersion`, which then refuses it.
 *
 * Only small states are cached: large results, and the parameters of ended task runs, stay in the database.
 */

/** Estimated size of all states: up to a hundred thousand task runs. */
const maxStateBytes = 134_217_728;
/** Of a run without its tasks, layers and results; of a task run without its results and parameters. */
const runBytes = 700;
const taskRunBytes = 1000;
/** Characters of JSON. */
const maxResultLength = 8192;

/** What a state needs to know of a claim. */
interface MadeClaim {
  runId: string;
  node: number;
  item: number | null;
  attempt: number;
  claimedAt: Date;
  deadlineAt: Date | null;
}

export class RunStateCache {
  readonly #states = new BoundedCache<RunState>("run-states", { maxBytes: maxStateBytes, bytesOf: bytesOfState });
  /** Of runs that this process writes right now: the claims since then. */
  readonly #written = new Map<string, { writers: number; claims: { claim: MadeClaim; workerId: string }[] }>();

  get(runId: string): RunState | undefined {
    return this.#states.get(runId);
  }

  /** Stores a committed state, unless a newer one is known. */
  put(state: RunState): void {
    const known = this.#states.peek(state.id);
    if (known && known.stateVersion > state.stateVersion) return;
    this.delete(state.id);
    if (state.phase !== "running" || onlyWaits(state)) return;
    this.#states.set(state.id, {
      ...state,
      nodes: state.nodes.map(compact),
      items: new Map([...state.items].map(([node, items]) => [node, items.compacted(compact, charactersOf)])),
    });
    for (const { claim, workerId } of this.#written.get(state.id)?.claims ?? []) this.#add(claim, workerId);
  }

  /**
   * A claim changes no version. So if the response to one arrives while the run is written, nothing says whether the state that is stored
   * after the write has it. Without it, the end of that attempt has to read the whole run.
   *
   * @param write stores the states before it resolves; claims that were made since it began are added to them
   */
  async keepClaims<T>(runIds: readonly string[], write: () => Promise<T>): Promise<T> {
    for (const id of runIds) {
      const written = this.#written.get(id) ?? { writers: 0, claims: [] };
      written.writers += 1;
      this.#written.set(id, written);
    }
    try {
      return await write();
    } finally {
      for (const id of runIds) {
        const written = this.#written.get(id);
        if (written) written.writers -= 1;
        if (written?.writers === 0) this.#written.delete(id);
      }
    }
  }

  delete(runId: string): void {
    this.#states.delete(runId);
  }

  /** A claim changes a task run without the run's lock, and so without a new version. */
  claimed(claim: MadeClaim, workerId: string): void {
    this.#written.get(claim.runId)?.claims.push({ claim, workerId });
    this.#add(claim, workerId);
  }

  #add(claim: MadeClaim, workerId: string): void {
    const state = this.#states.peek(claim.runId);
    const items = state?.items.get(claim.node);
    const task = claim.item === null ? state?.nodes[claim.node] : items?.at(claim.item);
    // The state is of a moment after the claim.
    if (task && task.attempt >= claim.attempt) return;
    if (!state || task?.status !== "ready" || task.attempt !== claim.attempt - 1) return this.delete(claim.runId);
    const deadlineAt = claim.deadlineAt?.getTime() ?? null;
    const claimed: TaskState = {
      ...task,
      ...nextTaskRun(nextTaskRun(task, "claim"), "start"),
      attempt: claim.attempt,
      workerId,
      reason: null,
      statusMessage: null,
      startedAt: claim.claimedAt.getTime(),
      deadlineAt,
      dueAt: deadlineAt,
    };
    if (claim.item === null) state.nodes[claim.node] = claimed;
    else items?.put(claimed);
  }
}

/**
 * No attempt of such a run can end, and what wakes it reads its row. There may be many of them for a long time, so they would take the memory
 * of all others. Runs with items are kept: they continue from memory when a child ends.
 */
const onlyWaits = ({ activity, items }: RunState) => activity === "none" && items.size === 0;

function compact(task: TaskState): TaskState {
  const isHeavy = lengthOnce(task.results, lengthOf) > maxResultLength;
  const keepsParams = task.status === "waiting";
  if (!isHeavy && (keepsParams || task.params === undefined)) return task;
  return { ...task, results: isHeavy ? undefined : task.results, params: keepsParams ? task.params : undefined, warnings: undefined };
}

/** An estimate that is cheap to compute, since it is called for each change of a run. */
function bytesOfState({ layers, results, nodes, items }: RunState): number {
  let characters = lengthOnce(layers, textLengthOf) + lengthOnce(results, lengthOf);
  let count = nodes.length;
  for (const task of nodes) characters += charactersOf(task);
  for (const list of items.values()) {
    count += list.length;
    characters += list.weight;
  }
  return runBytes + count * taskRunBytes + 2 * characters;
}

function charactersOf({ results, params }: TaskState): number {
  return lengthOnce(results, lengthOf) + lengthOnce(params, textLengthOf);
}

/** Values of a run are replaced and never modified, so each is measured once, however many states contain it. */
const lengths = new WeakMap<object, number>();

function lengthOnce<Measured extends object>(value: Measured | undefined, measure: (value: Measured) => number): number {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return 0;
  let length = lengths.get(value);
  if (length === undefined) {
    length = measure(value);
    lengths.set(value, length);
  }
  return length;
}

/** Plans by content. A plan never changes, so entries are never outdated; they are only evicted for space. */
export interface PlanKey {
  teamId: string;
  workflowVersionId: string;
  taskVersionIds: readonly string[];
}

/** Estimated size of all plans. */
const maxPlanBytes = 134_217_728;
/** Of a node of a plan, in addition to the texts of its document. */
const nodeBytes = 1500;

interface Kept {
  plan: Plan;
  bytes: number;
}

export class PlanCache {
  readonly #plans = new BoundedCache<Kept>("plans", { maxBytes: maxPlanBytes, bytesOf: ({ bytes }) => bytes });

  async load(db: Queryable, key: PlanKey): Promise<Plan> {
    const name = `${key.workflowVersionId} ${key.taskVersionIds.join(" ")}`;
    const known = this.#plans.get(name);
    if (known) return known.plan;
    const [found, tasks] = await Promise.all([
      findPlanDocument(db, key.teamId, key.workflowVersionId),
      listPlanTasks(db, key.taskVersionIds),
    ]);
    if (!found) throw new Error(`workflow version ${key.workflowVersionId} is gone`);
    const { document, trial, nesting } = found;
    await pauseIfLarge(document.tasks.length);
    const plan = compilePlan(document, taskFinder(tasks), trial ?? undefined, nesting ?? undefined);
    await pauseIfLarge(document.tasks.length);
    const characters = [document, trial, tasks].reduce((sum: number, one) => sum + textLengthOf(one), 0);
    this.#plans.set(name, { plan, bytes: plan.nodes.length * nodeBytes + 2 * characters });
    return plan;
  }
}

/** For a document with everything that is nested in it. @param taskVersionIds those that all of it uses */
export async function compileDocument(
  db: Queryable,
  document: WorkflowDocument,
  taskVersionIds: readonly string[],
): Promise<CompiledDocument> {
  return compileLevel(document, taskFinder(await listPlanTasks(db, taskVersionIds)));
}

interface CompiledDocument {
  plan: Plan;
  nested: NestedPlans;
}

/** Where nested workflows are stored does not matter here. */
const nowhere: NestedRef = { workflowId: "", version: 0 };

function compileLevel(document: WorkflowDocument, findTask: ReturnType<typeof taskFinder>): CompiledDocument {
  const nested = new Map(
    document.tasks.flatMap((task): [string, NestedPlan][] => {
      const found = nestedDocument(task);
      if (found === undefined) return [];
      const { plan, nested: inner } = compileLevel(found, findTask);
      return [[task.name, { plan, inner, document: { params: found.params, timeout: found.timeout ?? null } }]];
    }),
  );
  const inner = Object.fromEntries([...nested.keys()].map((name) => [name, nowhere]));
  return { plan: compilePlan(document as PlanDocument, findTask, undefined, { inner }), nested };
}

/** The team's own task takes precedence over the global one of the same name. */
function taskFinder(tasks: readonly PlanTask[]): (node: DocumentNode) => PlanTask | undefined {
  const sorted = [...tasks].sort((one, other) => Number(one.isGlobal) - Number(other.isGlobal));
  return (node) => {
    const name = node.taskRef?.includes("/") ? node.taskRef.slice(node.taskRef.indexOf("/") + 1) : node.taskRef;
    return sorted.find((task) => (task.name === name || task.id === node.taskRef) && task.version === node.taskVersion);
  };
}

/**
 * Estimates the database's clock from its last response and this process's monotonic clock. Used for times that are shown and for wake
 * times, where a millisecond doesn't matter. Fences never depend on it.
 */
export class DatabaseClock {
  #base: { database: number; monotonic: number } | undefined;

  note(databaseMs: number): void {
    this.#base = { database: databaseMs, monotonic: performance.now() };
  }

  /** Epoch milliseconds; undefined until the first response with the database's time. */
  now(): number | undefined {
    return this.#base && Math.round(this.#base.database + performance.now() - this.#base.monotonic);
  }
}
