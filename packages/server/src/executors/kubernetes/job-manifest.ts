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

/** A Secret holds 1 MiB at most, names included, and the request that makes it a bit more. */
const maxSecretBytes = 900_000;

interface SecretFiles {
  secrets: V1Secret[];
  /** Puts the files of all of them into one folder. */
  sources: V1VolumeProjection[];
}

/** Thrown when the values are more than a cluster keeps. */
export class FilesTooLarge extends Error {}

/**
 * Spreads files over as many Secrets as they need. One file is never cut.
 * @param name of the first; the others get a number
 * @throws FilesTooLarge when a single file fits into none
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
