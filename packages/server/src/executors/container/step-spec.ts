import type { ContainerCreateOptions } from "dockerode";
import type { JobStep } from "../../core/task/tekton/job-steps.ts";
import type { Job } from "../../engine/executor.ts";
import type { Attempt } from "../folders/attempt-folder.ts";
import { copyOutputCommand } from "../steps/copy-output.ts";
import { StepProblem } from "../steps/step-problem.ts";
import { sharesOf } from "../steps/team-shares.ts";
import { imageView } from "../steps/view.ts";
import type { AttemptRoot } from "./attempt-root.ts";
import type { EngineFacts } from "./engine/engine-facts.ts";
import type { FoundImage } from "./images/images.ts";
import { baseLabels, containerName, stepLabels, withoutLabelsOf } from "./labels.ts";
import type { NetworkMode } from "./network/attempt-network.ts";
import type { PreparedStep } from "./prepare-steps.ts";
import { plainStarterPath, starterPath } from "./starter/starter.ts";
import { mountOptions, type StepMount } from "./step-mounts.ts";
import { stepRights, withoutPrivileges } from "./step-rights.ts";

export interface SpecParts {
  job: Job;
  attempt: Attempt;
  prepared: PreparedStep;
  /** Undefined: only its name is known. */
  image: Pick<FoundImage, "id" | "entrypoint" | "command" | "labels"> | undefined;
  mounts: readonly StepMount[];
  network: NetworkMode;
  root: AttemptRoot;
  /** How many attempts of the team run, including this one. */
  teamAttempts: number;
  /** How many containers of this attempt run at once. */
  containers: number;
}

/** The default of a single container: all containers of a team together get as much. */
const teamShares = 1_024;

/** Docker's minimum. */
const minMemoryBytes = 6_291_456;

/** What the engine is asked to create for a step. */
export function stepSpec(
  { job, attempt, prepared, image, mounts, network, root, teamAttempts, containers }: SpecParts,
  facts: EngineFacts,
): ContainerCreateOptions {
  const { environment, workingDir, step, index } = prepared;
  const rights = stepRights({ step, identity: attempt.identity, facts, folder: root.folder });
  return {
    name: containerName(root, attempt.name, index),
    Image: image?.id ?? prepared.image,
    ...programOf(prepared, image, facts),
    Env: environment,
    ...(workingDir && { WorkingDir: workingDir }),
    User: rights.User,
    // Other programs of the machine obey labels of containers (proxies, updaters, schedulers), so the container doesn't get those of the
    // image.
    Labels: { ...withoutLabelsOf(image?.labels ?? []), ...stepLabels(root, job, attempt.name, index) },
    // The engine would run it beside the step, outside its log and its shares.
    Healthcheck: { Test: ["NONE"] },
    HostConfig: {
      ...mountOptions(facts.kind, mounts),
      ...(network !== undefined && { NetworkMode: network }),
      ...limitsOf(job, step, facts),
      ...(facts.limits.shares && { CpuShares: sharesOf(teamAttempts * containers, teamShares) }),
      LogConfig: logOf(facts.kind, job.limits.outputBytes),
      Init: facts.hasInit,
      ReadonlyRootfs: step.hasWritableRoot !== true,
      ...rights.HostConfig,
    },
  };
}

/** The same without the parts that belong to the step, for a container that shows what is in its image and is never started. */
export function imageSpec(spec: ContainerCreateOptions, root: AttemptRoot, facts: EngineFacts): ContainerCreateOptions {
  const { name: _, Labels = {}, ...others } = spec;
  // With `Init`, Podman would mount its init program, and show that instead of the image's file at that path.
  const { Privileged: _privileged, CapAdd: _added, ...host } = spec.HostConfig ?? {};
  const labels = { ...withoutLabelsOf(Object.keys(Labels)), ...baseLabels(root) };
  const HostConfig = { ...host, ...withoutPrivileges(facts, root.folder), NetworkMode: "none", Init: false };
  return { ...others, Env: [], WorkingDir: "/", Labels: labels, HostConfig };
}

/**
 * What the image specifies is looked up here, since the starter runs in its place. If the image specifies nothing, the engine decides, and
 * refuses it.
 */
function programOf({ argv, imageArgs, step }: PreparedStep, image: SpecParts["image"], { starter }: EngineFacts): ContainerCreateOptions {
  const { entrypoint = [], command = [] } = image ?? {};
  const program = argv.length > 0 ? argv : [...entrypoint, ...(imageArgs.length > 0 ? imageArgs : command)];
  if (step.outputFiles && program.length > 0) {
    if (!starter) throw new StepProblem(`step "${step.name}" ${noCopies}`);
    const [entrypoint = "", ...args] = copyOutputCommand(step, imageView, true, [plainStarterPath, ...program]);
    return { Entrypoint: [entrypoint], Cmd: args };
  }
  if (starter && program.length > 0) return { Entrypoint: [starterPath], Cmd: [...program] };
  if (argv.length > 0) return { Entrypoint: argv.slice(0, 1), Cmd: argv.slice(1) };
  return imageArgs.length > 0 ? { Cmd: imageArgs } : {};
}

const noCopies = "can't write its output to a file (stdoutConfig, stderrConfig): the engine's machine is neither x86-64 nor AArch64";

/** The lower of the job's limits and the step's own; limits that the engine can't enforce are left out, because it would refuse them. */
function limitsOf(job: Job, { resources }: JobStep, { limits, cpus }: EngineFacts): object {
  const { memoryBytes, cpuMillis } = resources?.limits ?? {};
  const memory = memoryLimit(job, memoryBytes);
  return {
    ...(limits.memory && { Memory: memory }),
    ...(limits.memory && limits.swap && { MemorySwap: memory }),
    ...(limits.processes && { PidsLimit: job.limits.processes }),
    ...(limits.cpu && cpuMillis !== undefined && { NanoCpus: Math.max(10, Math.min(cpuMillis, cpus * 1000)) * 1_000_000 }),
  };
}

export function memoryLimit({ limits }: Job, ownBytes: number | undefined): number {
  return Math.max(minMemoryBytes, Math.min(limits.memoryBytes, ownBytes ?? Number.POSITIVE_INFINITY));
}

/**
 * The engine keeps the output until the container is removed: it is read again after a broken connection, and by a worker that takes over
 * the container. More than twice the output limit of a task is never needed (lines have overhead, and their number is bounded too), and a
 * step that writes endlessly must not fill the disk: the engine then rotates its file.
 */
function logOf(kind: EngineFacts["kind"], outputBytes: number): { Type: string; Config: Record<string, string> } {
  const size = `${Math.ceil((2 * outputBytes) / 1024) + 1024}k`;
  if (kind === "podman") return { Type: "k8s-file", Config: { "max-size": size } };
  return { Type: "local", Config: { "max-size": size, "max-file": "1", compress: "false" } };
}
