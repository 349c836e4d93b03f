import type { PlatformFetch } from "../../base/network/platform-fetch.ts";
import { CodehostError } from "./codehost-error.ts";

const maxRedirects = 3;
const maxAnswerBytes = 8 * 1024 * 1024;

/**
 * The `fetch` that the codehost's library uses. Redirects (the platform answers so for what was renamed) are followed on the same
 * host only, and with the same method and body: to anywhere else a credential would go along, or a write would become a read.
 * Answers are read to their end, and bounded.
 */
export function codehostFetch(fetch: PlatformFetch): PlatformFetch {
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
  // The library looks at where the answer came from.
  Object.defineProperty(whole, "url", { value: answer.url });
  return whole;
}
