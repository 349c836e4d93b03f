import { randomBytes } from "node:crypto";
import type { TaskTryRequest } from "@millrace/contract/task/task-try.ts";
import type { WorkflowInput } from "@millrace/contract/workflow/workflow.ts";
import { AppError } from "../../base/error/app-error.ts";
import { isId } from "../../base/text/uuid.ts";
import { annotationPrefix } from "../../core/task/tekton/annotations/service-annotations.ts";
import { maxTrialMinutes, taskTrialPrefix } from "../../core/workflow/try-name.ts";
import type { AuditRecord } from "../../store/audit/audit.ts";
import type { Queryable, Transaction } from "../../store/database/database.ts";
import { insertDraft } from "../../store/task/task-drafts.ts";
import type { NodeTask } from "../../store/task/task-uses.ts";
import { findTask } from "../../store/task/tasks.ts";
import type { RecordedRun } from "../run/record-run.ts";
import type { RunContext } from "../run/run-context.ts";
import { submitRun } from "../run/submit-run.ts";
import { insertNewWorkflow, nameTaken } from "../workflow/create-workflow.ts";
import { prepareVersion } from "../workflow/prepare-version.ts";
import { type SaveContext, saving } from "../workflow/save-context.ts";
import { newHead } from "../workflow/workflow-head.ts";
import { checkTaskName, prepareTask, type SaveTaskContext, type WrittenTask } from "./prepare-task.ts";

interface TryTaskInput {
  /** Name or id; the team's own task takes precedence over a global one. */
  task: string;
  request: Pick<TaskTryRequest, "version" | "params">;
  /** Run instead of the saved task, if given. */
  draft?: TaskDraft | undefined;
  initiatedBy: string | null;
  audit: (runId: string) => AuditRecord;
}

interface TriedTask {
  run: RecordedRun;
  /** About a draft: including what a save would warn about. */
  warnings: string[];
}

/**
 * Runs a single task: a run of a workflow that has only this task and is created for this run. The workflow is in no list and no quota of
 * the team, has no trigger, and is deleted with its run some time after that has ended (store/workflow/hidden-workflows.ts). Its run is a
 * trial: it is in no list and no statistics, and only counts while it runs or waits. A draft is deleted with the workflow.
 *
 * @throws the errors of saving the draft, or a workflow with such a task, and of its submission
 */
export async function tryTask(tx: Transaction, save: SaveContext, runs: RunContext, input: TryTaskInput): Promise<TriedTask> {
  const { task, request, draft, initiatedBy, audit } = input;
  const name = taskTrialPrefix + randomBytes(8).toString("hex");
  const saved = draft && (await saveDraft(tx, task, draft));
  const document = saved ? draftDocument(saved.definition, request) : tryDocument(task, `Try of ${task}`, request);
  const prepared = await prepareVersion(tx, save, name, { name, ...document }, {}, { ...saving, draft: saved?.definition });
  const head = newHead({ name, ...document }, name);
  const workflow = await insertNewWorkflow(tx, save, { name, head, prepared, reason: `To try the task ${task}` });
  if (workflow === undefined) throw nameTaken(name);
  const run = await submitRun(tx, runs, {
    ...{ teamId: save.team.id, workflow: workflow.id, request: { timeout: maxTrialMinutes }, start: false, initiatedBy, audit },
    trigger: "manual",
    trialOf: { name, displayName: head.displayName },
  });
  return { run, warnings: saved?.warnings ?? [] };
}

function draftDocument({ id, name }: { id: string; name: string }, { params }: TryTaskInput["request"]) {
  return tryDocument(id, `Try of the draft of ${name}`, { params });
}

function tryDocument(task: string, displayName: string, { version, params }: TryTaskInput["request"]): Omit<WorkflowInput, "name"> {
  const node = { name: "task", taskRef: task, ...(version && { taskVersion: version }), params: params ?? [] };
  return { displayName, tasks: [{ ...node, dependencies: [{ taskRef: "start" }] }] };
}

/** A task that was edited and not saved. */
export interface TaskDraft {
  /** The scope it would be saved in. */
  context: SaveTaskContext;
  written(name: string): WrittenTask;
}

interface SavedDraft {
  definition: Omit<NodeTask, "position">;
  warnings: string[];
}

/**
 * Stores a draft for the one workflow that tries it (store/task/task-drafts.ts), by the rules of a save: the stored task provides labels,
 * annotations, type and the secrets that the draft leaves out. It has the number of the version that it would become.
 *
 * @param ref name or id of the task that it is a draft of; an unknown name means a new task
 * @throws TASK_INVALID_REFERENCE, TASK_INVALID_NAME, and what `prepareTask` throws
 */
async function saveDraft(db: Queryable, ref: string, { context, written }: TaskDraft): Promise<SavedDraft> {
  const { teamId, author } = context;
  const stored = await findTask(db, { teamId, ref });
  if (stored === undefined && isId(ref)) throw new AppError("TASK_INVALID_REFERENCE", [ref]);
  if (stored === undefined) checkTaskName(ref);
  const prepared = await prepareTask(db, written(stored?.name ?? ref), context, stored);
  const { name, type, status, labels, annotations } = prepared;
  const version = (stored?.version ?? 0) + 1;
  const task = { teamId, name, type, status, verified: false, labels, annotations };
  const made = await insertDraft(db, task, { ...prepared.version, version, author, reason: "To try it" });
  const { displayName, spec } = prepared.version;
  const definition = {
    ...made,
    teamId,
    name,
    type,
    status,
    latestVersion: version,
    version,
    displayName,
    spec,
    network: annotations[`${annotationPrefix}network`],
  };
  return { definition, warnings: prepared.warnings };
}
