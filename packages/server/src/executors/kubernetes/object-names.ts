import { shortHash } from "../../base/text/short-hash.ts";
import type { TaskNetwork } from "../../core/task/opt-in.ts";
import type { KeptWorkspace, PlacedJob } from "../../engine/executor.ts";

/**
 * Names and labels of the objects that the executor creates in the cluster. With these it finds what another process, or a dead one, has
 * created.
 */
export const labelNames = {
  instance: "dev.millrace/instance",
  team: "dev.millrace/team",
  run: "dev.millrace/run",
  taskRun: "dev.millrace/task-run",
  attempt: "dev.millrace/attempt",
  /** `none`: the NetworkPolicy of the manifest isolates the pod; `outbound`: that of the executor defines what the pod can reach. */
  network: "dev.millrace/network",
  workspace: "dev.millrace/workspace",
} as const;

/** On a Job: the process that takes care of it. */
export const ownerAnnotation = "dev.millrace/owner";
/** On a volume: its exact owner, as JSON. */
export const workspaceAnnotation = "dev.millrace/kept-workspace";

export function jobName(job: Pick<PlacedJob, "taskRunId" | "attempt">): string {
  return `millrace-${dnsText(job.taskRunId)}-${job.attempt}`;
}

export function jobLabels(instance: string, job: PlacedJob, network: TaskNetwork): Record<string, string> {
  return {
    ...attemptLabels(instance, job),
    [labelNames.team]: labelValue(job.teamId),
    [labelNames.run]: labelValue(job.runId),
    [labelNames.network]: network,
  };
}

/** The labels that identify an attempt, and that are on a Job before it has its own. */
export function attemptLabels(instance: string, job: Pick<PlacedJob, "taskRunId" | "attempt">): Record<string, string> {
  return { ...taskRunLabels(instance, job), [labelNames.attempt]: String(job.attempt) };
}

export function taskRunLabels(instance: string, { taskRunId }: Pick<PlacedJob, "taskRunId">): Record<string, string> {
  return { ...instanceLabels(instance), [labelNames.taskRun]: labelValue(taskRunId) };
}

export function instanceLabels(instance: string): Record<string, string> {
  return { "app.kubernetes.io/managed-by": "millrace", [labelNames.instance]: labelValue(instance) };
}

/** In the format of a list call. */
export function selectorOf(labels: Record<string, string>): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}=${value}`)
    .join(",");
}

export function volumeName({ teamId, scope, ownerId }: KeptWorkspace): string {
  return `millrace-${scope}-${shortHash([teamId, scope, ownerId])}`;
}

/** Up to 63 characters; a text that is not a valid value is replaced by its hash. */
export function labelValue(text: string): string {
  return /^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/.test(text) ? text : `h-${shortHash([text])}`;
}

function dnsText(text: string): string {
  return /^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/.test(text) ? text : shortHash([text]);
}
