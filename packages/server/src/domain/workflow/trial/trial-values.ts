import type { AbstractParam, RunParam } from "@millrace/contract/common.ts";
import { escapePointer } from "@millrace/contract/json-pointer.ts";
import { maxPinnedResults, type WorkflowTryRequest } from "@millrace/contract/workflow/workflow-try.ts";
import { AppError, type ErrorDetail } from "../../../base/error/app-error.ts";
import { checkParamValues } from "../../../core/parameter/parameters-check.ts";
import { isSecretParam, secretMask } from "../../../core/parameter/secret-params.ts";
import type { Pin } from "../../../core/workflow/plan.ts";
import { pinOf, type TrialScope } from "../../../core/workflow/trial-scope.ts";
import type { Queryable } from "../../../store/database/database.ts";
import type { RunRow } from "../../../store/run/runs.ts";
import { listTaskResults } from "../../../store/run/task-runs.ts";

/** Values that a trial or a preview takes from a run, in addition to those of the request. */

/** A run that the caller may read. */
export type SourceRun = Pick<RunRow, "id" | "params">;

/**
 * The parameters of the request, and those of the run that it leaves out: never secrets, and nothing that doesn't fit the current
 * declarations.
 */
export function paramsOfTrial(given: readonly RunParam[], declared: readonly AbstractParam[], run: SourceRun | undefined): RunParam[] {
  const names = new Set(given.map(({ name }) => name));
  const secret = new Set(declared.filter(isSecretParam).map(({ name }) => name));
  const optional = declared.map((param) => ({ ...param, required: false }));
  const taken = (run?.params ?? []).filter(
    (param) =>
      !names.has(param.name) && !secret.has(param.name) && !isMasked(param.value) && checkParamValues([param], optional).length === 0,
  );
  return [...given, ...taken];
}

function isMasked(value: unknown): boolean {
  return JSON.stringify(value ?? null).includes(secretMask);
}

/**
 * How the tasks end that do not run: as the request says, or, for those that the single task refers to, as they did in the run.
 * @throws VALIDATION_FAILED naming each result that neither has
 */
export async function pinsOfTrial(
  db: Queryable,
  teamId: string,
  request: Pick<WorkflowTryRequest, "only" | "pinned">,
  scope: TrialScope,
  run: SourceRun | undefined,
): Promise<(Pin & { task: string })[]> {
  const tried = new Set((scope.input.tasks ?? []).map(({ name }) => name));
  const pinned = Object.entries(request.pinned ?? {}).filter(([name]) => tried.has(name) && name !== request.only);
  const pins = pinned.map(([task, pin]) => ({ task, ...pinOf(pin) }));
  const isPinned = new Set(pins.map(({ task }) => task));
  const missing = [...scope.standIns].filter((name) => !isPinned.has(name));
  if (missing.length === 0) return pins;
  const found = await resultsOfRun(db, teamId, run, missing);
  const faults = missing.filter((name) => !found.has(name)).map((name) => missingResult(name, scope, request.only ?? "", run));
  const [first] = faults;
  if (first) throw new AppError("VALIDATION_FAILED", [`body ${first.path} ${first.message}`], { details: faults });
  return [...pins, ...[...found].map(([task, results]): Pin & { task: string } => ({ task, status: "succeeded", results }))];
}

/**
 * The results of these tasks, if they succeeded in that run.
 * @throws VALIDATION_FAILED if they are too large together
 */
export async function resultsOfRun(
  db: Queryable,
  teamId: string,
  run: SourceRun | undefined,
  names: readonly string[],
): Promise<Map<string, Pin["results"]>> {
  if (run === undefined || names.length === 0) return new Map();
  const rows = await listTaskResults(db, teamId, run.id, names, maxPinnedResults);
  const bytes = rows.reduce((sum, row) => sum + row.bytes, 0);
  if (bytes > maxPinnedResults) {
    const message = `names a run whose needed results have ${bytes} bytes; at most ${maxPinnedResults} can be reused, so pin smaller ones`;
    throw new AppError("VALIDATION_FAILED", [`body /fromRun ${message}`], { details: [{ path: "/fromRun", message }] });
  }
  return new Map(
    rows.map(({ name, results }) => [name, (results ?? []).map(({ name: result, value }) => ({ name: result, value: value ?? null }))]),
  );
}

function missingResult(name: string, { wanted }: TrialScope, only: string, run: SourceRun | undefined): ErrorDetail {
  const why = run === undefined ? "has no results to use" : `did not succeed in run ${run.id}`;
  const message = `is missing: task "${only}" refers to ${wanted.get(name)?.text}, and task "${name}" ${why}; pin its results, or name in fromRun a run in which it succeeded`;
  return { path: `/pinned/${escapePointer(name)}`, message };
}
