import type { TaskSpec } from "@millrace/contract/task/task.ts";
import type { ErrorDetail } from "../../base/error/app-error.ts";
import type { JobStep } from "./tekton/job-steps.ts";
import type { ExecutorKind } from "./tekton/runnable.ts";
import { privilegeFaults, privilegeRequests } from "./tekton/step-privileges.ts";

/**
 * Whether tasks may have something that is the operator's to allow: a setting of the instance and an administrator (for the team) must both
 * allow it.
 */
export interface OptIn {
  /** The setting of the current process. */
  isAllowedHere: boolean;
  /** Absent for a global task or a template: there, each team that uses it must be allowed. */
  team?: { name: string; isAllowed: boolean };
}

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

/**
 * Privileges of steps are the operator's to allow: a program that has them on a machine controls the machine. So both the instance and the
 * team must be allowed them, which is checked when a task is saved and again before each attempt.
 */
const privilegeSetting = "MILLRACE_ALLOW_PRIVILEGED";

/** Why privileges are refused, as the end of a sentence about what requests them; undefined: they are allowed. */
export function privilegeRefusal({ isAllowedHere, team }: OptIn): string | undefined {
  const both = `${privilegeSetting}=true and allowPrivileged of the team`;
  if (!isAllowedHere) return `this instance does not allow steps any privileges; they take ${both}`;
  if (team === undefined || team.isAllowed) return undefined;
  return `team ${team.name} is not allowed steps with privileges; they take ${both}, which an administrator can set to true`;
}

interface WrittenTask {
  name: string;
  spec: Partial<TaskSpec>;
}

/** Checked when a task is saved: privileges that are requested but not allowed. */
export function privilegeRightFaults({ name, spec }: WrittenTask, optIn: OptIn): ErrorDetail[] {
  const why = privilegeRefusal(optIn);
  if (why === undefined) return [];
  return privilegeRequests(spec, name).map(({ path, value }) => ({ path, message: `is ${value}, but ${why}` }));
}

/** Checked again before an attempt, for tasks that were saved earlier, or when the team was still allowed to. */
export function privilegeProblem(task: WrittenTask, optIn: OptIn): string | undefined {
  const { requests, faults } = lookUp(task);
  const [fault] = faults;
  if (fault) return `${fault.path.slice(1).replaceAll("/", ".")} ${fault.message}`;
  const [request] = requests;
  const why = request && privilegeRefusal(optIn);
  return why === undefined ? undefined : `${request?.member} is ${request?.value}, but ${why}`;
}

function lookUp(task: WrittenTask): ReturnType<typeof ask> {
  const found = known.get(task.spec) ?? ask(task);
  known.set(task.spec, found);
  return found;
}

function ask({ spec, name }: WrittenTask) {
  return { requests: privilegeRequests(spec, name), faults: privilegeFaults(spec, name) };
}

/** A cache, since a version of a task never changes: a graph may have thousands of tasks with the same one. */
const known = new WeakMap<WrittenTask["spec"], ReturnType<typeof ask>>();
