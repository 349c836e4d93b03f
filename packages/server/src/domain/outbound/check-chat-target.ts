import type { ErrorDetail } from "../../base/error/app-error.ts";
import { chatTargetFault } from "../../core/outbound/chat-target.ts";
import type { Queryable } from "../../store/database/database.ts";
import { findChatWorkspace, listTeamsOfChatWorkspace } from "../../store/integration/chat-workspaces.ts";

/** What is wrong with whom messages of the chat are for. A team reaches the workspaces that it is linked to, the instance all. */
export async function checkChatTarget(
  db: Queryable,
  teamId: string | null,
  target: Readonly<Record<string, unknown>>,
): Promise<ErrorDetail[]> {
  const fault = chatTargetFault(target);
  if (fault !== undefined) return [{ path: "/target", message: fault }];
  const workspace = await findChatWorkspace(db, String(target["workspace"]));
  const linked = workspace === undefined ? [] : await listTeamsOfChatWorkspace(db, workspace.id);
  if (workspace !== undefined && (teamId === null || linked.some(({ id }) => id === teamId))) return [];
  const remedy = teamId === null ? "/api/v2/integration/chat/workspace lists them" : "link it by POST /api/v2/integration/chat/link";
  return [{ path: "/target/workspace", message: `is not a workspace that can be reached from here; ${remedy}` }];
}
