import type { V1Job, V1Secret, V1VolumeProjection } from "@kubernetes/client-node";
import { jobLabels, jobName, ownerAnnotation } from "./object-names.ts";
import type { PodParts } from "./pod/container-parts.ts";
import { podSpec } from "./pod/pod-spec.ts";

interface JobParts extends PodParts {
  instance: string;
  owner: string;
  /** How long the pod may wait before it starts, in ms. */
  pendingMs: number;
}

/** What the cluster adds to a deadline in case no worker enforces it, in seconds: normally, the worker ends the attempt before. */
const spareSeconds = 600;
/** After this time, in seconds, the cluster removes finished Jobs that no worker removed. */
const keptSeconds = 600;

/** One Job with one pod that is never retried: the engine decides about retries. */
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

/** A Secret holds at most 1 MiB, including names, and the request that creates it a bit more. */
const maxSecretBytes = 900_000;

interface SecretFiles {
  secrets: V1Secret[];
  /** Mounts the files of all of them in one folder. */
  sources: V1VolumeProjection[];
}

/** Thrown if the values are larger than a cluster can store. */
export class FilesTooLarge extends Error {}

/**
 * Distributes files over as many Secrets as they need. A single file is never split.
 * @param name of the first; the others get a number
 * @throws FilesTooLarge if a single file does not fit into one
 */
export function secretFiles(files: ReadonlyMap<string, string>, name: string, labels: Record<string, string>): SecretFiles {
  const groups: { path: string; bytes: Buffer }[][] = [];
  let leftBytes = 0;
  for (const [path, text] of files) {
    const bytes = Buffer.from(text, "utf8");
    const size = bytes.length + path.length + 20;
    if (size > maxSecretBytes)
      throw new FilesTooLarge(
        `"${path}" has ${bytes.length} bytes, but a Secret of the cluster can have ${maxSecretBytes}; pass large values in a workspace`,
      );
    if (size > leftBytes) {
      groups.push([]);
      leftBytes = maxSecretBytes;
    }
    leftBytes -= size;
    groups.at(-1)?.push({ path, bytes });
  }
  const names = groups.map((_, index) => (index === 0 ? name : `${name}-${index}`));
  return {
    secrets: groups.map((group, index) => ({
      metadata: { name: names[index] ?? name, labels },
      type: "Opaque",
      immutable: true,
      data: Object.fromEntries(group.map(({ bytes }, place) => [`file-${place}`, bytes.toString("base64")])),
    })),
    sources: groups.map((group, index) => ({
      secret: { name: names[index] ?? name, items: group.map(({ path }, place) => ({ key: `file-${place}`, path })) },
    })),
  };
}
