import type { WorkflowInput } from "@millrace/contract/workflow/workflow.ts";
import type { WorkflowTestInput, WorkflowTestReport } from "@millrace/contract/workflow/workflow-test.ts";
import { AppError } from "../../../base/error/app-error.ts";
import type { Queryable } from "../../../store/database/database.ts";
import { listWorkflowTests } from "../../../store/workflow/workflow-tests.ts";
import { compileDocument } from "../../run/run-caches.ts";
import type { RunContext } from "../../run/run-context.ts";
import { prepareVersion } from "../prepare-version.ts";
import { readWorkflow } from "../read-workflow.ts";
import { type CheckMode, type SaveContext, saving } from "../save-context.ts";
import { findDrafted } from "../trial/drafted-workflow.ts";
import { playTests, type TestedVersion } from "./play-tests.ts";
import { inputOf, testedVersion } from "./saved-tests.ts";

export interface TestRequest {
  /** Name or id; for a draft also a name that doesn't exist yet. */
  workflow: string;
  /** Absent: the saved workflow. */
  draft?: WorkflowInput | undefined;
  version?: number | undefined;
  /** Absent: the stored tests. */
  tests?: readonly WorkflowTestInput[] | undefined;
  /** Only these of the stored ones. */
  names?: readonly string[] | undefined;
}

/** Nothing is locked: nothing of it is stored. */
const checking: CheckMode = { ...saving, holdsTasks: false };

/**
 * Runs tests of the saved workflow, or of a draft, which has to obey the rules of a save. Nothing is stored.
 * @throws what a save of the draft would be refused for, NOT_FOUND for an unknown name of a test
 */
export async function testWorkflow(
  db: Queryable,
  runs: RunContext,
  context: SaveContext,
  request: TestRequest,
): Promise<WorkflowTestReport> {
  const { id, tested } = await findTested(db, runs, context, request);
  const tests = request.tests ?? (id === undefined ? [] : await storedTests(db, context.team.id, id, request));
  return playTests(runs, context, tested, tests);
}

async function findTested(
  db: Queryable,
  runs: RunContext,
  context: SaveContext,
  { workflow, draft, version }: TestRequest,
): Promise<{ id: string | undefined; tested: TestedVersion }> {
  const { team } = context;
  if (draft === undefined) {
    const read = await readWorkflow(db, team.id, workflow, version);
    return { id: read.workflow.id, tested: await testedVersion(db, runs, team.id, read) };
  }
  const { id, name, whole, stored } = await findDrafted(db, team.id, workflow, draft, undefined);
  const { document, used } = await prepareVersion(db, context, name, whole, stored && { stored }, checking);
  const { plan, nested } = await compileDocument(
    db,
    document,
    used.map(({ taskVersionId }) => taskVersionId),
  );
  const timeout = typeof whole.timeout === "number" ? whole.timeout : null;
  return { id, tested: { name, displayName: whole.displayName || name, plan, nested, document: { params: document.params, timeout } } };
}

async function storedTests(db: Queryable, teamId: string, workflowId: string, { names }: TestRequest): Promise<WorkflowTestInput[]> {
  const stored = await listWorkflowTests(db, teamId, workflowId);
  const unknown = names?.find((name) => !stored.some((test) => test.name === name));
  if (unknown !== undefined) throw new AppError("NOT_FOUND", [`test ${JSON.stringify(unknown)}`]);
  return stored.filter(({ name }) => names === undefined || names.includes(name)).map(inputOf);
}
