import { AppError } from "../../base/error/app-error.ts";
import { isNestedName, trialPrefix } from "../../core/workflow/try-name.ts";
import type { Queryable } from "../../store/database/database.ts";
import {
  findWorkflowAtVersion,
  findWorkflowVersion,
  listLatestTasks,
  listLatestVersions,
  type WorkflowVersionRow,
} from "../../store/workflow/workflow-versions.ts";
import { lockWorkflow, type WorkflowRow } from "../../store/workflow/workflows.ts";

/** A workflow with one of its versions. Secrets in its document are encrypted: only a view may show it. */
export interface ReadWorkflow {
  workflow: WorkflowRow;
  version: WorkflowVersionRow;
  /** The newest version of each task that it uses, by the task's name. */
  latestTasks: ReadonlyMap<string, number>;
}

/** @throws WORKFLOW_INVALID_REFERENCE, WORKFLOW_REVISION_NOT_FOUND */
export async function readWorkflow(db: Queryable, teamId: string, ref: string, version?: number): Promise<ReadWorkflow> {
  const found = await findWorkflowAtVersion(db, teamId, ref, version);
  // The hidden workflow of a trial has no latest version, but those who follow the trial can read it.
  const isDraft = version === undefined && found?.workflow.name.startsWith(trialPrefix);
  if (found === undefined || isDraft) throw new AppError("WORKFLOW_INVALID_REFERENCE", [ref]);
  if (found.version === undefined) throw noVersion(found.workflow, version ?? found.workflow.latestVersion);
  return { workflow: found.workflow, version: found.version, latestTasks: new Map(Object.entries(found.latestTasks)) };
}

function noVersion({ name, latestVersion }: WorkflowRow, version: number): AppError {
  return new AppError("WORKFLOW_REVISION_NOT_FOUND", [`${name} (latest ${latestVersion})`, version]);
}

/** @throws WORKFLOW_REVISION_NOT_FOUND */
export async function readVersion(db: Queryable, teamId: string, workflow: WorkflowRow, version: number): Promise<ReadWorkflow> {
  const row = await findWorkflowVersion(db, teamId, workflow.id, version);
  if (row === undefined) throw noVersion(workflow, version);
  const latestTasks = await listLatestTasks(db, teamId, [row.id]);
  return { workflow, version: row, latestTasks: new Map(latestTasks.map((task) => [task.taskName, task.latestVersion])) };
}

/** The most characters of documents in one page. */
const maxPageBytes = 32 * 1024 * 1024;

/**
 * The latest versions of those workflows, in their order, with two statements regardless of their number.
 * @throws QUERY_INVALID_FILTERS if they are too large for one response
 */
export async function readLatestVersions(db: Queryable, teamId: string, workflows: readonly WorkflowRow[]): Promise<ReadWorkflow[]> {
  const rows = await listLatestVersions(
    db,
    teamId,
    workflows.map(({ id }) => id),
    maxPageBytes,
  );
  const versions = new Map(rows.map((row) => [row.workflowId, row]));
  const latestTasks = new Map(rows.map((row) => [row.id, new Map<string, number>()]));
  for (const task of await listLatestTasks(db, teamId, [...latestTasks.keys()])) {
    latestTasks.get(task.workflowVersionId)?.set(task.taskName, task.latestVersion);
  }
  return workflows.map((workflow) => {
    const version = versions.get(workflow.id);
    if (version === undefined) throw new Error(`workflow ${workflow.id} has no version ${workflow.latestVersion}`);
    const { document } = version;
    if (document === null)
      throw new AppError("QUERY_INVALID_FILTERS", ["limit", `these workflows have more than ${maxPageBytes} bytes; ask for fewer`]);
    return { workflow, version: { ...version, document }, latestTasks: latestTasks.get(version.id) ?? new Map() };
  });
}

/**
 * The workflow, locked until the transaction ends.
 * @throws WORKFLOW_INVALID_REFERENCE
 */
export async function requireWorkflow(db: Queryable, teamId: string, ref: string): Promise<WorkflowRow> {
  const workflow = await lockWorkflow(db, teamId, ref);
  if (workflow === undefined || isNestedName(workflow.name)) throw new AppError("WORKFLOW_INVALID_REFERENCE", [ref]);
  return workflow;
}
