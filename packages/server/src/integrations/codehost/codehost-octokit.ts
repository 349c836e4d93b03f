import { createPrivateKey } from "node:crypto";
import type { Octokit } from "octokit";
import type { PlatformFetch } from "../../base/network/platform-fetch.ts";
import { CodehostError } from "./codehost-error.ts";

/** Which app, and its server. */
export interface CodehostApp {
  /** URL of the API, without a trailing slash. */
  apiUrl: string;
  appId: string;
  /** The private key in its original format. A secret. */
  pem: string;
  fetch: PlatformFetch;
}

interface CodehostOctokit {
  /** Authenticates as the app, with a JWT (RS256, ten minutes at most) for each call. */
  asApp: Octokit;
  /** Has no credential: each call is given the token of an installation. */
  asAnybody: Octokit;
}

/** By app, so that a key is parsed once. Weak: an entry is removed with the client that it belongs to. */
const opened = new WeakMap<CodehostApp, Promise<CodehostOctokit>>();

/** The platform's library, ready for calls. @throws CodehostError if the app's settings are invalid */
export function openOctokit(app: CodehostApp): Promise<CodehostOctokit> {
  const known = opened.get(app);
  if (known) return known;
  const fresh = makeOctokit(app);
  opened.set(app, fresh);
  return fresh;
}

/** The library is only loaded here: an instance without a codehost pays neither its memory nor its loading time. */
async function makeOctokit({ apiUrl, appId, pem, fetch }: CodehostApp): Promise<CodehostOctokit> {
  if (!/^[\w.-]{1,100}$/.test(appId))
    throw new CodehostError("app", "the setting codehost.appId is not an id of an app; it is a number, or the app's client id");
  const read = readCodehostKey(pem);
  if ("fault" in read) throw new CodehostError("key", `the setting codehost.pem ${read.fault}`);
  const { App, Octokit: Base } = await import("octokit");
  // Waiting and retries are done by us (codehost-ask.ts): the library would wait for minutes, and block one caller for another.
  const Quiet = Base.defaults({
    baseUrl: apiUrl,
    userAgent: "millrace",
    request: { fetch: codehostFetch(fetch), log: silent },
    log: silent,
    throttle: { enabled: false },
    retry: { enabled: false },
  });
  return {
    asApp: new App({ appId, privateKey: read.key, Octokit: Quiet, log: silent }).octokit as Octokit,
    asAnybody: new Quiet(),
  };
}

/** Its messages contain URLs and the platform's words, and would bypass our log with its masks. */
const silent = { debug() {}, info() {}, warn() {}, error() {} };

/**
 * Converts the app's private key to the one format that its library reads (PKCS#8), from all common formats: as issued by the platform
 * (PKCS#1) or converted, with line breaks, or on one line with spaces or with literal `\n`, with or without quotation marks. Messages never
 * contain the key or a part of it.
 */
export function readCodehostKey(text: string): { key: string } | { fault: string } {
  const plain = text.replaceAll(/\\r|\\n/g, "\n");
  const found = /-----BEGIN ([A-Z ]*PRIVATE KEY)-----([^-]+)-----END \1-----/.exec(plain);
  if (!found) return { fault: "is not a private key in PEM form, from -----BEGIN to -----END" };
  const [, label = "", body = ""] = found;
  if (label.startsWith("ENCRYPTED") || /ENCRYPTED/.test(body)) return { fault: "is a key with a passphrase; use a key without one" };
  const lines = body.replaceAll(/\s+/g, "").match(/.{1,64}/g) ?? [];
  try {
    const key = createPrivateKey(`-----BEGIN ${label}-----\n${lines.join("\n")}\n-----END ${label}-----\n`);
    if (key.asymmetricKeyType !== "rsa") return { fault: "is not an RSA key; use the key that the platform created for the app" };
    return { key: key.export({ type: "pkcs8", format: "pem" }).toString() };
  } catch {
    return { fault: "is damaged: no key can be read from it" };
  }
}

const maxRedirects = 3;
const maxAnswerBytes = 8 * 1024 * 1024;

/**
 * The `fetch` for the codehost's library. Redirects (the platform's response for what was renamed) are followed on the same host only, and
 * with the same method and body: to any other host a credential would be sent along, or a write would become a read. Responses are read to
 * their end, up to a limit.
 */
function codehostFetch(fetch: PlatformFetch): PlatformFetch {
  return async (address, init = {}) => {
    let url = new URL(address);
    for (let count = 0; count <= maxRedirects; count += 1) {
      const answer = await fetch(url, { ...init, redirect: "manual" });
      const location = isRedirect(answer.status) ? answer.headers.get("location") : null;
      if (location === null) return bounded(answer);
      await answer.body?.cancel();
      url = nextAddress(url, location, init.method ?? "GET", answer.status);
    }
    throw new CodehostError("address", `${url.origin} redirects in a circle; check the setting codehost.baseURL`);
  };
}

function isRedirect(status: number): boolean {
  return [301, 302, 307, 308].includes(status);
}

function nextAddress(from: URL, location: string, method: string, status: number): URL {
  const next = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  if (next?.origin !== from.origin) {
    throw new CodehostError(
      "address",
      `${from.origin} redirects to ${next?.origin ?? "nowhere"}, which gets no credential of the app; set codehost.baseURL to the address that answers itself`,
      { httpStatus: status },
    );
  }
  if (method !== "GET" && method !== "HEAD" && status < 307) {
    throw new CodehostError("address", `${from.origin} redirects a write with status ${status}; check the setting codehost.baseURL`, {
      httpStatus: status,
    });
  }
  return next;
}

async function bounded(answer: Response): Promise<Response> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of answer.body ?? []) {
    size += part.byteLength;
    if (size > maxAnswerBytes) throw new CodehostError("unavailable", `its answer is larger than ${maxAnswerBytes} bytes`);
    parts.push(part);
  }
  const { status, statusText, headers } = answer;
  const hasBody = status !== 204 && status !== 205 && status !== 304;
  const whole = new Response(hasBody ? Buffer.concat(parts) : null, { status, statusText, headers });
  // The library checks the URL of the response.
  Object.defineProperty(whole, "url", { value: answer.url });
  return whole;
}
