import type { BackgroundJobs } from "../../base/process/background-jobs.ts";
import { requireChatWorkspace } from "../../domain/integration/chat-workspaces.ts";
import { callChat } from "../../integrations/chat/chat-client.ts";
import { markWelcomed, unmarkWelcomed } from "../../store/integration/chat-users.ts";
import { findChatWorkspace } from "../../store/integration/chat-workspaces.ts";
import { type ChatParts, helpText } from "./answer-command.ts";

const welcome = `Welcome! Here you can start and follow workflows, and decide approvals.\n${helpText}`;

/**
 * Greets a user of the workspace when they open the app for the first time. The platform may deliver the event more than once: a user with
 * a row has been greeted. If the greeting can't be sent, it is tried again when the user comes back.
 */
export async function welcomeChatUser(
  parts: ChatParts,
  backgroundJobs: BackgroundJobs | undefined,
  workspaceRef: string,
  userRef: unknown,
): Promise<void> {
  const { db, settings } = parts;
  if (typeof userRef !== "string" || !/^\w{1,100}$/.test(userRef)) return;
  const known = await findChatWorkspace(db, workspaceRef);
  if (!known || (known.token === null && settings.get("chat.token") === "")) return;
  const workspace = await requireChatWorkspace(parts, workspaceRef);
  if (!(await markWelcomed(db, workspace.id, userRef))) return;
  backgroundJobs?.run("chat welcome", async (signal) => {
    const message = { channel: userRef, text: welcome };
    await callChat(workspace, "chat.postMessage", message, { patienceMs: 5000, signal }).catch(async (error: unknown) => {
      await unmarkWelcomed(db, workspace.id, userRef);
      throw error;
    });
  });
}
