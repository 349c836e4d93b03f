import type { RunResult } from "@millrace/contract/common.ts";
import { ItemList } from "../../../core/run/items/item-list.ts";
import { NamedResults } from "../../../core/run/merge-results.ts";
import type { NodePlan } from "../../../core/run/rerun/plan-rerun.ts";
import { newTaskState, type RunState, type TaskState } from "../../../core/run/run-state.ts";
import type { Transaction } from "../../../store/database/database.ts";
import { findRerun, insertRerun, type TaskOrigin } from "../../../store/run/reruns.ts";
import { newIds } from "../../../store/run/run-states.ts";
import { findKeptValues } from "../../../store/run/task-runs.ts";
import type { FinishedRun, PreparedRerun } from "./prepare-rerun.ts";

/** Puts the reused task runs, with their results, into the initial state of a rerun. They are inserted together with the run. */

export interface Keeping {
  prepare: (state: RunState) => void;
  /** By id of the task run; known after `prepare`. */
  origins: Record<string, TaskOrigin>;
}

/** Who marks a task as succeeded, why, and when, by the database's clock. */
export interface Mark {
  by: string;
  name: string;
  reason: string;
  /** Epoch milliseconds. */
  now?: number;
}

type Values = Awaited<ReturnType<typeof findKeptValues>>;

interface Kept {
  plan: NodePlan;
  source: TaskState;
}

export async function keepTaskRuns(
  tx: Transaction,
  { row, state: original }: FinishedRun,
  { target, nodes, results }: PreparedRerun,
  mark: Mark | undefined,
): Promise<Keeping> {
  const kept = nodes.flatMap((plan): Kept[] =>
    plan.decision === "again" || plan.node === target.plan.end || !plan.source ? [] : [{ plan, source: plan.source }],
  );
  const lists = nodes.flatMap((plan) =>
    countKeptItems(original, plan) > 0 ? [{ node: plan.node, items: [...itemsOf(original, plan)] }] : [],
  );
  const itemIds = await newIds(
    tx,
    lists.reduce((sum, { items }) => sum + items.length, 0),
  );
  const sources = [...kept.map(({ source }) => source), ...lists.flatMap(({ items }) => items.filter(isDone))];
  const values = await findKeptValues(
    tx,
    original.teamId,
    sources.map(({ id }) => id),
  );
  const earlier = (await findRerun(tx, original.teamId, row.id))?.tasks ?? {};
  const origins: Record<string, TaskOrigin> = {};
  const reuse = (source: TaskState, id: string, node: number): TaskState => {
    if (source.type !== "start") origins[id] = earlier[source.id] ?? { how: "reused", runId: row.id, taskRunId: source.id };
    return { ...source, ...values.get(source.id), id, node };
  };
  const prepare = (state: RunState) => {
    for (const { plan, source } of kept) {
      const { id } = state.nodes[plan.node] as TaskState;
      if (plan.decision === "marked") {
        const at = new Date(mark?.now ?? 0).toISOString();
        origins[id] = {
          how: "marked",
          runId: row.id,
          taskRunId: source.id,
          by: mark?.by ?? "",
          name: mark?.name ?? "",
          reason: mark?.reason ?? "",
          at,
        };
        state.nodes[plan.node] = markedTask({ ...source, ...values.get(source.id), id, node: plan.node }, results, mark);
      } else state.nodes[plan.node] = reuse(source, id, plan.node);
      state.warningCount += values.get(source.id)?.warnings.length ?? 0;
    }
    const taken = itemIds.values();
    state.items = new Map(
      lists.map(({ node, items }) => [node, ItemList.of(items.map((item) => keepItem(item, node, taken.next().value as string)))]),
    );
    applyToRun(state, kept, values);
    function keepItem(source: TaskState, node: number, id: string): TaskState {
      if (isDone(source)) return reuse(source, id, node);
      return { ...newTaskState(target.plan, node, id, source.item), timeoutMinutes: state.nodes[node]?.timeoutMinutes ?? null };
    }
  };
  return { prepare, origins };
}

/** They are written in one statement, so their number is limited (core/run/items/for-each.ts). */
const mostKeptItems = 10_000;

/** Items of a forEach with an unchanged list that need not run again. */
export function countKeptItems(original: RunState, plan: NodePlan): number {
  if (!plan.keepsItems || !plan.source) return 0;
  const items = itemsOf(original, plan);
  return items.length > mostKeptItems ? 0 : [...items].filter(isDone).length;
}

function itemsOf({ items }: RunState, { source }: NodePlan): ItemList<TaskState> {
  return items.get(source?.node ?? -1) ?? ItemList.of<TaskState>([]);
}

function isDone({ status }: TaskState): boolean {
  return status === "succeeded";
}

function markedTask(failed: TaskState, results: RunResult[], mark: Mark | undefined): TaskState {
  return {
    ...failed,
    ...{ status: "succeeded", phase: "completed", reason: "MarkedSucceeded" },
    statusMessage: `Marked as succeeded by ${mark?.name}: ${mark?.reason}`,
    results,
    startedAt: mark?.now ?? failed.startedAt,
    endedAt: mark?.now ?? failed.endedAt,
  };
}

/** Effects of reused tasks on the run itself. */
function applyToRun(state: RunState, kept: readonly Kept[], values: Values): void {
  const byEnd = kept.filter(({ source }) => isDone(source)).sort((one, other) => (one.source.endedAt ?? 0) - (other.source.endedAt ?? 0));
  const results = new NamedResults(state.results);
  for (const { plan, source } of byEnd) {
    const found = values.get(source.id);
    if (plan.type === "setwfproperty") results.add(found?.results ?? [], Number.POSITIVE_INFINITY);
    if (plan.type === "setwfstatus") {
      const word = found?.params.find(({ name }) => name === "status")?.value;
      state.statusOverride = /^(succeeded|completed)$/i.test(String(word)) ? "succeeded" : "failed";
    }
  }
  state.results = results.list;
}

/** In the transaction that records the run. */
export async function recordOrigins(
  tx: Transaction,
  { row, state }: FinishedRun,
  run: { id: string; nodes: TaskState[] },
  { origins }: Keeping,
): Promise<void> {
  const reused = run.nodes.filter(({ id }) => origins[id]?.how === "reused").length;
  await insertRerun(tx, state.teamId, { runId: run.id, originId: row.id, originVersion: row.workflowVersion, reused, tasks: origins });
}
