import { AppError } from "../../base/error/app-error.ts";
import { escapeChatText } from "../../core/chat/chat-text.ts";
import { readChatUser } from "../../core/chat/read-chat-user.ts";
import type { OpenChatWorkspace } from "../../domain/integration/chat-workspaces.ts";
import { type ChatCallLimits, callChat } from "../../integrations/chat/chat-client.ts";
import { ChatError } from "../../integrations/chat/chat-error.ts";
import { keptToTeams, userPrincipal } from "../../policy/user-principal.ts";
import type { AuditRecord } from "../../store/audit/audit.ts";
import type { Database, Queryable } from "../../store/database/database.ts";
import { findPerson } from "../../store/identity/sign-ins.ts";
import { findFreshChatEmail, saveChatEmail } from "../../store/integration/chat-users.ts";
import { type LinkedTeam, listTeamsOfChatWorkspace } from "../../store/integration/chat-workspaces.ts";
import type { Principal } from "../endpoint.ts";

/** A user of the chat, with their current rights. */
export interface ChatCaller {
  /** The user of this instance, limited to the teams that the workspace is linked to. */
  principal: Principal;
  /** The linked teams in which they have any permission. */
  teams: LinkedTeam[];
}

/**
 * The user with that address here, with their current roles. They have no more rights than elsewhere, and none in teams that the workspace
 * is not linked to; this also applies to administrators.
 *
 * @throws AppError PERMISSION_DENIED with the address that is unknown, or what is not linked
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

/**
 * The address that the platform has confirmed for a user of the workspace. The platform is asked once in ten minutes, so that follow-up
 * requests, such as the dialog after the command, need no call. Outside of transactions.
 *
 * @throws AppError PERMISSION_DENIED if the platform has not confirmed one, ChatError if it can't be asked
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

/** The audit record of an action in the chat: it names the user, not the platform that delivered it. */
export function auditAs({ id, name, kind }: Principal, action: string, record: AuditRecord): AuditRecord {
  return { ...record, principalKind: kind, principalId: id, principalName: name, action };
}

/** A mistake that only a user of the chat can make, as a sentence for them. */
export class ChatRefusal extends Error {}

/** What the person in the chat sees of an error; undefined for bugs, which are only logged. */
export function failureText(error: unknown): string | undefined {
  if (error instanceof AppError || error instanceof ChatRefusal) return escapeChatText(error.message, 2000);
  return error instanceof ChatError ? escapeChatText(`The chat platform can't be used now: ${error.message}`, 2000) : undefined;
}
