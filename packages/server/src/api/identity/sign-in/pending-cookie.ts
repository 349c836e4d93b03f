import type { Keyring } from "../../../base/secret/keyring.ts";
import type { PendingSignIn } from "../../../integrations/sign-in/identity-provider.ts";
import type { Cookies } from "../../endpoint.ts";

/**
 * A sign-in that is under way is kept in a cookie of the browser that began it, sealed with the instance's key: no process has to remember
 * it, nobody can fill a table by beginning again and again, and no other browser can finish it. It ends after ten minutes by the
 * database's clock, and the cookie goes with the first answer.
 */
export interface Pending extends PendingSignIn {
  returnTo: string;
  /** Epoch milliseconds of the database. */
  until: number;
}

export const pendingSeconds = 600;
const name = "millrace-sign-in";
const place = "cookie|sign-in";

export function writePending(cookies: Cookies, keyring: Keyring, pending: Pending): void {
  cookies.write(name, Buffer.from(keyring.seal(Buffer.from(JSON.stringify(pending)), place)).toString("base64url"), pendingSeconds);
}

/** Undefined when there is none, it was not ours, or its time is over. */
export function takePending(cookies: Cookies, keyring: Keyring, nowMs: number): Pending | undefined {
  const sealed = cookies.read(name);
  if (sealed === undefined) return undefined;
  cookies.remove(name);
  const pending = open(keyring, sealed);
  return pending !== undefined && pending.until > nowMs ? pending : undefined;
}

function open(keyring: Keyring, sealed: string): Pending | undefined {
  try {
    return JSON.parse(Buffer.from(keyring.open(Buffer.from(sealed, "base64url"), place)).toString("utf8")) as Pending;
  } catch {
    // Anybody can send any cookie: one that does not open was not made here, or with a key that is gone.
    return undefined;
  }
}
