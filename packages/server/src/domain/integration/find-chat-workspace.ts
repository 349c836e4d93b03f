import { AppError } from "../../base/error/app-error.ts";
import type { PlatformFetch } from "../../base/network/platform-fetch.ts";
import type { Keyring } from "../../base/secret/keyring.ts";
import { chatTokenPlace } from "../../core/secret/sealed-places.ts";
import type { Queryable } from "../../store/database/database.ts";
import { findChatWorkspace } from "../../store/integration/chat-workspaces.ts";
import type { IntegrationSettings } from "./integration-settings.ts";

/** A workspace, and how the platform is called for it; the token in clear. */
export interface OpenChatWorkspace extends KnownChatWorkspace {
  fetch: PlatformFetch;
}

interface KnownChatWorkspace {
  id: string;
  ref: string;
  apiUrl: string;
  token: string;
}

/** @throws AppError INTEGRATION_NOT_CONFIGURED when the workspace has not installed the app, or its token can't be opened */
export async function requireChatWorkspace(
  { db, keyring, settings, fetch }: { db: Queryable; keyring: Keyring; settings: IntegrationSettings; fetch: PlatformFetch },
  ref: string,
): Promise<OpenChatWorkspace> {
  return { ...(await requireKnownChatWorkspace(db, keyring, settings, ref)), fetch };
}

/** The same without what calls are made by: what calls them brings its own. */
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
