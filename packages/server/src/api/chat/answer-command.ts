import type { PlatformFetch } from "../../base/network/platform-fetch.ts";
import type { Keyring } from "../../base/secret/keyring.ts";
import { requireChatWorkspace } from "../../domain/integration/find-chat-workspace.ts";
import type { IntegrationSettings } from "../../domain/integration/integration-settings.ts";
import type { ChatCallLimits } from "../../integrations/chat/chat-client.ts";
import type { Database } from "../../store/database/database.ts";
import { findChatCaller } from "./chat-caller.ts";
import { confirmChatUser } from "./confirm-chat-user.ts";
import { failureText } from "./failure-text.ts";
import { listWorkflows } from "./list-workflows.ts";
import { openRunDialog } from "./open-run-dialog.ts";
import type { ChatCommand } from "./read-command.ts";
import { replyWithStatus } from "./reply-with-status.ts";

/** What a request of the platform is answered with. */
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

/** The text for whoever sent the command; undefined when a dialog was opened instead. What he can cause is said in it, never thrown. */
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
