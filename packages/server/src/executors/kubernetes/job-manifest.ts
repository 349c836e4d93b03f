import type { V1Job } from "@kubernetes/client-node";
import { jobLabels, jobName, ownerAnnotation } from "./object-names.ts";
import { type PodParts, podSpec } from "./pod-spec.ts";

export interface JobParts extends PodParts {
  instance: string;
  owner: string;
  /** How long the pod may wait before it starts, in ms. */
  pendingMs: number;
}

/** What the cluster itself may add to a deadline that nobody keeps any more, in seconds: the worker ends the attempt before. */
const spareSeconds = 600;
/** The cluster removes what is over and was forgotten. */
const keptSeconds = 600;

/** One Job with one pod that is never tried again: the engine decides about that. */
export function jobManifest(parts: JobParts): V1Job {
  const { job, instance, owner, pendingMs } = parts;
  const labels = jobLabels(instance, job, job.network);
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { name: jobName(job), labels, annotations: { [ownerAnnotation]: owner } },
    spec: {
      backoffLimit: 0,
      completions: 1,
      parallelism: 1,
      activeDeadlineSeconds: Math.min(2 ** 31 - 1, Math.ceil((job.timeoutMs + pendingMs) / 1000) + spareSeconds),
      ttlSecondsAfterFinished: keptSeconds,
      template: { metadata: { labels }, spec: podSpec(parts) },
    },
  };
}
