import type { ContainerCreateOptions } from "dockerode";
import type { StepPrivileges } from "../../core/task/tekton/step-privileges.ts";
import type { Job } from "../../engine/executor.ts";
import type { Identity } from "../folders/identity.ts";
import { StepProblem } from "../steps/step-problem.ts";
import { callProfilePath } from "./call-profile.ts";
import type { EngineFacts } from "./engine/engine-facts.ts";

type Options = Pick<ContainerCreateOptions, "User"> & { HostConfig: NonNullable<ContainerCreateOptions["HostConfig"]> };

interface RightsParts {
  step: Pick<Job["steps"][number], "name" | "privileges">;
  identity: Identity | undefined;
  facts: Pick<EngineFacts, "kind" | "isRootless">;
  /** Folder of the profile of system calls. */
  folder: string;
}

/**
 * The user of a step in its container, and its rights: no capabilities and no way to get new ones, unless the task has privileges that the
 * operator allows.
 *
 * Capabilities only work for root: an engine gives another user none that it could use. Files of a step that runs as root belong to root,
 * so the service has to be root too, or the engine has to be a user's own, whose root is the user of the service.
 *
 * @throws StepProblem if the files of such a step could not be removed
 */
export function stepRights({ step, identity, facts, folder }: RightsParts): Options {
  const { privileges } = step;
  if (privileges === undefined)
    return { User: plainUser(identity), HostConfig: { ...userNamespace(facts), ...withoutPrivileges(facts, folder) } };
  const { isPrivileged, capabilities, dropped, mayEscalate } = privileges;
  const hasAll = capabilities.includes("ALL");
  const filter = facts.kind === "podman" ? [`seccomp=${isPrivileged ? "unconfined" : callProfilePath(folder)}`] : [];
  const { User, ...ofUser } = privilegedUser(step.name, privileges, identity, facts);
  return {
    User,
    HostConfig: {
      ...ofUser,
      ...(isPrivileged ? { Privileged: true } : { CapAdd: [...capabilities], CapDrop: hasAll ? [...dropped] : ["ALL"] }),
      SecurityOpt: [...(mayEscalate ? [] : ["no-new-privileges"]), ...filter],
    },
  };
}

/** For a container in which no step runs. */
export function withoutPrivileges(facts: Pick<EngineFacts, "kind">, folder: string): Options["HostConfig"] {
  const filter = facts.kind === "podman" ? [`seccomp=${callProfilePath(folder)}`] : [];
  return { CapDrop: ["ALL"], SecurityOpt: ["no-new-privileges", ...filter] };
}

function plainUser(identity: Identity | undefined): string {
  return identity ? `${identity.uid}:${identity.gid}` : `${process.getuid?.() ?? 65_534}:${process.getgid?.() ?? 65_534}`;
}

function userNamespace({ isRootless }: Pick<EngineFacts, "isRootless">): Options["HostConfig"] {
  return isRootless ? { UsernsMode: "keep-id" } : {};
}

function privilegedUser(
  name: string,
  { user, group }: StepPrivileges,
  identity: Identity | undefined,
  facts: Pick<EngineFacts, "isRootless">,
): { User: string; GroupAdd?: string[]; UsernsMode?: string } {
  if (user === undefined) return { User: plainUser(identity), ...userNamespace(facts) };
  const User = `${user}:${group ?? user}`;
  // The group of the folders that it shares with other steps.
  if (identity) return { User, GroupAdd: [String(identity.gid)] };
  if (facts.isRootless && user === 0 && (group ?? 0) === 0) return { User };
  const why = facts.isRootless
    ? "an engine without root runs it as root of the container alone: leave out runAsUser and runAsGroup"
    : "this service is not root, and could not remove what the step leaves: run the service as root, or use Podman without root";
  throw new StepProblem(`step "${name}" has privileges (securityContext), which can't be given here: ${why}`);
}
