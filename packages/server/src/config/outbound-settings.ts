import { listOf, rangeOrHost } from "./parse-value.ts";
import { required } from "./setting.ts";

/** Where requests that users have caused may go. */
export const outboundSettings = {
  outboundAllow: required(
    "MILLRACE_OUTBOUND_ALLOW",
    "",
    "IP addresses, ranges and host names with commas between them that webhooks and calls of the chat and code-hosting platforms may go to although they are not on the open internet, such as `10.1.0.0/16,hooks.internal`.",
    listOf(rangeOrHost, 0),
    "none",
  ),
};
