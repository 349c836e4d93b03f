import { listOf, rangeOrEndpoint, trueOrFalse } from "./parse-value.ts";
import { required } from "./setting.ts";

/** What the steps of tasks may reach; docs/networks.md. */
export const networkSettings = {
  allowHostNetwork: required(
    "MILLRACE_ALLOW_HOST_NETWORK",
    "false",
    "Whether tasks may have the network of the machine (`host`), with all that trusts it: those of teams that an administrator allows it. Steps that no sandbox keeps from the network run only with it.",
    trueOrFalse,
  ),
  taskPrivateNetworks: required(
    "MILLRACE_TASK_PRIVATE_NETWORKS",
    "true",
    "Whether tasks with the network `outbound` reach private addresses such as `10.0.0.0/8`. `false` leaves the open internet and what `MILLRACE_TASK_OUTBOUND_ALLOW` names.",
    trueOrFalse,
  ),
  taskOutboundAllow: required(
    "MILLRACE_TASK_OUTBOUND_ALLOW",
    "",
    "Addresses, ranges and host names with commas between them, each with a port if it is for that one only, that tasks with the network `outbound` reach besides, such as `127.0.0.1:9000,10.0.0.0/8,[fd00::1]:443,build.internal:8443`.",
    listOf(rangeOrEndpoint, 0),
    "none",
  ),
};
