import type { IncomingHttpHeaders } from "node:http";

/**
 * The interface speaks of the codehost and the chat platform. The real ones (GitHub, Slack) send headers of their own spelling and
 * nothing else, so these are known by their neutral names from here on.
 */
const neutralNames: Readonly<Record<string, string>> = {
  "x-github-event": "x-codehost-event",
  "x-github-delivery": "x-codehost-delivery",
  "x-hub-signature-256": "x-codehost-signature-256",
  "x-github-hook-installation-target-id": "x-codehost-hook-installation-target-id",
  "x-slack-signature": "x-chat-signature",
  "x-slack-request-timestamp": "x-chat-request-timestamp",
};

/** A neutral header that is there already stays. */
export function addNeutralHeaders(headers: IncomingHttpHeaders): void {
  for (const [name, neutral] of Object.entries(neutralNames)) {
    const given = headers[name];
    if (given !== undefined) headers[neutral] ??= given;
  }
}
