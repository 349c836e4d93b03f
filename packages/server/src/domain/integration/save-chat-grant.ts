import type { Keyring } from "../../base/secret/keyring.ts";
import { chatTokenPlace } from "../../core/secret/sealed-places.ts";
import type { Transaction } from "../../store/database/database.ts";
import { saveChatWorkspace } from "../../store/integration/chat-workspaces.ts";

/** What the chat platform granted the app for a workspace; the token in clear. */
export interface ChatGrantInput {
  workspaceId: string;
  workspaceName: string | undefined;
  appId: string | undefined;
  token: string;
  /** Address of the API that granted it. */
  apiUrl: string;
  scopes: string[];
}

/** Keeps the token of a workspace, sealed, in place of an earlier one. */
export async function saveChatGrant(tx: Transaction, keyring: Keyring, grant: ChatGrantInput): Promise<{ id: string; isNew: boolean }> {
  return saveChatWorkspace(tx, {
    ref: grant.workspaceId,
    name: grant.workspaceName ?? null,
    appId: grant.appId ?? null,
    token: keyring.sealText(grant.token, chatTokenPlace(grant.workspaceId)),
    apiUrl: grant.apiUrl,
    scopes: grant.scopes,
  });
}
