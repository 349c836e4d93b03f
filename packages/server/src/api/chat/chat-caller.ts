import { AppError } from "../../base/error/app-error.ts";
import type { OpenChatWorkspace } from "../../domain/integration/find-chat-workspace.ts";
import { keptToTeams, userPrincipal } from "../../policy/user-principal.ts";
import type { Queryable } from "../../store/database/database.ts";
import { findPerson } from "../../store/identity/sign-ins.ts";
import { type LinkedTeam, listTeamsOfChatWorkspace } from "../../store/integration/chat-workspaces.ts";
import type { Principal } from "../endpoint.ts";

/** Somebody in the chat, as he may act now. */
export interface ChatCaller {
  /** The user of this instance, kept to the teams that the workspace is linked to. */
  principal: Principal;
  /** The linked teams in which he may do anything at all. */
  teams: LinkedTeam[];
}

/**
 * Who has that address here, with the roles of this moment: not more than he may elsewhere, and nothing in teams that the workspace is not
 * linked to, an administrator neither.
 *
 * @throws AppError PERMISSION_DENIED that says which address is not known, or what is not linked
 */
export async function findChatCaller(db: Queryable, workspace: OpenChatWorkspace, email: string): Promise<ChatCaller> {
  const linked = await listTeamsOfChatWorkspace(db, workspace.id);
  if (linked.length === 0) {
    const how = `POST /api/v2/integration/chat/link with {"ref": "${workspace.ref}", "team": "<team>"}`;
    throw new AppError("PERMISSION_DENIED", [`this workspace is not linked to a team; an administrator can link it with ${how}`]);
  }
  const person = await findPerson(db, email);
  if (person?.status !== "active") {
    throw new AppError("PERMISSION_DENIED", [`no active user has the address ${email}; ask an administrator for an invitation`]);
  }
  const principal = keptToTeams(
    { kind: "user", ...userPrincipal(person) },
    linked.map(({ id }) => id),
  );
  return { principal, teams: linked.filter(({ id }) => (principal.teams.get(id) ?? []).length > 0) };
}
