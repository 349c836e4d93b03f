import { AppError } from "../../base/error/app-error.ts";
import { buildRunDialog, dialogRefusal } from "../../core/chat/run-dialog.ts";
import type { OpenChatWorkspace } from "../../domain/integration/find-chat-workspace.ts";
import { type ChatCallLimits, callChat } from "../../integrations/chat/chat-client.ts";
import type { Queryable } from "../../store/database/database.ts";
import { findSubmission, type Submission } from "../../store/run/submissions.ts";
import type { ChatCaller } from "./chat-caller.ts";
import { ChatRefusal } from "./chat-refusal.ts";
import { findChatWorkflow } from "./find-chat-workflow.ts";

/**
 * Opens the dialog that asks for the parameters of a run. It grants nothing: who sends it off is asked for his rights then.
 * @throws AppError for what can't be started from here, ChatError
 */
export async function openRunDialog(
  db: Queryable,
  { caller, workspace, triggerId, publicUrl }: { caller: ChatCaller; workspace: OpenChatWorkspace; triggerId: string; publicUrl: string },
  ref: string,
  limits: ChatCallLimits,
): Promise<void> {
  if (ref === "") throw new ChatRefusal("run needs the name or ID of a workflow; try list");
  const { id, teamId, teamName } = await findChatWorkflow(db, caller, ref, "workflow/action");
  const submission = await findSubmission(db, teamId, id, undefined);
  if (!submission) throw new AppError("WORKFLOW_INVALID_REFERENCE", [ref]);
  checkStartable(submission, publicUrl);
  const { workflowDisplayName: displayName, params } = submission;
  const view = buildRunDialog({ id, displayName, teamName, params: params ?? [] });
  await callChat(workspace, "views.open", { trigger_id: triggerId, view }, { ...limits, retries: 0 });
}

function checkStartable({ workflowId, workflowName, workflowStatus, teamName, triggers, params }: Submission, publicUrl: string): void {
  if (workflowStatus !== "active") throw new AppError("WORKFLOW_NOT_ACTIVE", [workflowName]);
  if (!triggers["webhook"]?.enabled) throw new AppError("WORKFLOWRUN_TRIGGER_DISABLED", ["webhook", workflowName, "not enabled"]);
  const refusal = dialogRefusal(params ?? []);
  if (refusal === undefined) return;
  const address = `${publicUrl}/api/v2/team/${teamName}/workflow/${workflowId}/submit`;
  throw new ChatRefusal(`${workflowName} can't be started from here: ${refusal}. Start it at ${address}`);
}
