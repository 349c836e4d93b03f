import { listOf, rangeOrEndpoint, rangeOrHost, trueOrFalse } from "./parse-value.ts";
import { required } from "./setting.ts";

/** What the steps of tasks can reach; docs/networks.md. */
export const networkSettings = {
  allowHostNetwork: required(
    "MILLRACE_ALLOW_HOST_NETWORK",
    "false",
    "Whether tasks may use the machine's network (`host`), including everything that trusts this machine. Only for teams that an administrator allows. Required to run steps without a sandbox that isolates the network.",
    trueOrFalse,
  ),
  allowPrivileged: required(
    "MILLRACE_ALLOW_PRIVILEGED",
    "false",
    "Whether steps in containers and pods may be privileged or have capabilities. Only for teams that an administrator allows. Anyone who writes such a step can do anything on the machine that runs it.",
    trueOrFalse,
  ),
  taskPrivateNetworks: required(
    "MILLRACE_TASK_PRIVATE_NETWORKS",
    "true",
    "Whether tasks with the network `outbound` can reach private addresses such as `10.0.0.0/8`. If `false`, only the public internet and the addresses in `MILLRACE_TASK_OUTBOUND_ALLOW`.",
    trueOrFalse,
  ),
  taskOutboundAllow: required(
    "MILLRACE_TASK_OUTBOUND_ALLOW",
    "",
    "More addresses, ranges and host names that tasks with the network `outbound` can reach, separated by commas and optionally with a port, for example `127.0.0.1:9000,10.0.0.0/8,[fd00::1]:443,build.internal:8443`.",
    listOf(rangeOrEndpoint, 0),
    "none",
  ),
};

/** Which addresses requests on behalf of users may reach. */
export const outboundSettings = {
  outboundAllow: required(
    "MILLRACE_OUTBOUND_ALLOW",
    "",
    "IP addresses, ranges and host names outside the public internet that webhooks and calls to chat and code hosting platforms can reach, separated by commas, for example `10.1.0.0/16,hooks.internal`.",
    listOf(rangeOrHost, 0),
    "none",
  ),
};
