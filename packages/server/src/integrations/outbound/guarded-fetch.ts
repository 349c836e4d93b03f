import { fetch, type RequestInit as UndiciRequestInit } from "undici";
import type { PlatformFetch } from "../../base/network/platform-fetch.ts";
import { createGuardedAgent, type OutboundSettings } from "./outbound-http.ts";

/**
 * The `fetch` by which the platforms are called. Their addresses are settings, so the rule for webhooks holds: only the open
 * internet, and what MILLRACE_OUTBOUND_ALLOW names, checked at each connection, redirects included. All of these calls carry
 * credentials, so they take TLS, except within this machine.
 */
export function createGuardedFetch(settings: OutboundSettings): PlatformFetch {
  const dispatcher = createGuardedAgent({ ...settings, isConfidential: true });
  return async (url, init) => {
    const answer = await fetch(url, { ...(init as UndiciRequestInit), dispatcher });
    return answer as unknown as Response;
  };
}
