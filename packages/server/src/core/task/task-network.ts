import type { ErrorDetail } from "../../base/error/app-error.ts";
import type { OptIn } from "./opt-in.ts";
import type { JobStep } from "./tekton/job-steps.ts";
import type { ExecutorKind } from "./tekton/runnable.ts";

/**
 * The networks of a step. `none`: no network at all. `outbound`: public and private addresses, but nothing on the machine that runs the
 * step and nothing of the service (executors/networks/outbound-rule.ts). `host`: the network of the machine that runs the step, which can
 * reach everything that trusts this machine; only if both the instance and the team allow it.
 */
export const taskNetworks = ["none", "outbound", "host"] as const;
export type TaskNetwork = (typeof taskNetworks)[number];

const hostNetworkSetting = "MILLRACE_ALLOW_HOST_NETWORK";

/** Why the network `host` is refused, as the end of a sentence about what requests it; undefined: it is allowed. */
export function hostNetworkRefusal({ isAllowedHere, team }: OptIn): string | undefined {
  const instead = 'use "outbound"';
  if (!isAllowedHere)
    return `this instance does not allow tasks to use the network of the machine; ${instead}, or set ${hostNetworkSetting}=true`;
  if (team === undefined || team.isAllowed) return undefined;
  return `team ${team.name} is not allowed to use the network of the machine; ${instead}, or ask an administrator to set allowHostNetwork of the team to true`;
}

/** The same for an annotation in a document. @param asked value of the annotation */
export function hostNetworkFaults(asked: unknown, rights: OptIn, path: string): ErrorDetail[] {
  const why = asked === "host" ? hostNetworkRefusal(rights) : undefined;
  return why === undefined ? [] : [{ path, message: `is "host", but ${why}` }];
}

/**
 * The network of steps if the document sets none: work in an image usually needs to download something, a script does not.
 *
 * @param steps with the images that they name themselves
 */
export function defaultNetwork(kind: ExecutorKind, steps: readonly Pick<JobStep, "image">[]): TaskNetwork {
  return kind !== "process" && steps.some(({ image }) => image?.trim()) ? "outbound" : "none";
}
