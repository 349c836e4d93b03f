import { AppError } from "../../base/error/app-error.ts";
import type { Transaction } from "../../store/database/database.ts";
import {
  type ChatWorkspaceRow,
  ensureChatWorkspace,
  linkChatWorkspace,
  lockChatWorkspace,
  vouchForChatWorkspace,
} from "../../store/integration/chat-workspaces.ts";

export interface ChatLinkInput {
  teamId: string;
  /** The platform's id of the workspace. */
  ref: string;
  /** Whoever links it may act as anybody anyway. */
  mayVouch: boolean;
  /** The setting chat.token is set: a workspace that installed nothing may be the one that it is for. */
  hasOwnToken: boolean;
}

/**
 * Links a team to a workspace, whose people then reach the team's workflows with the rights that each of them has here. Who they are is the
 * workspace's word: its owners decide whose address is whose. So the first link of a workspace takes an administrator;
 * otherwise an editor or an operator could bring a workspace of his own in which he is anybody.
 *
 * @throws AppError NOT_FOUND, PERMISSION_DENIED
 */
export async function linkTeamToChatWorkspace(
  tx: Transaction,
  { teamId, ref, mayVouch, hasOwnToken }: ChatLinkInput,
): Promise<{ workspace: ChatWorkspaceRow; isNew: boolean }> {
  if (mayVouch && hasOwnToken) await ensureChatWorkspace(tx, ref);
  const workspace = await lockChatWorkspace(tx, ref);
  if (!workspace || !(workspace.isVouchedFor || mayVouch)) throw refusal(ref, mayVouch);
  if (mayVouch) await vouchForChatWorkspace(tx, workspace.id);
  return { workspace, isNew: await linkChatWorkspace(tx, teamId, workspace.id) };
}

/** Which workspaces there are is only told to those who may list them. */
function refusal(ref: string, mayVouch: boolean): AppError {
  if (mayVouch) return new AppError("NOT_FOUND", [`chat workspace ${ref} here; install the app at /api/v2/integration/chat/install`]);
  const why = `chat workspace ${ref} is not trusted yet: only an administrator can create its first link`;
  return new AppError("PERMISSION_DENIED", [why]);
}
