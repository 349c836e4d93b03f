import { randomBytes } from "node:crypto";
import type { TaskTryRequest } from "@millrace/contract/task-try.ts";
import type { WorkflowInput } from "@millrace/contract/workflow.ts";
import { tryPrefix } from "../../core/workflow/try-name.ts";
import type { AuditRecord } from "../../store/audit/audit.ts";
import type { Transaction } from "../../store/database/database.ts";
import type { RecordedRun } from "../run/record-run.ts";
import type { RunContext } from "../run/run-context.ts";
import { submitRun } from "../run/submit-run.ts";
import { saving } from "../workflow/check-mode.ts";
import { insertNewWorkflow, nameTaken } from "../workflow/create-workflow.ts";
import { prepareVersion } from "../workflow/prepare-version.ts";
import type { SaveContext } from "../workflow/save-context.ts";
import { newHead } from "../workflow/workflow-head.ts";
import { saveDraft, type TaskDraft } from "./save-draft.ts";

export interface TryTaskInput {
  /** Name or id; the team's own task first, then a global one. */
  task: string;
  request: Pick<TaskTryRequest, "version" | "params">;
  /** Run instead of what is saved, if anything is. */
  draft?: TaskDraft | undefined;
  initiatedBy: string | null;
  audit: (runId: string) => AuditRecord;
}

export interface TriedTask {
  run: RecordedRun;
  /** About a draft: what a save would tell, too. */
  warnings: string[];
}

/**
 * Runs a task by itself: a run of a workflow that has this one task and is made for this run only. It is not a workflow of the
 * team's lists and quota, has no trigger, and is cleared away with its run when that has been over for a while
 * (store/workflow/tries.ts). The run is one of the team's for its quotas of runs, and stands in its activity. A draft goes with the
 * workflow.
 *
 * @throws what a save of the draft, or a workflow of such a task, or its submission, would be refused for
 */
export async function tryTask(tx: Transaction, save: SaveContext, runs: RunContext, input: TryTaskInput): Promise<TriedTask> {
  const { task, request, draft, initiatedBy, audit } = input;
  const name = tryPrefix + randomBytes(8).toString("hex");
  const saved = draft && (await saveDraft(tx, task, draft));
  const document = saved ? draftDocument(saved.definition, request) : tryDocument(task, `Try of ${task}`, request);
  const prepared = await prepareVersion(tx, save, name, { name, ...document }, {}, { ...saving, draft: saved?.definition });
  const head = newHead({ name, ...document }, name);
  const workflow = await insertNewWorkflow(tx, save, { name, head, prepared, reason: `To try the task ${task}` });
  if (workflow === undefined) throw nameTaken(name);
  const run = await submitRun(tx, runs, { teamId: save.team.id, workflow: workflow.id, request: {}, start: false, initiatedBy, audit });
  return { run, warnings: saved?.warnings ?? [] };
}

function draftDocument({ id, name }: { id: string; name: string }, { params }: TryTaskInput["request"]) {
  return tryDocument(id, `Try of the draft of ${name}`, { params });
}

function tryDocument(task: string, displayName: string, { version, params }: TryTaskInput["request"]): Omit<WorkflowInput, "name"> {
  const node = { name: "task", taskRef: task, ...(version && { taskVersion: version }), params: params ?? [] };
  return { displayName, tasks: [{ ...node, dependencies: [{ taskRef: "start" }] }] };
}
