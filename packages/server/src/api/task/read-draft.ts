import type { TaskTryRequest } from "@millrace/contract/task-try.ts";
import { AppError } from "../../base/error/app-error.ts";
import type { TaskDraft } from "../../domain/task/save-draft.ts";
import { allows } from "../../policy/allows.ts";
import type { Principal } from "../endpoint.ts";
import { readTaskBody } from "./read-task-body.ts";
import { saveTaskContext, type TaskSaver } from "./save-context.ts";

interface DraftCaller extends TaskSaver {
  team: { id: string; name: string };
  headers: Readonly<Record<string, string | undefined>>;
}

/**
 * The draft in a request to try a task; undefined when it has none. Who tries one makes the team run what he wrote, so he must be one
 * who could save it there; and of a global task, whose stored secrets it keeps, one who could save that.
 *
 * @throws VALIDATION_FAILED, PERMISSION_DENIED, TASK_INVALID_DEFINITION
 */
export async function readDraft(request: TaskTryRequest, caller: DraftCaller): Promise<TaskDraft | undefined> {
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
