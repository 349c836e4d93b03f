import type { Step, TaskSpec } from "@millrace/contract/task/task.ts";
import type { ErrorDetail } from "../../../base/error/app-error.ts";
import { stepsOf } from "./flat-step.ts";
import { mergedSteps } from "./step-action/step-action.ts";

/**
 * The privileges that the `securityContext` of a step adds to what every step has: by default a step has no capabilities, can't gain any,
 * and runs as a user of its own. Settings that only remove something need no support: every step is already restricted that way.
 */
export interface StepPrivileges {
  /** All capabilities, devices and system calls of the machine. */
  isPrivileged: boolean;
  /** Names without `CAP_`; the step has these and no others. */
  capabilities: readonly string[];
  /** Capabilities that are excluded if it has `ALL`. */
  dropped: readonly string[];
  /** A program in the image can gain privileges that the step does not have itself (setuid). */
  mayEscalate: boolean;
  /** Absent: root if the step has capabilities, since no other user could use them; otherwise the user of every step. */
  user?: number;
  group?: number;
}

interface SecurityContext {
  privileged?: unknown;
  allowPrivilegeEscalation?: unknown;
  capabilities?: { add?: unknown; drop?: unknown } | null;
  runAsUser?: unknown;
  runAsGroup?: unknown;
  runAsNonRoot?: unknown;
}

/** @param step with the step template merged in. @returns undefined: none */
export function stepPrivileges(step: Step): StepPrivileges | undefined {
  const { privileged, allowPrivilegeEscalation, capabilities, runAsUser, runAsGroup } = contextOf(step);
  const isPrivileged = privileged === true;
  const dropped = new Set(namesIn(capabilities?.drop));
  const added = [...new Set(namesIn(capabilities?.add))].filter((name) => name === "ALL" || !dropped.has(name));
  const hasAll = isPrivileged || added.some((name) => name === "ALL" || name === "SYS_ADMIN");
  if (!isPrivileged && added.length === 0 && allowPrivilegeEscalation !== true) return undefined;
  const isRoot = isPrivileged || added.length > 0;
  const user = isId(runAsUser) ? runAsUser : isRoot ? 0 : undefined;
  return {
    isPrivileged,
    capabilities: added,
    dropped: [...dropped].filter((name) => name !== "ALL"),
    mayEscalate: hasAll || allowPrivilegeEscalation === true,
    ...(user !== undefined && { user }),
    ...(isId(runAsGroup) && { group: runAsGroup }),
  };
}

/** A place in a document that requests privileges. */
export interface PrivilegeRequest {
  /** JSON pointer. */
  path: string;
  /** In the notation for people: `steps[1].securityContext.privileged`. */
  member: string;
  /** As written in the document. */
  value: string;
}

export function privilegeRequests(spec: Partial<TaskSpec>, taskName: string): PrivilegeRequest[] {
  return stepContexts(spec, taskName).flatMap(({ step, place }) => {
    const { privileged, allowPrivilegeEscalation, capabilities } = contextOf(step);
    return [
      ...(privileged === true ? [request(place("privileged"), privileged)] : []),
      ...(allowPrivilegeEscalation === true ? [request(place("allowPrivilegeEscalation"), allowPrivilegeEscalation)] : []),
      ...(namesIn(capabilities?.add).length > 0 ? [request(place("capabilities/add"), [...new Set(namesIn(capabilities?.add))])] : []),
    ];
  });
}

function request(path: string, value: unknown): PrivilegeRequest {
  const member = path
    .slice("/spec/".length)
    .replace(/\/(\d+)/g, "[$1]")
    .replaceAll("/", ".");
  return { path, member, value: JSON.stringify(value) };
}

/** Invalid values and contradictions. */
export function privilegeFaults(spec: Partial<TaskSpec>, taskName: string): ErrorDetail[] {
  return stepContexts(spec, taskName).flatMap(({ step, place }) => {
    const context = contextOf(step);
    const fault = (member: string, message: string): ErrorDetail => ({ path: place(member), message });
    const shapes = shapeFaults(step["securityContext"], place("").slice(0, -1));
    if (shapes.length > 0) return shapes;
    const flags = (["privileged", "allowPrivilegeEscalation"] as const).flatMap((member) => {
      const value = context[member];
      if (value == null || typeof value === "boolean") return [];
      return [fault(member, `is ${shown(value)}; it must be true or false, and can't have references`)];
    });
    return [...flags, ...capabilityFaults(context, fault), ...contradictions(step, context, fault)];
  });
}

/** Values of another type would be read as if they were absent. */
function shapeFaults(context: unknown, path: string): ErrorDetail[] {
  const fault = (path: string, value: unknown) => ({ path, message: `is ${JSON.stringify(value).slice(0, 80)}; it must be a map` });
  if (context == null) return [];
  if (!isObject(context)) return [fault(path, context)];
  const { capabilities } = context;
  return capabilities == null || isObject(capabilities) ? [] : [fault(`${path}/capabilities`, capabilities)];
}

type Fault = (member: string, message: string) => ErrorDetail;

function capabilityFaults({ capabilities }: SecurityContext, fault: Fault): ErrorDetail[] {
  const { add, drop } = capabilities ?? {};
  if (add != null && !Array.isArray(add)) return [fault("capabilities/add", `is ${shown(add)}; it must be a list of names`)];
  const unknown = (list: unknown) => (Array.isArray(list) ? list : []).find((name) => !isCapability(capabilityName(name)));
  if (namesIn(add).length > 0 && drop != null && !Array.isArray(drop))
    return [fault("capabilities/drop", `is ${shown(drop)}; it must be a list of names`)];
  const wrong = ["add", "drop"].flatMap((member) => {
    const name = member === "add" ? unknown(add) : namesIn(add).length > 0 ? unknown(drop) : undefined;
    return name === undefined ? [] : [{ member, name }];
  });
  return wrong.map(({ member, name }) =>
    fault(`capabilities/${member}`, `has ${shown(name)}, which is not a Linux capability; names are such as NET_ADMIN, without references`),
  );
}

function contradictions(
  step: Step,
  { allowPrivilegeEscalation, runAsNonRoot, runAsUser, runAsGroup }: SecurityContext,
  fault: Fault,
): ErrorDetail[] {
  const privileges = stepPrivileges(step);
  if (privileges === undefined) return [];
  const ids = Object.entries({ runAsUser, runAsGroup }).flatMap(([member, value]) =>
    value == null || isId(value) ? [] : [fault(member, `is ${shown(value)}; beside privileges it must be a number from 0 to ${maxId}`)],
  );
  const isRefused = allowPrivilegeEscalation === false && privileges.mayEscalate;
  const isRoot = runAsNonRoot === true && privileges.user === 0;
  return [
    ...ids,
    ...(isRefused
      ? [fault("allowPrivilegeEscalation", "is false, but a step that is privileged or has SYS_ADMIN can always escalate")]
      : []),
    ...(isRoot ? [fault("runAsNonRoot", "is true, but a step with capabilities is root unless runAsUser names another user")] : []),
  ];
}

/** Shortened, since the value may have any length. */
function shown(value: unknown): string {
  return JSON.stringify(value).slice(0, 100);
}

const maxId = 2 ** 31 - 1;

function isId(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= maxId;
}

/** The names in a list, in the kernel's spelling; invalid names are left out. */
function namesIn(list: unknown): string[] {
  return (Array.isArray(list) ? list : []).map(capabilityName).filter((name) => isCapability(name));
}

/** Capabilities of Linux (capabilities(7)), as documents name them; `ALL` means all that the container engine knows. */
const knownCapabilities = new Set(
  `ALL AUDIT_CONTROL AUDIT_READ AUDIT_WRITE BLOCK_SUSPEND BPF CHECKPOINT_RESTORE CHOWN DAC_OVERRIDE DAC_READ_SEARCH FOWNER FSETID IPC_LOCK
  IPC_OWNER KILL LEASE LINUX_IMMUTABLE MAC_ADMIN MAC_OVERRIDE MKNOD NET_ADMIN NET_BIND_SERVICE NET_BROADCAST NET_RAW PERFMON SETFCAP SETGID
  SETPCAP SETUID SYSLOG SYS_ADMIN SYS_BOOT SYS_CHROOT SYS_MODULE SYS_NICE SYS_PACCT SYS_PTRACE SYS_RAWIO SYS_RESOURCE SYS_TIME SYS_TTY_CONFIG
  WAKE_ALARM`.split(/\s+/),
);

function isCapability(name: string): boolean {
  return knownCapabilities.has(name);
}

function capabilityName(name: unknown): string {
  return typeof name === "string" ? name.toUpperCase().replace(/^CAP_/, "") : "";
}

export function contextOf(step: Step): SecurityContext {
  const context = step["securityContext"];
  return isObject(context) ? context : {};
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

interface StepContext {
  step: Step;
  /** Its index among the steps or the sidecars. */
  index: number;
  isSidecar?: true;
  place(member: string): string;
}

/**
 * The merged steps and the sidecars, and where in the document a member of their context is: in the step, or otherwise in the step
 * template.
 */
export function stepContexts(spec: Partial<TaskSpec>, taskName: string): StepContext[] {
  const own = stepsOf(spec, taskName);
  const sidecars = (spec.sidecars ?? []).map((step, index) => ({
    step: step as Step,
    index,
    isSidecar: true as const,
    place: (member: string) => `/spec/sidecars/${index}/securityContext/${member}`,
  }));
  const steps = mergedSteps(spec, taskName).map((step, index) => ({
    step,
    index,
    place: (member: string) => {
      const isOwn =
        has(own[index]?.["securityContext"], member.split("/")) || !has(spec.stepTemplate?.["securityContext"], member.split("/"));
      return `/spec/${isOwn ? `steps/${index}` : "stepTemplate"}/securityContext/${member}`;
    },
  }));
  return [...steps, ...sidecars];
}

function has(value: unknown, [first = "", ...rest]: readonly string[]): boolean {
  if (!isObject(value) || !Object.hasOwn(value, first)) return false;
  return rest.length === 0 || has(value[first], rest);
}
