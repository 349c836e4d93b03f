import { AppError } from "../../base/error/app-error.ts";
import { readChatUser } from "../../core/chat/read-chat-user.ts";
import type { OpenChatWorkspace } from "../../domain/integration/find-chat-workspace.ts";
import { type ChatCallLimits, callChat } from "../../integrations/chat/chat-client.ts";
import type { Database } from "../../store/database/database.ts";
import { findFreshChatEmail, saveChatEmail } from "../../store/integration/chat-users.ts";

/**
 * The address that the platform has confirmed for a user of the workspace. The platform is asked once in ten minutes, so that what
 * follows soon, the dialog after the command, needs no call. Outside of transactions.
 *
 * @throws AppError PERMISSION_DENIED for whom the platform does not vouch, ChatError when it can't be asked
 */
export async function confirmChatUser(
  db: Database,
  workspace: OpenChatWorkspace,
  userRef: string,
  limits: ChatCallLimits,
): Promise<string> {
  const known = await findFreshChatEmail(db, workspace.id, userRef);
  if (known !== undefined) return known;
  const answer = await callChat(workspace, "users.info", { user: userRef }, limits);
  const found = readChatUser(answer["user"], workspace.ref);
  if ("refusal" in found) throw new AppError("PERMISSION_DENIED", [found.refusal]);
  await saveChatEmail(db, workspace.id, userRef, found.email);
  return found.email;
}
