import type { DeclaredResult, RerunPlan } from "@millrace/contract/run/rerun.ts";
import { isFinal } from "@millrace/contract/status.ts";
import { AppError } from "../../../base/error/app-error.ts";
import type { PlanNode } from "../../../core/workflow/plan.ts";
import type { Queryable } from "../../../store/database/database.ts";
import { readRunState } from "../../../store/run/run-states.ts";
import type { RunRow } from "../../../store/run/runs.ts";
import type { RunContext } from "../run-context.ts";
import { countKeptItems } from "./keep-task-runs.ts";
import { declaredResults } from "./mark-succeeded.ts";
import { type FinishedRun, type PreparedRerun, prepareRerun, type RerunOptions } from "./prepare-rerun.ts";

/** What a rerun would do, as people and programs see it. Writes and locks nothing. @throws what a rerun throws */
export async function planForPeople(
  db: Queryable,
  context: RunContext,
  teamId: string,
  row: RunRow,
  options: RerunOptions,
): Promise<RerunPlan> {
  const state = await readRunState(db, teamId, row.id);
  if (!state) throw new AppError("WORKFLOWRUN_INVALID_REFERENCE", [row.id]);
  if (!isFinal(state.status)) throw new AppError("WORKFLOWRUN_INVALID_PHASE", [row.id, state.status, "finished (completed or finalized)"]);
  const run = { row, state };
  const prepared = await prepareRerun(db, context, run, options);
  const node = prepared.target.plan.nodes.find(({ name }) => name === options.marked?.task);
  return { ...viewPlan(run, prepared), ...(node && { declaredResults: shownResults(node) }) };
}

/** For a forEach, each value is a list. */
function shownResults(node: PlanNode): DeclaredResult[] {
  return declaredResults(node).map(({ name, type, description }) => ({
    name,
    ...(node.forEach ? { type: "array" } : type !== undefined && { type }),
    ...(description && { description }),
  }));
}

function viewPlan({ row, state }: FinishedRun, { target, nodes, unmapped, digest }: PreparedRerun): RerunPlan {
  const { start, end } = target.plan;
  const tasks = nodes.filter(({ node }) => node !== start && node !== end);
  const count = (wanted: string) => tasks.filter(({ decision }) => decision === wanted).length;
  return {
    digest,
    workflowRunRef: row.id,
    runVersion: row.workflowVersion,
    version: target.version,
    latestVersion: target.latestVersion,
    reused: count("reused"),
    again: count("again"),
    tasks: tasks.map((plan) => {
      const items = countKeptItems(state, plan);
      return {
        ...{ task: plan.name, type: plan.type, decision: plan.decision, text: plan.text },
        ...(plan.why && { why: plan.why }),
        ...(plan.decision === "reused" && plan.source && { taskRunRef: plan.source.id }),
        ...(items > 0 && { reusesItems: items }),
      };
    }),
    unmapped,
  };
}
