import type { Octokit } from "octokit";
import type { PlatformFetch } from "../../base/network/platform-fetch.ts";
import { CodehostError } from "./codehost-error.ts";
import { codehostFetch } from "./codehost-fetch.ts";
import { readCodehostKey } from "./codehost-private-key.ts";

/** Which app, and where. */
export interface CodehostApp {
  /** Of the API, without a slash at its end. */
  apiUrl: string;
  appId: string;
  /** The private key as it was given. A secret. */
  pem: string;
  fetch: PlatformFetch;
}

export interface CodehostOctokit {
  /** Signs in as the app, by a JWT (RS256, ten minutes at most) for each call. */
  asApp: Octokit;
  /** Has no credential: each call brings the token of an installation. */
  asAnybody: Octokit;
}

/** By the app, so that a key is read once. Weak: it goes with the client that it belongs to. */
const opened = new WeakMap<CodehostApp, Promise<CodehostOctokit>>();

/** The platform's library, ready for calls. @throws CodehostError when the app's settings are no good */
export function openOctokit(app: CodehostApp): Promise<CodehostOctokit> {
  const known = opened.get(app);
  if (known) return known;
  const fresh = makeOctokit(app);
  opened.set(app, fresh);
  return fresh;
}

/** The library is only loaded here: an instance without a codehost has neither its memory nor its time. */
async function makeOctokit({ apiUrl, appId, pem, fetch }: CodehostApp): Promise<CodehostOctokit> {
  if (!/^[\w.-]{1,100}$/.test(appId))
    throw new CodehostError("app", "the setting codehost.appId is not an id of an app; it is a number, or the app's client id");
  const read = readCodehostKey(pem);
  if ("fault" in read) throw new CodehostError("key", `the setting codehost.pem ${read.fault}`);
  const { App, Octokit: Base } = await import("octokit");
  // Waiting and trying again are ours (codehost-ask.ts): the library would wait for minutes, and hold up one caller for another.
  const Quiet = Base.defaults({
    baseUrl: apiUrl,
    userAgent: "millrace",
    request: { fetch: codehostFetch(fetch), log: silent },
    log: silent,
    throttle: { enabled: false },
    retry: { enabled: false },
  });
  return {
    asApp: new App({ appId, privateKey: read.key, Octokit: Quiet, log: silent }).octokit as unknown as Octokit,
    asAnybody: new Quiet(),
  };
}

/** What it would write holds addresses and the platform's words, and goes past our log with its masks. */
const silent = { debug() {}, info() {}, warn() {}, error() {} };
