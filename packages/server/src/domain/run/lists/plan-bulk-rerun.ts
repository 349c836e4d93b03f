import type { BulkPlan, BulkRerun } from "@millrace/contract/run/run-bulk.ts";
import { AppError } from "../../../base/error/app-error.ts";
import type { Queryable } from "../../../store/database/database.ts";
import { listRunIds } from "../../../store/run/lists/sorted-runs.ts";
import type { RunFilter } from "../../../store/run/run-filter.ts";
import { findRun } from "../../../store/run/runs.ts";
import { planForPeople } from "../rerun/plan-for-people.ts";
import type { RunContext } from "../run-context.ts";
import { mostBulkRuns, optionsOf } from "./bulk-runs.ts";

/** What a bulk rerun would do. Each run costs a few reads, so only some of many runs are planned, and the response says how many. */

export const mostPlannedRuns = 100;

interface BulkPlanInput {
  teamId: string;
  matching: RunFilter;
  rerun: BulkRerun;
}

const mostMessages = 10;

/** @throws QUERY_INVALID_FILTERS if too many match */
export async function planBulkRerun(db: Queryable, context: RunContext, { teamId, matching, rerun }: BulkPlanInput): Promise<BulkPlan> {
  const ids = await listRunIds(db, teamId, matching, mostBulkRuns + 1);
  if (ids.length > mostBulkRuns)
    throw new AppError("QUERY_INVALID_FILTERS", ["filter", `more than ${mostBulkRuns} runs match; narrow it, for example by dates`]);
  const looked = spreadEvenly(ids, mostPlannedRuns);
  const plan: BulkPlan = {
    total: ids.length,
    looked: looked.length,
    willRun: 0,
    nothing: 0,
    refused: 0,
    unmapped: 0,
    tasks: {},
    messages: [],
  };
  for (const id of looked) await addRun(db, context, teamId, id, rerun, plan);
  return plan;
}

async function addRun(db: Queryable, context: RunContext, teamId: string, id: string, rerun: BulkRerun, sum: BulkPlan): Promise<void> {
  try {
    const row = await findRun(db, teamId, id);
    if (!row) throw new AppError("WORKFLOWRUN_INVALID_REFERENCE", [id]);
    const { tasks, unmapped } = await planForPeople(db, context, teamId, row, optionsOf(rerun));
    if (tasks.some(({ decision, why }) => decision === "again" && why !== "handler")) sum.willRun += 1;
    else sum.nothing += 1;
    if (unmapped.length > 0) sum.unmapped += 1;
    for (const { decision, why } of tasks) {
      const word = why ?? decision;
      sum.tasks[word] = (sum.tasks[word] ?? 0) + 1;
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    sum.refused += 1;
    if (sum.messages.length < mostMessages) sum.messages.push(error.message);
  }
}

/** A sample of that size, from the first to the last. */
function spreadEvenly(ids: readonly string[], count: number): readonly string[] {
  if (ids.length <= count) return ids;
  return Array.from({ length: count }, (_, place) => ids[Math.floor((place * ids.length) / count)] as string);
}
