import type { TaskSpec } from "@millrace/contract/task/task.ts";
import type { ErrorDetail } from "../../base/error/app-error.ts";
import type { OptIn } from "./opt-in.ts";
import { privilegeFaults, privilegeRequests } from "./tekton/step-privileges.ts";

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
  const found = known.get(task) ?? ask(task);
  known.set(task, found);
  return found;
}

function ask({ spec, name }: WrittenTask) {
  return { requests: privilegeRequests(spec, name), faults: privilegeFaults(spec, name) };
}

/** A cache, since a version of a task never changes. */
const known = new WeakMap<WrittenTask, ReturnType<typeof ask>>();
