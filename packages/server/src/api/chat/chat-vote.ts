import { AppError } from "../../base/error/app-error.ts";
import { isId } from "../../base/text/uuid.ts";
import { buildActionMessage, type ChatMessage } from "../../core/chat/action-message.ts";
import { runLink } from "../../core/chat/chat-text.ts";
import { cleanText } from "../../core/document/json-guard.ts";
import { actionPage } from "../../core/outbound/page-links.ts";
import type { RunChange } from "../../core/run/run-change.ts";
import { decideActions } from "../../domain/action/decide-actions.ts";
import { readActionState } from "../../domain/action/read-action-state.ts";
import type { OpenChatWorkspace } from "../../domain/integration/chat-workspaces.ts";
import { publishChanges } from "../../domain/run/report-changes.ts";
import type { Published } from "../../domain/workflow/publish/publish-proposal.ts";
import { callChat } from "../../integrations/chat/chat-client.ts";
import { type ActionRow, listActionsById } from "../../store/action/actions.ts";
import { insertAudit } from "../../store/audit/audit.ts";
import type { Queryable, Transaction } from "../../store/database/database.ts";
import { transaction } from "../../store/database/transaction.ts";
import type { LinkedTeam } from "../../store/integration/chat-workspaces.ts";
import { findTeamOfAction } from "../../store/team/directory.ts";
import { voterOf } from "../action/action.view.ts";
import { publicationOf, wakeForPublished } from "../action/publication.ts";
import { auditAs, type ChatCaller, findChatCaller } from "./chat-caller.ts";
import type { InteractionContext } from "./submit-dialog.ts";

/** Votes that people cast in the chat, with a button or a dialog. Both only identify the action. */

export interface ChatVote {
  actionId: string;
  approved: boolean;
  comments: string;
  values: Readonly<Record<string, unknown>>;
}

const maxCommentLength = 2000;

/**
 * Casts the vote of the user with this address, by the rules of PUT /action.
 * @returns the updated message about the action
 */
export async function castChatVote(
  context: InteractionContext,
  workspace: OpenChatWorkspace,
  email: string,
  vote: ChatVote,
): Promise<ChatMessage | undefined> {
  const { db, services, afterCommit } = context;
  const { teamId, changes, published, message } = await transaction(db, async (tx) =>
    cast(tx, context, await findChatCaller(tx, workspace, email), workspace, vote),
  );
  afterCommit(() => wakeForPublished(services, teamId, published));
  afterCommit(() => publishChanges(services, changes));
  return message;
}

async function cast(
  tx: Transaction,
  { services, auditRecord }: InteractionContext,
  caller: ChatCaller,
  workspace: OpenChatWorkspace,
  { actionId, approved, values, comments: written }: ChatVote,
): Promise<{ teamId: string; changes: RunChange[]; published: readonly Published[]; message: ChatMessage | undefined }> {
  const { principal } = caller;
  const team = await requireTeamOfAction(tx, caller, actionId);
  // Cutting may leave half of a character.
  const comments = cleanText(written.trim().slice(0, maxCommentLength)) || null;
  const votes = [{ actionId, approved, comments, values }];
  const { cast: done, changes, published } = await decideActions(tx, services.runs, team.id, voterOf(principal, team.id), votes);
  for (const { action, decision } of done) {
    const entered = Object.keys(values).length > 0 ? { values } : {};
    const after = { approved, comments, ...entered, status: decision ?? action.status, via: "chat", workspace: workspace.ref };
    const record = auditRecord({ kind: "action", id: action.id, name: action.taskName, teamId: team.id, after });
    await insertAudit(tx, auditAs(principal, "action/action", record));
  }
  for (const one of published) {
    const record = auditRecord({ ...publicationOf(one), teamId: team.id });
    await insertAudit(tx, auditAs(principal, "workflow/publish", record));
  }
  const row = await findAction(tx, team, actionId);
  return { teamId: team.id, changes, published, message: row && (await viewActionMessage(tx, row, team, services.runs.publicUrl)) };
}

/** The action, if the caller has access to its team from this workspace. */
export async function findReachableAction(
  db: Queryable,
  caller: ChatCaller,
  actionId: string,
): Promise<{ row: ActionRow; team: LinkedTeam }> {
  const team = await requireTeamOfAction(db, caller, actionId);
  const row = await findAction(db, team, actionId);
  if (row === undefined) throw new AppError("ACTION_INVALID_REF", [actionId]);
  return { row, team };
}

async function requireTeamOfAction(db: Queryable, { teams }: ChatCaller, actionId: string): Promise<LinkedTeam> {
  const teamId = isId(actionId) ? await findTeamOfAction(db, actionId) : undefined;
  const team = teams.find(({ id }) => id === teamId);
  if (team === undefined) throw new AppError("ACTION_INVALID_REF", [actionId]);
  return team;
}

async function findAction(db: Queryable, team: LinkedTeam, id: string): Promise<ActionRow | undefined> {
  return (await listActionsById(db, team.id, [id.toLowerCase()]))[0];
}

/** The current message about an action. */
export async function viewActionMessage(db: Queryable, row: ActionRow, team: LinkedTeam, publicUrl: string): Promise<ChatMessage> {
  const state = await readActionState(db, team.id, row);
  return buildActionMessage({
    id: row.id,
    type: row.type,
    title: row.title,
    taskName: row.taskName,
    workflowName: row.workflowName,
    teamName: team.name,
    instructions: row.instructions,
    approvalsRequired: row.approversWanted,
    deadline: row.deadlineAt?.toISOString() ?? null,
    runLink: runLink(publicUrl, team.name, row.runId),
    page: actionPage(publicUrl, team.name, row.id),
    ...state,
    attachments: state.attachments.map(({ label }) => label),
  });
}

/** Updates the message that asked for the vote, after the response was sent. */
export function updateLater(
  { services: { backgroundJobs }, afterCommit }: InteractionContext,
  workspace: OpenChatWorkspace,
  { channel, ts }: { channel: string; ts: string },
  message: ChatMessage | undefined,
): void {
  if (message === undefined || channel === "" || ts === "") return;
  const update = async (signal: AbortSignal) => {
    await callChat(workspace, "chat.update", { channel, ts, ...message }, { retries: 2, patienceMs: 5000, signal });
  };
  afterCommit(() => void backgroundJobs?.run("chat decision", update));
}
