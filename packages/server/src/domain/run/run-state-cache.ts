import type { RunState, TaskState } from "../../core/run/run-state.ts";
import { nextTaskRun } from "../../core/run/task-run-machine.ts";

/**
 * States of runs as this process last knew them, so that the end of an attempt need not be preceded by a read. A state may be old: whoever
 * computes a change from it must write it under the fence of its `stateVersion`, which refuses it then.
 *
 * Only light states are kept: large results and the parameters of task runs that are over stay in the database.
 */

const maxTaskRuns = 100_000;
const maxResultLength = 8192;

export class RunStateCache {
  private readonly states = new Map<string, RunState>();
  private taskRuns = 0;

  get(runId: string): RunState | undefined {
    return this.states.get(runId);
  }

  /** Keeps a committed state, unless a newer one is known already. */
  put(state: RunState): void {
    const known = this.states.get(state.id);
    if (known && known.stateVersion > state.stateVersion) return;
    this.delete(state.id);
    if (state.phase !== "running") return;
    this.states.set(state.id, {
      ...state,
      nodes: state.nodes.map(lighten),
      items: new Map([...state.items].map(([node, items]) => [node, items.map(lighten)])),
    });
    this.taskRuns += sizeOf(state);
    for (const oldest of this.states.keys()) {
      if (this.taskRuns <= maxTaskRuns || oldest === state.id) return;
      this.delete(oldest);
    }
  }

  delete(runId: string): void {
    const known = this.states.get(runId);
    if (!known) return;
    this.states.delete(runId);
    this.taskRuns -= sizeOf(known);
  }

  /** A claim changes a task run without its run's lock, and so without a new version. */
  claimed(
    claim: { runId: string; node: number; item: number | null; attempt: number; claimedAt: Date; deadlineAt: Date | null },
    workerId: string,
  ): void {
    const state = this.states.get(claim.runId);
    const tasks = claim.item === null ? state?.nodes : state?.items.get(claim.node);
    const index = claim.item ?? claim.node;
    const task = tasks?.[index];
    if (!tasks || task?.status !== "ready" || task.attempt !== claim.attempt - 1) return this.delete(claim.runId);
    const deadlineAt = claim.deadlineAt?.getTime() ?? null;
    tasks[index] = {
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
  }
}

function sizeOf(state: RunState): number {
  return state.nodes.length + [...state.items.values()].reduce((sum, items) => sum + items.length, 0);
}

function lighten(task: TaskState): TaskState {
  const isHeavy = task.results !== undefined && task.results.length > 0 && JSON.stringify(task.results).length > maxResultLength;
  const keepsParams = task.status === "waiting";
  if (!isHeavy && (keepsParams || task.params === undefined)) return task;
  return { ...task, results: isHeavy ? undefined : task.results, params: keepsParams ? task.params : undefined, warnings: undefined };
}
