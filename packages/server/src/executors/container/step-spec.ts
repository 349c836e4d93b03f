import type { ContainerCreateOptions } from "dockerode";
import type { JobStep } from "../../core/tekton/job-steps.ts";
import type { Job } from "../../engine/executor.ts";
import type { Attempt } from "../folders/attempt-folder.ts";
import type { Identity } from "../folders/identity.ts";
import { sharesOf } from "../steps/team-shares.ts";
import type { NetworkMode } from "./attempt-network.ts";
import type { AttemptRoot } from "./attempt-root.ts";
import type { EngineFacts } from "./engine-facts.ts";
import { containerName, stepLabels } from "./labels.ts";
import type { PreparedStep } from "./prepare-steps.ts";
import { mountOptions, type StepMount } from "./step-mounts.ts";

export interface SpecParts {
  job: Job;
  attempt: Attempt;
  prepared: PreparedStep;
  /** Id of the image. */
  imageId: string;
  mounts: readonly StepMount[];
  network: NetworkMode;
  root: AttemptRoot;
  /** How many attempts of the team run, this one among them. */
  teamAttempts: number;
}

/** Of a container that nobody says more of: all of a team's together count as much. */
const teamShares = 1_024;

/** Docker takes no less. */
const minMemoryBytes = 6_291_456;

/** What the engine is told to make of a step. */
export function stepSpec(
  { job, attempt, prepared, imageId, mounts, network, root, teamAttempts }: SpecParts,
  facts: EngineFacts,
): ContainerCreateOptions {
  const { argv, imageArgs, environment, workingDir, step, index } = prepared;
  const program = argv.length > 0 ? { Entrypoint: argv.slice(0, 1), Cmd: argv.slice(1) } : imageArgs.length > 0 ? { Cmd: imageArgs } : {};
  return {
    name: containerName(root, attempt.name, index),
    Image: imageId,
    ...program,
    Env: environment,
    WorkingDir: workingDir,
    User: userOf(attempt.identity),
    Labels: stepLabels(root, job, attempt.name, index),
    HostConfig: {
      ...mountOptions(facts.kind, mounts),
      ...(network !== undefined && { NetworkMode: network }),
      ...(facts.isRootless && { UsernsMode: "keep-id" }),
      ...limitsOf(job, step, facts),
      ...(facts.limits.shares && { CpuShares: sharesOf(teamAttempts, teamShares) }),
      LogConfig: logOf(facts.kind, job.limits.outputBytes),
      Init: facts.hasInit,
      ReadonlyRootfs: step.hasWritableRoot !== true,
      CapDrop: ["ALL"],
      SecurityOpt: ["no-new-privileges"],
    },
  };
}

function userOf(identity: Identity | undefined): string {
  return identity ? `${identity.uid}:${identity.gid}` : `${process.getuid?.() ?? 65_534}:${process.getgid?.() ?? 65_534}`;
}

/** Of the job's limits and the step's own the lower ones; an engine that can't limit would refuse. */
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
 * The engine keeps the output until the container is removed: it is read again after a broken connection, and by the worker that takes a
 * container up. More than twice of what a task may write is never needed (lines have overhead, their number is bounded too), and what
 * writes without end must not fill the disk: the engine then begins its file anew.
 */
function logOf(kind: EngineFacts["kind"], outputBytes: number): { Type: string; Config: Record<string, string> } {
  const size = `${Math.ceil((2 * outputBytes) / 1024) + 1024}k`;
  if (kind === "podman") return { Type: "k8s-file", Config: { "max-size": size } };
  return { Type: "local", Config: { "max-size": size, "max-file": "1", compress: "false" } };
}
