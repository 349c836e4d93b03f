import type { RunParam } from "@millrace/contract/common.ts";
import type { BulkRerun } from "@millrace/contract/run/run-bulk.ts";
import { AppError } from "../../../base/error/app-error.ts";
import type { EventBus } from "../../../base/process/event-bus.ts";
import { isSecretParam, secretMask } from "../../../core/parameter/secret-params.ts";
import { insertAudit } from "../../../store/audit/audit.ts";
import type { Database, Transaction } from "../../../store/database/database.ts";
import { isOutage } from "../../../store/database/database-error.ts";
import { transaction } from "../../../store/database/transaction.ts";
import { listRunIds } from "../../../store/run/lists/sorted-runs.ts";
import { findParamsOfRuns } from "../../../store/run/reruns.ts";
import {
  type BulkCaller,
  type BulkResult,
  type BulkRow,
  countRunningBulk,
  delayBulk,
  endBulk,
  insertBulk,
  listRunningBulk,
  type NewBulk,
  takeBulkItem,
  writeBulkResult,
} from "../../../store/run/run-bulk.ts";
import type { RunFilter } from "../../../store/run/run-filter.ts";
import { findRun } from "../../../store/run/runs.ts";
import { cancelRun } from "../cancel-run.ts";
import { reportChanges, reportSubmitted } from "../report-changes.ts";
import type { RerunOptions } from "../rerun/prepare-rerun.ts";
import { refusedSecret } from "../rerun/refused.ts";
import { rerunRun, retryRun } from "../rerun/retry-run.ts";
import type { RunContext } from "../run-context.ts";

/**
 * An action on all runs that match a filter. The request lists the runs; later ones are not included. Then each run is processed in a
 * transaction of its own, with its audit record and its outcome: a process may die at any moment, and nothing is done twice.
 */

export const mostBulkRuns = 50_000;
const mostRunningBulk = 5;

export interface BulkInput extends Omit<NewBulk, "runIds"> {
  matching: RunFilter;
  expected: number | undefined;
}

/** @throws CONFLICT, QUERY_INVALID_FILTERS if too many match, or none, WORKFLOWRUN_INVALID_REQUIREMENT for a secret */
export async function requestBulk(tx: Transaction, { matching, expected, ...bulk }: BulkInput): Promise<BulkRow> {
  if ((await countRunningBulk(tx, bulk.teamId)) >= mostRunningBulk)
    throw new AppError("CONFLICT", [
      `The team has ${mostRunningBulk} bulk actions that are still running: wait until one ends, or cancel one`,
    ]);
  const runIds = await listRunIds(tx, bulk.teamId, matching, mostBulkRuns + 1);
  if (runIds.length > mostBulkRuns)
    throw new AppError("QUERY_INVALID_FILTERS", ["filter", `more than ${mostBulkRuns} runs match; narrow it, for example by dates`]);
  if (expected !== undefined && runIds.length !== expected)
    throw new AppError("CONFLICT", [`${runIds.length} runs match the filter now, not ${expected}: check them, and send the request again`]);
  if (runIds.length === 0) throw new AppError("QUERY_INVALID_FILTERS", ["filter", "no run matches it, so nothing was done"]);
  if (bulk.rerun?.params?.length) await refuseSecrets(tx, bulk.teamId, runIds, bulk.rerun.params);
  return insertBulk(tx, { ...bulk, runIds });
}

/**
 * Before anything is recorded. @throws WORKFLOWRUN_INVALID_REQUIREMENT if one of them is a secret of a run, or of a version that it may get
 */
async function refuseSecrets(tx: Transaction, teamId: string, runIds: readonly string[], given: readonly RunParam[]): Promise<void> {
  const names = given.map(({ name }) => name);
  const { declared, masked } = await findParamsOfRuns(tx, teamId, { runIds, names, mask: secretMask });
  const secret = declared.find(isSecretParam)?.name ?? masked[0];
  if (secret !== undefined) throw refusedSecret(secret);
}

/** Whether the caller may still act on runs of that team, and see those of that workflow. */
export type CheckRights = (tx: Transaction, caller: BulkCaller, of: { teamId: string; workflowId: string }) => Promise<boolean>;

export interface BulkParts {
  sql: Database;
  context: RunContext;
  bus: EventBus;
  checkRights: CheckRights;
}

/** Runs of one action at a time, so that other actions progress as well. */
const batchSize = 20;

/**
 * An action that can't continue comes to its turn again after the others.
 * @returns how many runs were dealt with
 * @throws the first error, after all had their turn
 */
export async function workOnBulk(parts: BulkParts, signal: AbortSignal): Promise<number> {
  const errors: unknown[] = [];
  let count = 0;
  for (const bulk of await listRunningBulk(parts.sql, mostRunningBulk)) {
    try {
      count += await workOnOne(parts, bulk, signal);
    } catch (error) {
      errors.push(error);
      await delayBulk(parts.sql, bulk);
    }
  }
  if (errors.length > 0) throw errors[0];
  return count;
}

async function workOnOne(parts: BulkParts, bulk: BulkRow, signal: AbortSignal): Promise<number> {
  for (let count = 0; ; count++) {
    if (count === batchSize || signal.aborted) return count;
    if (await processNext(parts, bulk)) continue;
    await endBulk(parts.sql, bulk);
    return count;
  }
}

type Report = () => void;

/** @returns false if no run is left for this process */
async function processNext(parts: BulkParts, bulk: BulkRow): Promise<boolean> {
  let report: Report | undefined;
  const isThere = await transaction(parts.sql, async (tx) => {
    report = undefined;
    const item = await takeBulkItem(tx, bulk);
    if (item === undefined) return false;
    const result: BulkResult = await tx
      .savepoint(async (inner) => {
        const acted = await act(inner as Transaction, parts, bulk, item.runId);
        report = acted.report;
        return { outcome: "done" as const, ...(acted.newRunId && { newRunId: acted.newRunId }) };
      })
      .catch((error: unknown) => failureOf(parts, bulk, item.runId, error));
    await writeBulkResult(tx, bulk, item.position, result);
    return true;
  });
  report?.();
  return isThere;
}

async function act(tx: Transaction, parts: BulkParts, bulk: BulkRow, runId: string): Promise<{ report: Report; newRunId?: string }> {
  const { context, checkRights } = parts;
  const { teamId, action, caller } = bulk;
  const run = await findRun(tx, teamId, runId);
  if (!run) throw new AppError("WORKFLOWRUN_INVALID_REFERENCE", [runId]);
  if (!(await checkRights(tx, caller, { teamId, workflowId: run.workflowId })))
    throw new AppError("PERMISSION_DENIED", [`${caller.name} may not act on runs of this team any more`]);
  const audit = (id: string, before: object | undefined, after: object) =>
    insertAudit(tx, {
      ...{ teamId, principalKind: caller.kind, principalId: caller.id, principalName: caller.name, tokenId: caller.tokenId ?? null },
      ...{ action: "workflowrun/action", objectKind: "workflowrun", objectId: id, objectName: run.workflowName, requestId: bulk.requestId },
      ...{ before, after: { ...after, bulk: bulk.id } },
    });
  if (action === "cancel") {
    const change = await cancelRun(tx, context, { teamId, runId, by: caller.name });
    await audit(runId, { status: change.before.status }, { status: change.after.status });
    const report = () => {
      context.states.put(change.after);
      reportChanges({ bus: parts.bus, context }, [change]);
    };
    return { report };
  }
  const again = { teamId, runId, start: false, initiatedBy: caller.id, bulkId: bulk.id };
  const { row: _, ...state } = bulk.rerun
    ? await rerunRun(tx, context, { ...again, options: optionsOf(bulk.rerun) })
    : await retryRun(tx, context, { ...again, mode: action });
  await audit(state.id, undefined, { [`${action}Of`]: runId });
  const report = () => {
    context.states.put(state);
    reportSubmitted({ bus: parts.bus, context }, state);
  };
  return { newRunId: state.id, report };
}

/** Of each run. */
export function optionsOf({ from, version, params }: BulkRerun): RerunOptions {
  return { from, params, showsParams: true, version: version === "latest" ? "latest" : undefined };
}

/** An error of the database is not caused by the run: the transaction is retried, now or in the next round. */
function failureOf({ context }: BulkParts, bulk: BulkRow, runId: string, error: unknown): BulkResult {
  if (error instanceof AppError) return { outcome: "failed", message: error.message };
  if (isOutage(error)) throw error;
  context.log?.error({ err: error, runId, bulkId: bulk.id }, "a bulk action failed for a run");
  return { outcome: "failed", message: "Internal error; the log of the service has the details" };
}
