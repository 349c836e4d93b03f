import { readFile } from "node:fs/promises";
import { hostname } from "node:os";
import { basename } from "node:path";
import { removeTree } from "../../base/file/remove-tree.ts";
import type { Executor, ExecutorState, Job, JobHandle, TakeLines } from "../../engine/executor.ts";
import { attemptFolderName, attemptPlace } from "../folders/attempt-folder.ts";
import { openIdentityPool } from "../folders/identity.ts";
import { describeFault } from "../machine/known-fault.ts";
import { MachineWatch } from "../machine/machine-watch.ts";
import { resolvePlace } from "../steps/places.ts";
import { openSandboxesAhead } from "./ahead/sandboxes-ahead.ts";
import { findControlGroups } from "./control-groups/control-groups.ts";
import { findInheritedFiles } from "./inherited-files.ts";
import { chooseLevel, type FailedLevel } from "./isolation/choose-level.ts";
import type { Level } from "./isolation/level.ts";
import { refreshResolver } from "./isolation/system-files.ts";
import { findTools } from "./isolation/tools.ts";
import { KeptSandboxes } from "./kept/kept-sandboxes.ts";
import { describeLimits } from "./launcher-limits.ts";
import { runAttempt } from "./run-attempt.ts";
import type { Runtime } from "./runtime.ts";
import { openScratchRoot } from "./scratch-root.ts";
import type { ProcessExecutorSettings } from "./settings.ts";
import { createSpawner } from "./spawner.ts";

export interface ProcessExecutor extends Executor {
  /** From now on, nothing runs that is allowed for a single user only: the service turned out to be open to others. */
  forbidUnsandboxed(): void;
  /** Better levels that don't work here, or all of them, with the reasons. */
  readonly failed: readonly FailedLevel[];
  /** What is allowed only for a single user, as a sentence; undefined: nothing is. */
  onePersonNotice(): string | undefined;
  /** Ends waiting sandboxes. Resolves when the folders of finished attempts were cleaned, which happens in the background. */
  settle(): Promise<void>;
  /** Removes its files and other resources on the machine; no job may be running any more. */
  close(): Promise<void>;
}

/**
 * Runs steps as sandboxed processes of this machine. At the start, it chooses the best isolation that works here; docs/sandbox.md describes
 * the levels. If none works, every job ends with `SandboxUnavailable`.
 */
export async function createProcessExecutor(settings: ProcessExecutorSettings): Promise<ProcessExecutor> {
  const onProblem = (error: unknown): void => settings.log.warn({ err: error }, "a scratch folder could not be removed");
  const scratch = await openScratchRoot(settings.scratchDir, onProblem);
  const [groups, identities] = await Promise.all([
    findControlGroups(basename(scratch.folder).slice(-8)),
    openIdentityPool(settings.workspacesDir),
  ]);
  const machine = new MachineWatch(settings);
  const spawner = createSpawner(findInheritedFiles(), findTools().setpriv);
  const { runtime, failed } = await chooseLevel({ settings, scratch, groups, identities, machine, spawner }).catch(async (error) => {
    machine.close();
    spawner.close();
    await Promise.all([removeTree(scratch.folder), removeTree(scratch.pipes)].map((removal) => removal.catch(onProblem)));
    await groups?.close();
    throw error;
  });
  if (runtime) runtime.ahead = openSandboxesAhead(runtime);
  const kept = new KeptSandboxes(settings.kept);
  const settle = async (): Promise<void> => {
    await Promise.all([kept.endAll(), runtime?.ahead?.endAll()]);
    await runtime?.slots.settle();
  };
  const close = async (): Promise<void> => {
    machine.close();
    runtime?.ahead?.close();
    await kept.close();
    await settle();
    spawner.close();
    runtime?.level.close?.();
    const roots = new Set([scratch, runtime?.scratch ?? scratch]);
    const folders = [...roots].flatMap(({ folder, pipes }) => [folder, pipes]);
    await Promise.all(folders.map((folder) => removeTree(folder).catch(onProblem)));
    await Promise.all([groups?.close(), runtime?.level.filter?.end()]);
  };
  if (runtime === undefined && machine.fault) {
    // The fault prevented a real test of the levels: the executor is opened again once the machine is sound.
    const { code, detail } = machine.fault;
    await close();
    throw Object.assign(new Error(detail), { code, syscall: "spawn" });
  }
  if (runtime === undefined) spawner.close();
  const refusing = refusingExecutor(failed, isInContainer(await readFile("/proc/self/mountinfo", "utf8").catch(() => "")));
  if (runtime === undefined)
    return { ...refusing, failed, forbidUnsandboxed: () => undefined, onePersonNotice: () => undefined, settle, close };
  if (!withholdsNetwork(runtime.level)) {
    settings.log.warn(
      { level: runtime.level.name },
      "steps can use the network of this machine, whatever network a task has: every editor of a workflow can reach what trusts this machine",
    );
  }
  if (runtime.level.name === "none") {
    settings.log.warn(
      { failed },
      "steps run without a sandbox: anyone who can edit a workflow can do what this service can; see docs/sandbox.md",
    );
  }
  const running = runningExecutor(runtime, kept);
  let current = running;
  return {
    ...running,
    failed,
    describe: () => current.describe(),
    start: (job, onLines) => current.start(job, onLines),
    forbidUnsandboxed: () => {
      if (isForOnePerson(runtime)) current = refusing;
    },
    onePersonNotice: () => (current === running && isForOnePerson(runtime) ? noticeOf(runtime) : undefined),
    settle,
    close,
  };
}

function isForOnePerson({ level, settings }: Runtime): boolean {
  const isUnsandboxed = level.name === "none" && settings.allowUnsandboxed === "one-person";
  return isUnsandboxed || (!withholdsNetwork(level) && settings.allowSharedNetwork === "one-person");
}

function noticeOf({ level }: Runtime): string {
  const what = level.name === "none" ? "scripts run without a sandbox" : "scripts can use the network of this machine";
  const settings =
    level.name === "none" ? "MILLRACE_ALLOW_UNSANDBOXED=true and MILLRACE_ALLOW_HOST_NETWORK=true" : "MILLRACE_ALLOW_HOST_NETWORK=true";
  return `${what}, as long as only this machine reaches the service and only you can sign in. Once you invite someone, you need a sandbox (docs/sandbox.md), or ${settings}`;
}

function runningExecutor(runtime: Runtime, kept: KeptSandboxes): Executor {
  const { level, scratch, machine } = runtime;
  return {
    kind: "process",
    describe: () => describeRunning(runtime),
    blame: (error) => machine.blame(error),
    place: (job, words) => resolvePlace(words, job, level.view(attemptPlace(scratch.attempts, attemptFolderName(job), undefined))),
    start(job: Job, onLines: TakeLines): JobHandle {
      if (job.network === "host") void refreshResolver(scratch.etc);
      return runAttempt(runtime, job, onLines, kept);
    },
  };
}

function describeRunning(runtime: Runtime): ExecutorState {
  const { level, machine } = runtime;
  if (machine.fault) return describeFault(machine.fault, level.name);
  return { available: true, isolation: level.name, detail: `${level.detail}; ${describeLimits(runtime)}; ${describeOutbound(level)}` };
}

/** Whether the network of the machine can be blocked for a step. */
function withholdsNetwork({ hasOwnNetwork, filter }: Level): boolean {
  return hasOwnNetwork || filter !== undefined;
}

function describeOutbound(level: Level): string {
  if (level.filter) return "packet filter rules keep steps from the network; outbound is an HTTP proxy of the service";
  return level.hasOwnNetwork ? "the network outbound is an HTTP proxy of the service" : "every step has the network of the machine";
}

/** @param mountInfo content of /proc/self/mountinfo. Engines stack the layers of an image; no machine has such a root. */
export function isInContainer(mountInfo: string): boolean {
  return /^\S+ \S+ \S+ \S+ \/ .* - (?:fuse-)?overlay(?:fs)? /m.test(mountInfo);
}

const remedies = {
  container:
    "Give the container a seccomp profile that lets bubblewrap work: --security-opt seccomp=deploy/docker/seccomp.json with Docker and Podman, " +
    "and --security-opt apparmor=unconfined where the host has AppArmor; securityContext.seccompProfile in Kubernetes (docs/deploy.md)",
  machine: "Install bubblewrap, or start the service as root",
};

function refusingExecutor(failed: readonly FailedLevel[], inContainer: boolean): Executor {
  const reasons = failed.map(({ name, problem }) => `${name}: ${problem}`).join("; ");
  const message =
    `this worker has no way to isolate steps. ${inContainer ? remedies.container : remedies.machine}, ` +
    "or set MILLRACE_ALLOW_UNSANDBOXED=true and MILLRACE_ALLOW_HOST_NETWORK=true if every user is allowed to do what the service can (docs/sandbox.md)";
  return {
    kind: "process",
    describe: () => ({ available: false, isolation: "none", detail: `${message}. Tried: ${reasons}` }),
    place: () => undefined,
    start: () => ({
      done: Promise.resolve({ status: "failed", reason: "SandboxUnavailable", message, results: [], isolation: "none", host: hostname() }),
      stop: () => undefined,
    }),
  };
}
