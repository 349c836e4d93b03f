import { hostname } from "node:os";
import { ApiError } from "@millrace/client/api-error.ts";
import { createClient, type MillraceClient, type Schemas } from "@millrace/client/client.ts";
import { exitCodes, Failure } from "../failure.ts";
import { plainLine } from "../output/plain-text.ts";
import { openBrowser } from "./open-browser.ts";
import { retryingFetch } from "./retrying-fetch.ts";

/**
 * Sign-in through a browser (RFC 8628): the service issues a code, a person who is signed in approves it in the browser, and the command
 * receives a token.
 */

/** A client for requests without a token. It follows no redirects, so that codes it receives later are sent only to that address. */
function openSignedOut(url: string): MillraceClient {
  const fetch = (request: Request) => retryingFetch(new Request(request, { redirect: "manual" }));
  return createClient({ url, fetch, headers: { "user-agent": "millrace-cli" } });
}

/** Whether people can sign in there: an instance without users only has tokens, and older ones have no such page. */
export async function canUseBrowser(url: string): Promise<boolean> {
  const { methods } = await openSignedOut(url).get("/api/v2/auth/methods");
  return methods.length > 0;
}

/** Tells the person what to do, and waits for the approval. @throws {Failure} when it is refused or expires */
export async function logInByBrowser(url: string): Promise<string> {
  const client = openSignedOut(url);
  const begun = await begin(client);
  const page = pageOf(begun.verificationUri, url);
  const isElsewhere = new URL(page).origin !== new URL(url).origin;
  if (isElsewhere) process.stderr.write(`millrace: ${warningOf(page, url)}\n`);
  process.stderr.write(`Open ${page} and enter the code ${plainLine(begun.userCode)}\n`);
  if (process.stderr.isTTY === true && !isElsewhere) openBrowser(page);
  process.stderr.write("Waiting for your approval there; Ctrl-C gives up\n");
  return await pollToken(client, begun);
}

async function begin(client: MillraceClient): Promise<Schemas["DeviceSignIn"]> {
  try {
    return await client.post("/api/v2/auth/device", { body: { hostName: hostname().slice(0, 200) || "unknown" } });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
    throw new Failure(exitCodes.notFound, "This version of the service can't sign you in through a browser", "Add --token");
  }
}

/**
 * A service may have another address for browsers (`MILLRACE_PUBLIC_URL`). But it may also have started a sign-in at another service and
 * pass on that service's code: whoever approves it there would give it one of their tokens.
 */
function warningOf(page: string, url: string): string {
  const [there, here] = [new URL(page).origin, new URL(url).origin];
  return `The page is at ${there}, and you sign in to ${here}. If they are not the same service, don't enter the code: ${here} would get access to your account at ${there}`;
}

/** Whatever the service returns, the browser only opens an http or https page. */
function pageOf(said: string, url: string): string {
  const page = URL.canParse(said, `${url}/`) ? new URL(said, `${url}/`) : undefined;
  return page !== undefined && /^https?:$/.test(page.protocol) ? page.href : `${url}/sign-in/device`;
}

/** Waiting continues after network errors and restarts of the service; it ends when the code expires. */
async function pollToken(client: MillraceClient, { deviceCode, intervalSeconds }: Schemas["DeviceSignIn"]): Promise<string> {
  const pauseMs = Math.min(Math.max(intervalSeconds, 1), 60) * 1_000;
  for (let failures = 0; ; ) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    try {
      const { status, token } = await client.post("/api/v2/auth/device/token", { body: { deviceCode } });
      failures = 0;
      if (token !== null) return token;
      if (status === "refused") throw new Failure(exitCodes.notAllowed, "The sign-in was refused in the browser");
      if (status !== "pending") throw new Failure(exitCodes.notAllowed, "The code has expired", "Run millrace login again");
    } catch (error) {
      if (!(error instanceof ApiError) || !isPassing(error) || ++failures > mostFailures) throw error;
    }
  }
}

/** Consecutive failures. */
const mostFailures = 24;

function isPassing({ status }: ApiError): boolean {
  return status === 0 || status === 429 || status >= 500;
}
