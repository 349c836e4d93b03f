import { AppError } from "../../base/error/app-error.ts";
import type { PlatformFetch } from "../../base/network/platform-fetch.ts";
import type { Keyring } from "../../base/secret/keyring.ts";
import { isId } from "../../base/text/uuid.ts";
import { escapeChatText, runLink } from "../../core/chat/chat-text.ts";
import { buildRunDialog, dialogRefusal } from "../../core/chat/run-dialog.ts";
import { cleanText } from "../../core/document/json-guard.ts";
import { type OpenChatWorkspace, requireChatWorkspace } from "../../domain/integration/chat-workspaces.ts";
import type { IntegrationSettings } from "../../domain/integration/integration-settings.ts";
import { type ChatCallLimits, callChat } from "../../integrations/chat/chat-client.ts";
import { allows } from "../../policy/allows.ts";
import type { Database, Queryable } from "../../store/database/database.ts";
import { findRun, listRuns, type RunRow } from "../../store/run/runs.ts";
import { findSubmission, type Submission } from "../../store/run/submissions.ts";
import { findTeamOfRun } from "../../store/team/directory.ts";
import { listWebhookWorkflows } from "../../store/workflow/triggered-workflows.ts";
import { type ChatCaller, ChatRefusal, confirmChatUser, failureText, findChatCaller } from "./chat-caller.ts";
import { findChatWorkflow } from "./find-chat-workflow.ts";

/** The response to a request of the platform. */
export interface ChatParts {
  db: Database;
  keyring: Keyring;
  settings: IntegrationSettings;
  fetch: PlatformFetch;
  publicUrl: string;
}

export const helpText = [
  "Commands:",
  "`help`: this message",
  "`list`, `list TEAM`: lists the workflows that you can start from here",
  "`run WORKFLOW`: asks for the parameters in a dialog and starts a run. The name or ID alone does the same. Use TEAM/NAME if several teams have a workflow of that name",
  "`status RUN`, `status WORKFLOW`: shows the status of a run, or of the latest runs",
].join("\n");

/** The text for the sender of the command; undefined if a dialog was opened. It names mistakes of the sender, which are never thrown. */
export async function answerCommand(parts: ChatParts, command: ChatCommand, limits: ChatCallLimits): Promise<string | undefined> {
  try {
    return await answer(parts, command, limits);
  } catch (error) {
    const text = failureText(error);
    if (text === undefined) throw error;
    return text;
  }
}

async function answer(
  parts: ChatParts,
  { verb, argument, workspaceRef, userRef, triggerId }: ChatCommand,
  limits: ChatCallLimits,
): Promise<string | undefined> {
  if (verb === "help") return helpText;
  const { db, publicUrl } = parts;
  const workspace = await requireChatWorkspace(parts, workspaceRef);
  const caller = await findChatCaller(db, workspace, await confirmChatUser(db, workspace, userRef, limits));
  if (verb === "list") return listWorkflows(db, caller, argument);
  if (verb === "status") return replyWithStatus(db, caller, argument, publicUrl);
  await openRunDialog(db, { caller, workspace, triggerId, publicUrl }, argument, limits);
  return undefined;
}

/** A slash command as the platform sends it. */
export interface ChatCommand {
  verb: "help" | "list" | "run" | "status";
  /** The text after the verb; empty if there is none. */
  argument: string;
  workspaceRef: string;
  userRef: string;
  /** Opens a dialog, for three seconds. */
  triggerId: string;
  /** Where the response has to be sent; empty if the sender wants it at once. */
  responseUrl: string;
}

const verbs = ["help", "list", "run", "status"] as const;

/** Anything that isn't a verb is taken as a workflow to run. */
export function readCommand(form: string): ChatCommand {
  const fields = new URLSearchParams(form);
  const field = (name: string) => cleanText((fields.get(name) ?? "").slice(0, 3000)).trim();
  const text = cleanText(field("text").slice(0, 500));
  const [first = "", ...rest] = text.split(/\s+/);
  const verb = verbs.find((one) => one === first.toLowerCase());
  return {
    verb: text === "" ? "help" : (verb ?? "run"),
    argument: verb === undefined ? text : rest.join(" "),
    workspaceRef: field("team_id"),
    userRef: field("user_id"),
    triggerId: field("trigger_id"),
    responseUrl: field("response_url"),
  };
}

const maxListed = 50;

/** The workflows that a user may start from this workspace, by team. @param teamName only of this team; empty: of all */
async function listWorkflows(db: Queryable, caller: ChatCaller, teamName: string): Promise<string> {
  const { principal, teams } = caller;
  const wanted = teams.filter(({ name }) => teamName === "" || name === teamName.toLowerCase());
  if (teamName !== "" && wanted.length === 0)
    throw new AppError("TEAM_INVALID_REF", [`${teamName} that you can reach from this workspace`]);
  const teamIds = wanted.filter(({ id }) => allows(principal, "workflow/action", id)).map(({ id }) => id);
  const workflows = await listWebhookWorkflows(db, { teamIds, workflowId: undefined }, maxListed + 1);
  if (workflows.length === 0)
    return "There are no workflows that you can start from here. A workflow must be active, and its trigger `webhook` enabled.";
  const lines = wanted.flatMap(({ id, name }) => {
    const own = workflows.slice(0, maxListed).filter(({ teamId }) => teamId === id);
    return own.length === 0 ? [] : [`*${escapeChatText(name)}*`, ...own.map((one) => `• ${escapeChatText(one.name)} (\`${one.id}\`)`)];
  });
  return [...lines, ...(workflows.length > maxListed ? ["… and more: use `list TEAM` to see the workflows of one team"] : [])].join("\n");
}

const maxRuns = 5;

/** The status of a run, or the last runs of a workflow. @param ref id of a run; id or name of a workflow */
async function replyWithStatus(db: Queryable, caller: ChatCaller, ref: string, publicUrl: string): Promise<string> {
  if (ref === "") throw new ChatRefusal("status needs the ID of a run, or a workflow");
  const run = isId(ref) ? await findReachableRun(db, caller, ref.toLowerCase()) : undefined;
  if (run) return line(run.row, publicUrl, run.teamName);
  const { id, teamId, teamName, name } = await findChatWorkflow(db, caller, ref, "workflowrun/read");
  const { rows, total } = await listRuns(db, teamId, { workflows: [id] }, { order: "DESC", limit: maxRuns, offset: 0 });
  if (total === 0) return `${escapeChatText(name)} has not run yet.`;
  return rows.map((row) => line(row, publicUrl, teamName)).join("\n");
}

async function findReachableRun(db: Queryable, caller: ChatCaller, id: string): Promise<{ row: RunRow; teamName: string } | undefined> {
  const teamId = await findTeamOfRun(db, id);
  const team = caller.teams.find((one) => one.id === teamId);
  if (!team || !allows(caller.principal, "workflowrun/read", team.id)) return undefined;
  const row = await findRun(db, team.id, id);
  return row && { row, teamName: team.name };
}

function line(row: RunRow, publicUrl: string, teamName: string): string {
  const message = row.statusMessage ? `: ${escapeChatText(row.statusMessage, 300)}` : "";
  const waits = row.awaitingApproval ? ", waiting for approval" : "";
  return `• ${escapeChatText(row.workflowName)} ${runLink(publicUrl, teamName, row.id)} *${row.status}*${waits}, ${row.createdAt.toISOString()}${message}`;
}

/**
 * Opens the dialog that asks for the parameters of a run. It grants nothing: the rights of the person who submits it are checked then.
 * @throws AppError if it can't be started from here, ChatError
 */
async function openRunDialog(
  db: Queryable,
  { caller, workspace, triggerId, publicUrl }: { caller: ChatCaller; workspace: OpenChatWorkspace; triggerId: string; publicUrl: string },
  ref: string,
  limits: ChatCallLimits,
): Promise<void> {
  if (ref === "") throw new ChatRefusal("run needs the name or ID of a workflow; try list");
  const { id, teamId, teamName } = await findChatWorkflow(db, caller, ref, "workflow/action");
  const submission = await findSubmission(db, { teamId, ref: id, version: undefined });
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
