import type { Step, TaskSpec } from "@millrace/contract/task/task.ts";
import { sidecarNames, sidecarsOf } from "./flat-step.ts";
import { jobSteps, type ProgramTask } from "./job-steps.ts";
import { contextOf, type StepPrivileges, stepContexts, stepPrivileges } from "./step-privileges.ts";

/** A member of a step's `securityContext` that has no effect in any executor. */
interface IgnoredMember {
  /** JSON pointer. */
  path: string;
  /** Index among the merged steps or the sidecars, from 0. */
  step: number;
  isSidecar?: true;
  member: string;
  value: unknown;
  /** The reason, to follow "has no effect: ". */
  why: string;
}

/**
 * Settings for a container or a pod that a step never gets. Settings that every step has anyway, and those that have an effect in addition
 * to privileges, are not included. A document with such settings is valid: a save warns of each, and the log of an attempt in an image
 * names them.
 */
export function contextWarnings(spec: Partial<TaskSpec>, taskName: string): IgnoredMember[] {
  return stepContexts(spec, taskName).flatMap(({ step, index, isSidecar, place }) =>
    ignoredIn(step, index, place).map((found) => ({ ...found, ...(isSidecar && { isSidecar }) })),
  );
}

function ignoredIn(step: Step, index: number, place: (member: string) => string): IgnoredMember[] {
  const privileges = stepPrivileges(step);
  return Object.entries<unknown>({ ...contextOf(step) }).flatMap(([member, value]) => {
    if (value == null) return [];
    const reason = Object.hasOwn(reasons, member) ? reasons[member] : () => "it is unknown here";
    const why = reason?.(value, privileges);
    return why === undefined ? [] : [{ path: place(member), step: index, member, value, why }];
  });
}

/** @returns undefined: it has the effect that the document asks for */
type Reason = (value: unknown, privileges: StepPrivileges | undefined) => string | undefined;

const ownUser: Reason = (_value, privileges) =>
  privileges?.user === undefined ? "without privileges steps run as a user of their own" : undefined;
const flag: Reason = (value) => (typeof value === "boolean" ? undefined : "it must be true or false");
const ofPods: Reason = () => "it is for pods; the folders of a task belong to its steps already";

const reasons: Readonly<Record<string, Reason>> = {
  runAsUser: ownUser,
  runAsGroup: ownUser,
  runAsNonRoot: flag,
  readOnlyRootFilesystem: flag,
  // Wrong values of these are refused by step-privileges.ts.
  privileged: () => undefined,
  allowPrivilegeEscalation: () => undefined,
  capabilities(value) {
    const { add: _add, drop, ...others } = value as Record<string, unknown>;
    if (drop != null && !Array.isArray(drop)) return "drop must be a list of names";
    const [other] = Object.keys(others);
    return other && `${other.slice(0, 40)} is unknown here`;
  },
  seccompProfile: profile("the worker chooses the filter of system calls"),
  appArmorProfile: profile("the worker chooses the profile"),
  procMount: (value, privileges) =>
    value === "Default" || (value === "Unmasked" && privileges?.isPrivileged) ? undefined : "no step sees /proc as a whole",
  seLinuxOptions: () => "the worker chooses the labels",
  windowsOptions: () => "steps run on Linux",
  fsGroup: ofPods,
  fsGroupChangePolicy: ofPods,
  supplementalGroups: ofPods,
  supplementalGroupsPolicy: ofPods,
  sysctls: () => "it is for pods, and a task can't change the kernel of its worker",
};

function profile(why: string): Reason {
  return (value, privileges) => {
    const { type } = (value ?? {}) as { type?: unknown };
    return type === "RuntimeDefault" || (type === "Unconfined" && privileges?.isPrivileged) ? undefined : why;
  };
}

/** Lines for the log of a task in an image. */
export function contextNotes(task: ProgramTask): readonly string[] {
  const known = notes.get(task);
  if (known) return known;
  const names = jobSteps(task).map(({ name }) => `step ${name}`);
  const beside = sidecarNames(sidecarsOf(task.spec)).map((name) => `sidecar ${name}`);
  const found = contextWarnings(task.spec, task.name).map(
    ({ step, isSidecar, member, value, why }) =>
      `${(isSidecar ? beside : names)[step]} asks for ${member.slice(0, 80)} ${JSON.stringify(value).slice(0, 80)}, which has no effect: ${why}`,
  );
  const shown = found.length <= maxNotes ? found : [...found.slice(0, maxNotes), `and ${found.length - maxNotes} more of this kind`];
  notes.set(task, shown);
  return shown;
}

const maxNotes = 50;

/** A cache, since a version of a task never changes. */
const notes = new WeakMap<ProgramTask, readonly string[]>();
