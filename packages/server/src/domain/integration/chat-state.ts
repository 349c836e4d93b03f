import { AppError } from "../../base/app-error.ts";
import type { Keyring } from "../../base/keyring.ts";
import { chatStatePlace } from "../../core/sealed-places.ts";

/**
 * The `state` of an installation of the chat app (OAuth 2.0, 10.12): proves that it began here, less than ten minutes ago. It is sealed
 * instead of stored, so that a beginning that nobody ends leaves nothing behind.
 */
const validForMs = 600_000;

export function newChatState(keyring: Keyring, now: Date): string {
  const sealed = keyring.sealText(String(now.getTime()), chatStatePlace);
  return Buffer.from(sealed).toString("base64url");
}

/** @throws AppError BAD_REQUEST when it is none of ours, or too old */
export function checkChatState(keyring: Keyring, state: string, now: Date): void {
  const begunAt = openState(keyring, state);
  const ageMs = now.getTime() - begunAt;
  if (ageMs >= 0 && ageMs <= validForMs) return;
  throw new AppError("BAD_REQUEST", [
    "state is not from an installation that began here in the last ten minutes; begin again at /api/v2/integration/chat/install",
  ]);
}

/** NaN for what does not open. */
function openState(keyring: Keyring, state: string): number {
  try {
    return Number(keyring.openText(Buffer.from(state, "base64url").toString(), chatStatePlace));
  } catch {
    return Number.NaN;
  }
}
