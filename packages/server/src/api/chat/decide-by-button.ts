import { AppError } from "../../base/error/app-error.ts";
import { membersOf } from "../../base/text/json-text.ts";
import {
  type ActionMessage,
  approveButton,
  buildActionMessage,
  type ChatMessage,
  commentInput,
  rejectButton,
} from "../../core/chat/action-message.ts";
import { runLink } from "../../core/chat/chat-text.ts";
import type { RunChange } from "../../core/run/run-change.ts";
import { decideActions } from "../../domain/action/decide-actions.ts";
import { type OpenChatWorkspace, requireChatWorkspace } from "../../domain/integration/chat-workspaces.ts";
import type { IntegrationSettings } from "../../domain/integration/integration-settings.ts";
import { answerChatRequest } from "../../integrations/chat/answer-chat-request.ts";
import { callChat } from "../../integrations/chat/chat-client.ts";
import { type ActionRow, listActionsById } from "../../store/action/actions.ts";
import { insertAudit } from "../../store/audit/audit.ts";
import type { Queryable, Transaction } from "../../store/database/database.ts";
import { transaction } from "../../store/database/transaction.ts";
import type { LinkedTeam } from "../../store/integration/chat-workspaces.ts";
import { findTeamOfAction, isId } from "../../store/team/directory.ts";
import { voterOf } from "../action/action.view.ts";
import { publishChanges } from "../run/publish-changes.ts";
import { auditAs, type ChatCaller, confirmChatUser, failureText, findChatCaller } from "./chat-caller.ts";
import type { ChatInteraction } from "./read-interaction.ts";
import type { InteractionContext } from "./submit-dialog.ts";

/** The outcome of a vote: the message as it is to be now, and what its sender sees beside it. */
interface Outcome {
  message?: ChatMessage;
  text?: string;
}

/** For the call that the answer has to wait for. The platform waits for three seconds. */
const hurried = { timeoutMs: 2000 };
const maxCommentLength = 2000;

export function isDecision({ type, button }: ChatInteraction): boolean {
  return type === "block_actions" && (button.id === approveButton || button.id === rejectButton);
}

/**
 * Casts the vote of the person who pressed a button, by the rules of PUT /action, before the platform gets its answer; the message
 * follows. The button only says which action is meant.
 */
export async function decideByButton(
  context: InteractionContext,
  settings: IntegrationSettings,
  interaction: ChatInteraction,
): Promise<void> {
  const { db, keyring, services } = context;
  try {
    const workspace = await requireChatWorkspace({ db, keyring, settings, fetch: services.platformFetch }, interaction.workspaceRef);
    const email = await confirmChatUser(db, workspace, interaction.userRef, hurried);
    const outcome = await castVote(context, workspace, email, interaction);
    tellLater(context, settings, workspace, interaction, outcome);
  } catch (error) {
    const text = failureText(error);
    if (text === undefined) throw error;
    tellLater(context, settings, undefined, interaction, { text });
  }
}

async function castVote(
  context: InteractionContext,
  workspace: OpenChatWorkspace,
  email: string,
  interaction: ChatInteraction,
): Promise<Outcome> {
  const { db, services, afterCommit } = context;
  try {
    const { changes, outcome } = await transaction(db, async (tx) =>
      vote(tx, context, await findChatCaller(tx, workspace, email), interaction),
    );
    afterCommit(() => publishChanges(services, changes));
    return outcome;
  } catch (error) {
    return refused(context, workspace, email, interaction, error);
  }
}

async function vote(
  tx: Transaction,
  { services, auditRecord }: InteractionContext,
  caller: ChatCaller,
  { button, messageValues, workspaceRef }: ChatInteraction,
): Promise<{ changes: RunChange[]; outcome: Outcome }> {
  const { principal } = caller;
  const team = await requireTeamOfAction(tx, caller, button.value);
  const approved = button.id === approveButton;
  const comments = commentOf(messageValues);
  const votes = [{ actionId: button.value, approved, comments }];
  const { cast, changes } = await decideActions(tx, services.runs, team.id, voterOf(principal, team.id), votes);
  for (const { action, decision } of cast) {
    const after = { approved, comments, status: decision ?? action.status, via: "chat", workspace: workspaceRef };
    const record = auditRecord({ kind: "action", id: action.id, name: action.taskName, teamId: team.id, after });
    await insertAudit(tx, auditAs(principal, "action/action", record));
  }
  const row = await findAction(tx, team, button.value);
  return { changes, outcome: row ? { message: viewActionMessage(row, team.name, services.runs.publicUrl) } : {} };
}

/** When someone else has decided the action, its buttons are removed. A user who may not see the action learns nothing about it. */
async function refused(
  { db, services }: InteractionContext,
  workspace: OpenChatWorkspace,
  email: string,
  { button }: ChatInteraction,
  error: unknown,
): Promise<Outcome> {
  const text = failureText(error);
  if (text === undefined) throw error;
  if (!(error instanceof AppError) || error.reason !== "ACTION_UNABLE_TO_ACTION") return { text };
  const team = await requireTeamOfAction(db, await findChatCaller(db, workspace, email), button.value);
  const row = await findAction(db, team, button.value);
  if (!row || row.status === "submitted") return { text };
  const by = row.votes.at(-1);
  const message = viewActionMessage(row, team.name, services.runs.publicUrl);
  const decider = by && row.status !== "cancelled" ? ` by ${by.name ?? by.principal}` : "";
  return { message, text: failureText(new AppError("ACTION_UNABLE_TO_ACTION", [row.id, `already ${row.status}${decider}`])) as string };
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

function commentOf(values: unknown): string | null {
  const { value } = membersOf(membersOf(membersOf(values)[commentInput])[commentInput]);
  return typeof value === "string" ? value.trim().slice(0, maxCommentLength) || null : null;
}

function tellLater(
  { services: { backgroundJobs, platformFetch }, afterCommit }: InteractionContext,
  settings: IntegrationSettings,
  workspace: OpenChatWorkspace | undefined,
  { responseUrl, message: { channel, ts } }: ChatInteraction,
  { text, message }: Outcome,
): void {
  if (text !== undefined && responseUrl !== "") {
    const platform = { apiUrl: settings.get("chat.baseURL"), fetch: platformFetch };
    afterCommit(() => void backgroundJobs?.run("chat refusal", (signal) => answerChatRequest(platform, responseUrl, { text }, signal)));
  }
  if (message === undefined || workspace === undefined || channel === "" || ts === "") return;
  const update = async (signal: AbortSignal) => {
    await callChat(workspace, "chat.update", { channel, ts, ...message }, { retries: 2, patienceMs: 5000, signal });
  };
  afterCommit(() => void backgroundJobs?.run("chat decision", update));
}

/** The message about an action, as it stands now. */
function viewActionMessage(row: ActionRow, teamName: string, publicUrl: string): ChatMessage {
  const message: ActionMessage = {
    id: row.id,
    type: row.type,
    status: row.status,
    taskName: row.taskName,
    workflowName: row.workflowName,
    teamName,
    instructions: row.instructions,
    approvalsRequired: row.approversWanted,
    deadline: row.deadlineAt?.toISOString() ?? null,
    runLink: runLink(publicUrl, teamName, row.runId),
    votes: row.votes.map(({ name, principal, approved, comments }) => ({ name: name ?? principal, approved, comments })),
  };
  return buildActionMessage(message);
}
