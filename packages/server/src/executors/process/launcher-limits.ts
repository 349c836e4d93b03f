import { readFileSync } from "node:fs";
import { release } from "node:os";
import type { Job } from "../../engine/executor.ts";
import type { Identity } from "../folders/identity.ts";
import type { LauncherLimits } from "./prepare-steps.ts";
import type { Runtime } from "./runtime.ts";

/** The launcher, and the shell that becomes the program. */
const ownProcesses = 3;

/**
 * Allowance for memory that is reserved and never used, which the kernel counts: each JavaScript thread of Node 24 reserves 512 MiB for
 * code. `LimitWatch` stops a task by its actual use; `RLIMIT_DATA` only bounds how much one process can take between two measurements.
 */
const reservedBytes = 2 * 1024 ** 3;

/** Limits that the launcher sets for itself if no control group enforces them. */
export function launcherLimits(
  runtime: Pick<Runtime, "groups" | "level" | "identities">,
  job: Pick<Job, "limits">,
  isOwnUser: boolean,
): LauncherLimits {
  const { groups } = runtime;
  const canCount = isOwnUser || countsAlone(runtime);
  return {
    dataBytes: groups?.limitsMemory ? undefined : job.limits.memoryBytes + reservedBytes,
    // Where others see the same files, the files of a step are only for its own user.
    umask: runtime.level.name === "own-uid" ? "077" : "022",
    processes: groups?.limitsProcesses || !canCount ? undefined : job.limits.processes + ownProcesses,
  };
}

/**
 * The kernel counts processes per user. That helps only if the user is not shared, or inside a user namespace, where the count starts at
 * zero since Linux 5.14.
 */
function countsAlone({ level, identities }: Pick<Runtime, "level" | "identities">): boolean {
  const hasUserNamespace =
    level.hasOwnFiles && (identities === undefined || level.name !== "unshare") && level.name !== "bubblewrap-as-root";
  const [major = 0, minor = 0] = release().split(".").map(Number);
  return hasUserNamespace && (major > 5 || (major === 5 && minor >= 14));
}

/** For people: what limits memory and processes, and what shares the processors. */
export function describeLimits(runtime: Pick<Runtime, "groups" | "level" | "identities">): string {
  const { groups } = runtime;
  const memory = groups?.limitsMemory ? groups.kind : "rlimits a process and by watching";
  const canCount = runtime.identities !== undefined || countsAlone(runtime);
  const processes = groups?.limitsProcesses ? groups.kind : canCount ? "rlimits" : undefined;
  const limits =
    memory === processes
      ? `memory and processes are limited by ${memory}`
      : `memory is limited by ${memory}, ${processes === undefined ? "the number of processes is not limited" : `processes by ${processes}`}`;
  return `${limits}; processor time is shared between teams ${groups?.sharesProcessors ? `by ${groups.kind}` : "roughly, by nice"}`;
}

/**
 * The kernel counts how many files all programs of a user watch with epoll. If none are left, the event loop of a Node program aborts it,
 * and the database refuses connections. So a step with the user of the service may have only a small part of them.
 *
 * @param identity of the steps; undefined: they have the user of the service
 * @returns undefined: only the step itself is affected
 */
export function mostWatches(identity: Identity | undefined): number | undefined {
  return identity === undefined ? shareOfUser : undefined;
}

const share = 32;
const shareOfUser = readShare();

function readShare(): number | undefined {
  try {
    return Math.max(1_000, Math.floor(Number(readFileSync("/proc/sys/fs/epoll/max_user_watches", "utf8")) / share));
  } catch {
    return undefined;
  }
}
