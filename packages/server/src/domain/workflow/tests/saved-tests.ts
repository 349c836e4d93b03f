import { escapePointer } from "@millrace/contract/json-pointer.ts";
import type { WorkflowTestInput, WorkflowTestReport } from "@millrace/contract/workflow/workflow-test.ts";
import { workflowTestLimits } from "@millrace/contract/workflow/workflow-test.ts";
import { AppError } from "../../../base/error/app-error.ts";
import { isSameJson } from "../../../core/document/same-json.ts";
import { hasNested } from "../../../core/workflow/workflow-document.ts";
import type { Queryable } from "../../../store/database/database.ts";
import {
  countWorkflowTests,
  findWorkflowTest,
  insertWorkflowTest,
  listVersionTaskIds,
  listWorkflowTests,
  recordTestOutcomes,
  retireWorkflowTest,
  type WorkflowTestDocument,
  type WorkflowTestRow,
} from "../../../store/workflow/workflow-tests.ts";
import type { WorkflowVersionRow } from "../../../store/workflow/workflow-versions.ts";
import type { WorkflowRow } from "../../../store/workflow/workflows.ts";
import { compileDocument } from "../../run/run-caches.ts";
import type { RunContext } from "../../run/run-context.ts";
import { type ReadWorkflow, readVersion, requireWorkflow } from "../read-workflow.ts";
import { refuseFaults } from "../refuse-faults.ts";
import type { SaveContext } from "../save-context.ts";
import { playTests, type TestedVersion } from "./play-tests.ts";

/** The tests that are stored with a workflow: how they are written, and run whenever the workflow or one of them is saved. */

export interface SavedTest {
  workflow: WorkflowRow;
  before: WorkflowTestRow | undefined;
  test: WorkflowTestRow;
  isSame: boolean;
}

/** @throws WORKFLOW_INVALID_REFERENCE, WORKFLOW_ARCHIVED, VALIDATION_FAILED, CONFLICT if there are too many */
export async function saveTest(
  db: Queryable,
  runs: RunContext,
  context: SaveContext,
  ref: string,
  input: WorkflowTestInput,
): Promise<SavedTest> {
  const { team, author } = context;
  const workflow = await requireChangeable(db, team.id, ref);
  const document = documentOf(input);
  if (JSON.stringify(document).length > workflowTestLimits.length)
    refuseFaults([{ path: "", message: `has more than ${workflowTestLimits.length} characters; mock smaller results` }]);
  const name = input.name.trim();
  const before = await findWorkflowTest(db, team.id, workflow.id, name);
  if (before && isSameJson(before.document, document)) return { workflow, before, test: before, isSame: true };
  if (before) await retireWorkflowTest(db, team.id, before.id);
  else if ((await countWorkflowTests(db, team.id, workflow.id)) >= workflowTestLimits.tests)
    throw new AppError("CONFLICT", [
      `Workflow ${workflow.name} has ${workflowTestLimits.tests} tests, which is the limit: delete one first`,
    ]);
  const version = (before?.version ?? 0) + 1;
  const test = await insertWorkflowTest(db, team.id, { workflowId: workflow.id, name, version, document, author });
  const read = await readVersion(db, team.id, workflow, workflow.latestVersion);
  await runAndRecord(db, runs, context, read, [test]);
  return { workflow, before, test, isSame: false };
}

/** @throws WORKFLOW_INVALID_REFERENCE, WORKFLOW_ARCHIVED, NOT_FOUND */
export async function deleteTest(db: Queryable, teamId: string, ref: string, name: string): Promise<SavedTest> {
  const workflow = await requireChangeable(db, teamId, ref);
  const test = await requireTest(db, teamId, workflow, name);
  await retireWorkflowTest(db, teamId, test.id);
  return { workflow, before: test, test, isSame: false };
}

/** @throws NOT_FOUND */
export async function requireTest(db: Queryable, teamId: string, workflow: WorkflowRow, name: string): Promise<WorkflowTestRow> {
  const test = await findWorkflowTest(db, teamId, workflow.id, name);
  if (test === undefined) throw new AppError("NOT_FOUND", [`test ${JSON.stringify(name)} of workflow ${workflow.name}`]);
  return test;
}

async function requireChangeable(db: Queryable, teamId: string, ref: string): Promise<WorkflowRow> {
  const workflow = await requireWorkflow(db, teamId, ref);
  if (workflow.archivedAt !== null) throw new AppError("WORKFLOW_ARCHIVED", [workflow.name]);
  return workflow;
}

function documentOf({ id: _id, name: _name, workflow: _workflow, version: _version, changeDate: _date, ...document }: WorkflowTestInput) {
  return document satisfies WorkflowTestDocument;
}

/** In the form in which a client would write it. */
export function inputOf({ name, document }: Pick<WorkflowTestRow, "name" | "document">): WorkflowTestInput {
  return { ...document, name };
}

/**
 * Runs all tests of a version that was just written, and stores their outcomes with it.
 * @param before the version before; undefined for the first one, which has no tests
 * @throws WORKFLOW_TESTS_FAILED if they have to pass
 */
export async function testNewVersion(
  db: Queryable,
  runs: RunContext,
  context: SaveContext,
  read: ReadWorkflow,
  before: ReadWorkflow | undefined,
): Promise<void> {
  if (before === undefined) return;
  const tests = await listWorkflowTests(db, context.team.id, read.workflow.id);
  if (tests.length === 0) return;
  const report = await runAndRecord(db, runs, context, read, tests);
  const mustPass = before.workflow.requiresTests || read.workflow.requiresTests;
  if (!mustPass || report.failed === 0 || isSameJson(before.version.document, read.version.document)) return;
  throw testsFailed(read.workflow.name, report);
}

function testsFailed(workflow: string, { tests, failed }: WorkflowTestReport): AppError {
  const bad = tests.filter(({ outcome }) => outcome === "failed");
  const details = bad.flatMap(({ name, failures, problem }) => {
    const place = `/test/${escapePointer(name)}`;
    return failures.length === 0
      ? [{ path: place, message: problem ?? "failed" }]
      : failures.map(({ path, message }) => ({ path: place + path, message }));
  });
  const [first] = bad;
  const why = first?.problem ?? first?.failures[0]?.message ?? "";
  return new AppError("WORKFLOW_TESTS_FAILED", [workflow, failed, tests.length, `${first?.name}: ${why}`], {
    details: details.slice(0, 100),
  });
}

async function runAndRecord(
  db: Queryable,
  runs: RunContext,
  context: SaveContext,
  read: ReadWorkflow,
  tests: readonly WorkflowTestRow[],
): Promise<WorkflowTestReport> {
  const report = await playTests(runs, context, await testedVersion(db, runs, context.team.id, read), tests.map(inputOf));
  const outcomes = report.tests.map(({ outcome, problem, failures }, index) => ({
    testId: tests[index]!.id,
    outcome,
    message: outcome === "passed" ? null : (problem ?? failures[0]?.message ?? null),
  }));
  await recordTestOutcomes(db, context.team.id, read.version.id, outcomes);
  return report;
}

/** A saved version, with the plan that its runs use. */
export async function testedVersion(
  db: Queryable,
  runs: RunContext,
  teamId: string,
  { workflow, version }: ReadWorkflow,
): Promise<TestedVersion> {
  const taskVersionIds = await listVersionTaskIds(db, teamId, version.id);
  const plan = await runs.plans.load(db, { teamId, workflowVersionId: version.id, taskVersionIds });
  const { nested } = version.document.tasks.some(hasNested)
    ? await compileDocument(db, version.document, taskVersionIds)
    : { nested: undefined };
  return {
    name: workflow.name,
    displayName: workflow.displayName,
    version: version.version,
    plan,
    nested,
    document: documentParts(version),
  };
}

function documentParts({ document }: Pick<WorkflowVersionRow, "document">): TestedVersion["document"] {
  return { params: document.params, timeout: (document as { timeout?: number }).timeout ?? null };
}
