import { listOf, rangeOrHost } from "./parse-value.ts";
import { required } from "./setting.ts";

/** Where requests that users have caused may go. */
export const outboundSettings = {
  outboundAllow: required(
    "MILLRACE_OUTBOUND_ALLOW",
    "",
    "IP addresses, ranges and host names outside the public internet that webhooks and calls to chat and code hosting platforms can reach, separated by commas, for example `10.1.0.0/16,hooks.internal`.",
    listOf(rangeOrHost, 0),
    "none",
  ),
};
