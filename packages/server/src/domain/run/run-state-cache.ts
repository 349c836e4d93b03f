import { BoundedCache } from "../../base/process/bounded-cache.ts";
import { lengthOf, textLengthOf } from "../../core/run/result-sizes.ts";
import type { RunState, TaskState } from "../../core/run/run-state.ts";
import { nextTaskRun } from "../../core/run/task-run-machine.ts";

/**
 * The last states of runs that this process knows, so that the end of an attempt needs no read first. A state may be outdated: a change
 * that is computed from it must be written under the fence of its `stateVersion`, which then refuses it.
 *
 * Only small states are cached: large results, and the parameters of ended task runs, stay in the database.
 */

/** Estimated size of all states: about a hundred thousand task runs. */
const maxBytes = 134_217_728;
/** Of a task run without its results and parameters. */
const taskRunBytes = 1000;
/** Characters of JSON. */
const maxResultLength = 8192;

export class RunStateCache {
  readonly #states = new BoundedCache<RunState>("run-states", { maxBytes, bytesOf });

  get(runId: string): RunState | undefined {
    return this.#states.get(runId);
  }

  /** Stores a committed state, unless a newer one is known. */
  put(state: RunState): void {
    const known = this.#states.peek(state.id);
    if (known && known.stateVersion > state.stateVersion) return;
    this.delete(state.id);
    if (state.phase !== "running") return;
    this.#states.set(state.id, {
      ...state,
      nodes: state.nodes.map(lighten),
      items: new Map([...state.items].map(([node, items]) => [node, items.lightened(lighten, charactersOf)])),
    });
  }

  delete(runId: string): void {
    this.#states.delete(runId);
  }

  /** A claim changes a task run without the run's lock, and so without a new version. */
  claimed(
    claim: { runId: string; node: number; item: number | null; attempt: number; claimedAt: Date; deadlineAt: Date | null },
    workerId: string,
  ): void {
    const state = this.#states.peek(claim.runId);
    const items = state?.items.get(claim.node);
    const task = claim.item === null ? state?.nodes[claim.node] : items?.at(claim.item);
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

function lighten(task: TaskState): TaskState {
  const isHeavy = lengthOnce(task.results, lengthOf) > maxResultLength;
  const keepsParams = task.status === "waiting";
  if (!isHeavy && (keepsParams || task.params === undefined)) return task;
  return { ...task, results: isHeavy ? undefined : task.results, params: keepsParams ? task.params : undefined, warnings: undefined };
}

/** An estimate that is cheap to compute, since it is called for each change of a run. */
function bytesOf({ layers, results, nodes, items }: RunState): number {
  let characters = lengthOnce(layers, textLengthOf) + lengthOnce(results, lengthOf);
  let count = nodes.length;
  for (const task of nodes) characters += charactersOf(task);
  for (const list of items.values()) {
    count += list.length;
    characters += list.weight;
  }
  return count * taskRunBytes + 2 * characters;
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
