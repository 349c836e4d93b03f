import { maxReturnPath, toReturnPath } from "@millrace/contract/identity/return-path.ts";
import { AppError } from "../../../base/error/app-error.ts";
import type { Keyring } from "../../../base/secret/keyring.ts";
import { preferredType } from "../../../base/text/preferred-type.ts";
import type { PendingSignIn } from "../../../integrations/sign-in/identity-provider.ts";
import { type Cookies, type Reply, reply } from "../../endpoint.ts";

/**
 * A pending sign-in is stored in a cookie of the browser that started it, encrypted with the instance's key: so no process has to remember
 * it, nobody can fill a table by starting again and again, and no other browser can complete it. It expires after ten minutes by the
 * database's clock, and the first response removes the cookie.
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

/** Undefined if there is none, if it isn't ours, or if it has expired. */
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
    // Anyone can send any cookie: one that can't be decrypted was not created here, or with a key that no longer exists.
    return undefined;
  }
}

/** Where to go after signing in: a path of this service, by the same rule that the page uses. */
export function readReturnPath(text: string | undefined): string {
  if (text === undefined || text === "") return "/";
  const path = toReturnPath(text);
  if (path !== undefined) return path;
  const message = `is ${JSON.stringify(text.slice(0, 100))}; it must be an encoded path of this service: one slash at its start, also after dots are resolved, and at most ${maxReturnPath} characters`;
  throw new AppError("VALIDATION_FAILED", [`parameter returnTo ${message}`], { details: [{ path: "returnTo", message }] });
}

/** People get here through a link in a browser. If it asks for a page, a refusal is a page as well, with a link to try again. */
export async function answerBrowser(headers: Readonly<Record<string, string | undefined>>, work: () => Promise<Reply>): Promise<Reply> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError) || !prefersPage(headers["accept"])) throw error;
    return reply({ status: error.status, headers: pageHeaders(error), body: page(error), refusal: error });
  }
}

function prefersPage(accept: string | undefined): boolean {
  try {
    return preferredType(accept, ["application/json", "text/html"]) === "text/html";
  } catch {
    // If it accepts neither, it gets the form of every other refusal.
    return false;
  }
}

function pageHeaders({ retryAfterSeconds }: AppError): Record<string, string> {
  return {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    ...(retryAfterSeconds !== undefined && { "retry-after": String(retryAfterSeconds) }),
  };
}

function page({ message, reason }: AppError): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Not signed in</title>
<style>body{font:1rem/1.5 system-ui,sans-serif;max-width:40rem;margin:4rem auto;padding:0 1rem}code{color:#666}</style>
<h1>You are not signed in</h1>
<p>${escapeHtml(message)}</p>
<p><a href="/api/v2/auth/oidc/start">Try again</a></p>
<p><code>${reason}</code></p>
</html>
`;
}

function escapeHtml(text: string): string {
  const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
  return text.replace(/[&<>"']/g, (letter) => entities[letter]!);
}
