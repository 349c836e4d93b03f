import { type FinalStatus, isFinal } from "@millrace/contract/status.ts";
import { type WorkflowTestInput, workflowTestLimits } from "@millrace/contract/workflow/workflow-test.ts";
import { AppError } from "../../../base/error/app-error.ts";
import { isNestedName, trialPrefix } from "../../../core/workflow/try-name.ts";
import { type EndedRun, type EndedTask, repeatedParams, testOfRun } from "../../../core/workflow-test/test-of-run.ts";
import type { Queryable } from "../../../store/database/database.ts";
import type { RunRow } from "../../../store/run/runs.ts";
import { type AttemptRow, listAttempts, listTaskRuns, type TaskRunRow } from "../../../store/run/task-runs.ts";
import { findRunParameters } from "../../../store/workflow/workflow-tests.ts";
import type { RunContext } from "../../run/run-context.ts";
import { readWorkflow } from "../read-workflow.ts";
import type { SaveContext } from "../save-context.ts";
import { playTests } from "./play-tests.ts";
import { testedVersion } from "./saved-tests.ts";

/**
 * Creates a test from a finished run. It expects the values that tasks received as far as the test itself reproduces them, which is found
 * out by running it.
 *
 * @throws CONFLICT for a run that is open, a trial, or one whose results are too large for a test
 */
export async function makeTest(
  db: Queryable,
  runs: RunContext,
  context: SaveContext,
  row: RunRow,
  name: string | undefined,
): Promise<WorkflowTestInput> {
  if (!isFinal(row.status)) throw new AppError("CONFLICT", [`Run ${row.id} has not finished; create the test when it has`]);
  if (isNestedName(row.workflowName))
    throw new AppError("CONFLICT", [
      `Run ${row.id} is a run of a nested workflow; make a test of run ${row.parentRunId}, whose task started it`,
    ]);
  if (row.workflowName.startsWith(trialPrefix))
    throw new AppError("CONFLICT", [`Run ${row.id} is a trial; run the saved workflow, and create a test from that run`]);
  if (row.startedAt === null) throw new AppError("CONFLICT", [`Run ${row.id} never started, so there is nothing to test`]);
  const { team } = context;
  const plan = await runs.plans.load(db, { teamId: team.id, ...row });
  const run = await endedRun(db, team.id, row);
  const test = testOfRun(plan, run, name ?? `run ${row.id.slice(-12)}`);
  refuseOversized(test, row.id, run.tasks);
  const tested = { ...(await readTested(db, runs, team.id, row)), plan };
  const { tests } = await playTests(runs, context, tested, [test]);
  const params = repeatedParams(run, new Map(tests[0]?.run?.tasks.map((task) => [task.name, task.params])));
  const whole = Object.keys(params).length > 0 ? { ...test, expect: { ...test.expect, params } } : test;
  return JSON.stringify(whole).length > workflowTestLimits.length ? test : whole;
}

/** The version may have been replaced since; then the declarations of the version with its number are used. */
async function readTested(db: Queryable, runs: RunContext, teamId: string, { workflowId, workflowVersion }: RunRow) {
  return testedVersion(db, runs, teamId, await readWorkflow(db, teamId, workflowId, workflowVersion));
}

async function endedRun(db: Queryable, teamId: string, row: RunRow): Promise<EndedRun> {
  const rows = await listTaskRuns(db, teamId, row.id);
  const long = row.isTruncated || rows.some(({ isTruncated }) => isTruncated);
  if (long) throw tooLarge(row.id, "its parameters and results are too large to be read at once");
  const tried = rows.filter(({ attempt, executor }) => attempt > 1 && executor !== null).map(({ id }) => id);
  const attempts = new Map<string, AttemptRow[]>(tried.map((id) => [id, []]));
  for (const attempt of tried.length > 0 ? await listAttempts(db, teamId, tried) : []) attempts.get(attempt.taskRunId)?.push(attempt);
  return {
    status: row.status as FinalStatus,
    ...{ reason: row.reason, trigger: row.trigger, timeoutMinutes: row.timeoutMinutes, params: row.params, results: row.results },
    layers: (await findRunParameters(db, teamId, row.id)) ?? { team: {}, global: {} },
    startedAt: row.startedAt!.getTime(),
    endedAt: (row.endedAt ?? row.startedAt)!.getTime(),
    tasks: rows.map((task) => endedTask(task, attempts.get(task.id) ?? [])),
  };
}

function endedTask({ startedAt, endedAt, ...task }: TaskRunRow, attempts: readonly AttemptRow[]): EndedTask {
  return {
    ...task,
    startedAt: startedAt?.getTime() ?? null,
    endedAt: endedAt?.getTime() ?? null,
    attempts: attempts.map((attempt) => ({
      ...attempt,
      startedAt: attempt.startedAt?.getTime() ?? null,
      endedAt: attempt.endedAt.getTime(),
    })),
  };
}

function refuseOversized(test: WorkflowTestInput, runId: string, tasks: readonly EndedTask[]): void {
  const length = JSON.stringify(test).length;
  if (length <= workflowTestLimits.length) return;
  const sizes = tasks.map(({ name, results }) => ({ name, length: JSON.stringify(results).length }));
  const largest = sizes.reduce((one, other) => (other.length > one.length ? other : one));
  throw tooLarge(
    runId,
    `its values have ${length} characters, and a test may have ${workflowTestLimits.length}; the results of task "${largest.name}" have ${largest.length}`,
  );
}

function tooLarge(runId: string, why: string): AppError {
  return new AppError("CONFLICT", [`Run ${runId} can't become a test: ${why}. Write a test with smaller mocks instead`]);
}
