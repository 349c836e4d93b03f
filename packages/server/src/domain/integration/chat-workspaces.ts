import { AppError } from "../../base/error/app-error.ts";
import type { PlatformFetch } from "../../base/network/platform-fetch.ts";
import type { Keyring } from "../../base/secret/keyring.ts";
import { chatTokenPlace } from "../../core/secret/sealed-places.ts";
import type { Queryable, Transaction } from "../../store/database/database.ts";
import {
  type ChatWorkspaceRow,
  ensureChatWorkspace,
  findChatWorkspace,
  linkChatWorkspace,
  lockChatWorkspace,
  vouchForChatWorkspace,
} from "../../store/integration/chat-workspaces.ts";
import type { IntegrationSettings } from "./integration-settings.ts";

/** A workspace, and how to call the platform for it; the token in clear. */
export interface OpenChatWorkspace extends KnownChatWorkspace {
  fetch: PlatformFetch;
}

interface KnownChatWorkspace {
  id: string;
  ref: string;
  apiUrl: string;
  token: string;
}

/** @throws AppError INTEGRATION_NOT_CONFIGURED if the workspace has not installed the app, or its token can't be decrypted */
export async function requireChatWorkspace(
  { db, keyring, settings, fetch }: { db: Queryable; keyring: Keyring; settings: IntegrationSettings; fetch: PlatformFetch },
  ref: string,
): Promise<OpenChatWorkspace> {
  return { ...(await requireKnownChatWorkspace(db, keyring, settings, ref)), fetch };
}

/** The same without the HTTP client, which the caller has. */
export async function requireKnownChatWorkspace(
  db: Queryable,
  keyring: Keyring,
  settings: IntegrationSettings,
  ref: string,
): Promise<KnownChatWorkspace> {
  const workspace = await findChatWorkspace(db, ref);
  if (workspace === undefined) throw notInstalled("this workspace is unknown here; add the app at /api/v2/integration/chat/install");
  const apiUrl = settings.get("chat.baseURL");
  if (workspace.token !== null && workspace.apiUrl !== apiUrl) {
    throw notInstalled(
      `this workspace gave its token for ${workspace.apiUrl}, not for ${apiUrl}; add the app again at /api/v2/integration/chat/install`,
    );
  }
  const token = workspace.token === null ? settings.get("chat.token") : openToken(keyring, ref, workspace.token);
  if (token === "") throw notInstalled("this workspace has not installed the app, and the setting chat.token is empty");
  return { id: workspace.id, ref, apiUrl, token };
}

function openToken(keyring: Keyring, ref: string, sealed: string): string {
  try {
    return keyring.openText(sealed, chatTokenPlace(ref));
  } catch (cause) {
    const why = "the workspace's stored token can't be opened; add the app again at /api/v2/integration/chat/install";
    throw new AppError("INTEGRATION_NOT_CONFIGURED", ["chat", why], { cause });
  }
}

function notInstalled(why: string): AppError {
  return new AppError("INTEGRATION_NOT_CONFIGURED", ["chat", why]);
}

interface ChatLinkInput {
  teamId: string;
  /** The platform's id of the workspace. */
  ref: string;
  /** Anyone who links it may act as any user anyway. */
  mayVouch: boolean;
  /** The setting chat.token is set: it may be meant for a workspace that has no installation. */
  hasOwnToken: boolean;
}

/**
 * Links a team to a workspace. People of the workspace can then use the team's workflows with the rights that each of them has here. The
 * workspace decides who they are, because its owners control the email addresses of its members. So the first link of a workspace needs an
 * administrator; otherwise an editor or operator could link a workspace of their own, in which they can impersonate anyone.
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

/** Only those who may list workspaces learn which ones exist. */
function refusal(ref: string, mayVouch: boolean): AppError {
  if (mayVouch) return new AppError("NOT_FOUND", [`chat workspace ${ref} here; install the app at /api/v2/integration/chat/install`]);
  const why = `chat workspace ${ref} is not trusted yet: only an administrator can create its first link`;
  return new AppError("PERMISSION_DENIED", [why]);
}
