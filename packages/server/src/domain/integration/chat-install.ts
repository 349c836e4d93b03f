import { timingSafeEqual } from "node:crypto";
import { AppError } from "../../base/error/app-error.ts";
import type { Keyring } from "../../base/secret/keyring.ts";
import { chatStatePlace, chatTokenPlace } from "../../core/secret/sealed-places.ts";
import type { Transaction } from "../../store/database/database.ts";
import { saveChatWorkspace } from "../../store/integration/chat-workspaces.ts";

/**
 * The `state` of an installation of the chat app (OAuth 2.0, 10.12): proves that it began here, less than ten minutes ago, in the browser
 * that has its secret in a cookie. It is encrypted instead of stored, so that an installation that is never completed leaves nothing
 * behind.
 */
export const chatStateSeconds = 600;

/** @param secret random, for the cookie of the browser */
export function newChatState(keyring: Keyring, now: Date, secret: string): string {
  const sealed = keyring.sealText(JSON.stringify([now.getTime(), secret]), chatStatePlace);
  return Buffer.from(sealed).toString("base64url");
}

/** @throws AppError BAD_REQUEST if it isn't ours, too old, or from another browser */
export function checkChatState(keyring: Keyring, state: string, now: Date, secret: string | undefined): void {
  const [begunAt, expected] = openState(keyring, state) ?? [Number.NaN, ""];
  const ageMs = now.getTime() - begunAt;
  const isFresh = ageMs >= 0 && ageMs <= chatStateSeconds * 1000;
  if (isFresh && secret !== undefined && isSame(secret, expected)) return;
  throw new AppError("BAD_REQUEST", [
    "state is not from an installation that was started in this browser in the last 10 minutes; start again at /api/v2/integration/chat/install",
  ]);
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Undefined if it can't be decrypted. */
function openState(keyring: Keyring, state: string): [number, string] | undefined {
  try {
    return JSON.parse(keyring.openText(Buffer.from(state, "base64url").toString(), chatStatePlace)) as [number, string];
  } catch {
    return undefined;
  }
}

/** What the chat platform granted the app for a workspace, with the token in clear. */
interface ChatGrantInput {
  workspaceId: string;
  workspaceName: string | undefined;
  appId: string | undefined;
  token: string;
  /** Address of the API that granted it. */
  apiUrl: string;
  scopes: string[];
}

/** Stores the token of a workspace, encrypted, and replaces an earlier one. */
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
