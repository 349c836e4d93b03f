import { workflowRun } from "@millrace/contract/run/run.ts";
import { type TaskTryRequest, taskTryRequest } from "@millrace/contract/task/task-try.ts";
import { AppError } from "../../base/error/app-error.ts";
import { publishSubmitted } from "../../domain/run/report-changes.ts";
import { tryTask as run, type TaskDraft } from "../../domain/task/try-task.ts";
import { loadSaveContext } from "../../domain/workflow/save-context.ts";
import { allows } from "../../policy/allows.ts";
import type { Transaction } from "../../store/database/database.ts";
import { defineEndpoint, type Principal, reply } from "../endpoint.ts";
import { presentTry } from "../present-body.ts";
import { viewSubmitted } from "../run/run.view.ts";
import { teamTaskPath, warningHeader } from "./answer-task.ts";
import { readTaskBody, saveTaskContext, type TaskSaver } from "./read-task-body.ts";

export const tryTask = defineEndpoint({
  method: "POST",
  path: "/api/v2/team/:team/task/:name/try",
  summary: "Try a task on its own",
  description:
    "A task of the team, or a global one. Submits a run of only this task, in a temporary workflow that is not listed; follow it by the ID of the run. " +
    "It counts against the quotas of runs, and is deleted with its log an hour after it ends. With `draft` or `draftDocument`, the draft runs instead of " +
    "the saved task. It is checked like a save but creates no version, and the task doesn't need to exist; this needs task/write as well. The header " +
    "`Warning` names likely mistakes in it.",
  tag: "Team tasks",
  permission: "task/action",
  transaction: "write",
  idempotent: true,
  params: teamTaskPath,
  body: taskTryRequest,
  presentBody: presentTry,
  response: workflowRun,
  async handle({ db, team, params, body, headers, principal, keyring, services, auditRecord, afterCommit }) {
    const tx = db as Transaction;
    const draft = await readDraft(body, { db, team, headers, principal, keyring, services });
    const save = await loadSaveContext(tx, team.id, principal.name, keyring, services.runs);
    const audit = (id: string) => auditRecord({ kind: "workflowrun", id, name: params.name });
    const input = { task: params.name, request: body, draft, initiatedBy: principal.id, audit };
    const { run: tried, warnings } = await run(tx, save, services.runs, input);
    afterCommit(() => publishSubmitted(services, tried));
    return reply({ headers: warningHeader(warnings), body: viewSubmitted(tried.row, principal) });
  },
});

interface DraftCaller extends TaskSaver {
  team: { id: string; name: string };
  headers: Readonly<Record<string, string | undefined>>;
}

/**
 * The draft in a request to try a task; undefined if it has none. Trying a draft makes the team run what the caller wrote, so the caller
 * must be allowed to save it there. For a global task, whose stored secrets the draft keeps, the caller must be allowed to save that task.
 *
 * @throws VALIDATION_FAILED, PERMISSION_DENIED, TASK_INVALID_DEFINITION
 */
async function readDraft(request: TaskTryRequest, caller: DraftCaller): Promise<TaskDraft | undefined> {
  const { team, principal } = caller;
  const { draft, draftDocument, draftOf, version } = request;
  const hasDocument = draftDocument != null;
  if (draft === undefined && !hasDocument) {
    if (draftOf != null) throw invalid("/draftOf", "says whose the draft is, but there is none; give draft or draftDocument as well");
    return undefined;
  }
  if (draft !== undefined && hasDocument) throw invalid("/draftDocument", "is a second draft; give draft or draftDocument, not both");
  if (version != null) throw invalid("/version", "names a saved version, but a draft was given too; leave one of them out");
  const isGlobal = draftOf === "global";
  requireRights(principal, team, isGlobal);
  const body = hasDocument
    ? { body: undefined, rawBody: draftDocument, mediaType: "application/x-yaml" }
    : { body: draft, rawBody: "", mediaType: "application/json" };
  return { context: await saveTaskContext(isGlobal ? null : team, caller), written: readTaskBody({ ...body, headers: caller.headers }) };
}

function requireRights(principal: Principal, team: DraftCaller["team"], isGlobal: boolean): void {
  if (!allows(principal, "task/write", team.id)) throw missing(`task/write in team ${team.name}`);
  if (isGlobal && !allows(principal, "task/write")) throw missing("task/write for global tasks");
}

function missing(right: string): AppError {
  return new AppError("PERMISSION_DENIED", [`trying a draft needs the permission ${right}`]);
}

function invalid(path: string, message: string): AppError {
  return new AppError("VALIDATION_FAILED", [`body ${path} ${message}`], { details: [{ path, message }] });
}
