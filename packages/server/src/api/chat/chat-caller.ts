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

/** A user of the chat, with what they may do now. */
export interface ChatCaller {
  /** The user of this instance, kept to the teams that the workspace is linked to. */
  principal: Principal;
  /** The linked teams in which they may do anything at all. */
  teams: LinkedTeam[];
}

/**
 * The user with that address here, with their current roles. They can do no more than elsewhere, and nothing in teams that the workspace
 * is not linked to; this also holds for administrators.
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

/** The audit record of an action in the chat: it names the user, not the platform that delivered it. */
export function auditAs({ id, name, kind }: Principal, action: string, record: AuditRecord): AuditRecord {
  return { ...record, principalKind: kind, principalId: id, principalName: name, action };
}

/** A mistake that only a user of the chat can make, in a sentence for them. */
export class ChatRefusal extends Error {}

/** What the person in the chat sees of an error; undefined for what is a bug of ours, and is the log's. */
export function failureText(error: unknown): string | undefined {
  if (error instanceof AppError || error instanceof ChatRefusal) return escapeChatText(error.message, 2000);
  return error instanceof ChatError ? escapeChatText(`The chat platform can't be used now: ${error.message}`, 2000) : undefined;
}
