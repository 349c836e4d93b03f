import type { V1Volume, V1VolumeMount, V1VolumeProjection } from "@kubernetes/client-node";
import type { JobStep } from "../../../core/task/tekton/job-steps.ts";
import type { Job } from "../../../engine/executor.ts";
import { homeFolder, homeLink } from "../../steps/view.ts";
import { podFolders } from "./pod-scripts.ts";
import { volumeFolder } from "./step-files.ts";

/**
 * The volumes of a task in its pod. Scratch is an emptyDir of the cluster, which the collector sees as well and measures. Files come from
 * the Secrets of the attempt, so they are in memory on the node and are removed with the attempt; only containers that mount them can see
 * them.
 */

/**
 * The agent of the node ends a pod whose volume is larger than this; before that the collector reports it, and the task ends in an orderly
 * way.
 */
const sizeFactor = 1.25;

function volumeName(index: number): string {
  return `volume-${index}`;
}

/** @param mostBytes for a volume without a size */
export function podVolumes({ volumes = [] }: Pick<Job, "volumes">, sources: readonly V1VolumeProjection[], mostBytes: number): V1Volume[] {
  return volumes.map(({ scratch, files = [] }, index) => {
    const name = volumeName(index);
    if (scratch) {
      const limit = Math.min(mostBytes, Math.ceil((scratch.sizeLimitBytes ?? mostBytes) * sizeFactor));
      return { name, emptyDir: { sizeLimit: String(limit), ...(scratch.inMemory && { medium: "Memory" }) } };
    }
    const modes = new Map(files.map(({ path, mode }) => [path, mode]));
    const own = withItems(sources, (path) => {
      const inner = path.startsWith(volumeFolder(index)) ? path.slice(volumeFolder(index).length) : undefined;
      return inner === undefined ? undefined : { path: inner, mode: modes.get(inner) ?? 0o644 };
    });
    // All of its sources are optional, and none exists.
    if (own.length === 0) return { name, emptyDir: { sizeLimit: "4096" } };
    return { name, projected: { sources: own } };
  });
}

/** The files of the service and of steps; those of volumes are mounted separately. */
export function fixedSources(sources: readonly V1VolumeProjection[]): V1VolumeProjection[] {
  return withItems(sources, (path) => (path.startsWith("volumes/") ? undefined : { path }));
}

/** A source without items would mount the whole Secret. */
function withItems(
  sources: readonly V1VolumeProjection[],
  change: (path: string) => { path: string; mode?: number } | undefined,
): V1VolumeProjection[] {
  return sources.flatMap(({ secret }) => {
    const items = (secret?.items ?? []).flatMap(({ key, path }) => {
      const changed = change(path);
      return changed ? [{ key, ...changed }] : [];
    });
    return items.length === 0 ? [] : [{ secret: { ...secret, items } }];
  });
}

/** The home has two paths. */
export function volumeMounts({ volumes = [] }: Pick<Job, "volumes">, { mounts = [] }: Pick<JobStep, "mounts">): V1VolumeMount[] {
  return mounts.flatMap(({ volume: name, path, subPath, readOnly }) => {
    const index = volumes.findIndex((volume) => volume.name === name);
    const isReadOnly = readOnly || volumes[index]?.files !== undefined;
    const mount = { name: volumeName(index), ...(subPath !== undefined && { subPath }), ...(isReadOnly && { readOnly: true }) };
    const inHome = path === homeFolder || path.startsWith(`${homeFolder}/`);
    const paths = inHome ? [path, homeLink + path.slice(homeFolder.length)] : [path];
    return paths.map((mountPath) => ({ ...mount, mountPath }));
  });
}

export function collectorMounts({ volumes = [] }: Pick<Job, "volumes">): V1VolumeMount[] {
  return volumes.flatMap(({ scratch }, index) =>
    scratch ? [{ name: volumeName(index), mountPath: `${podFolders.volumes}/${index}`, readOnly: true }] : [],
  );
}

/** The size of an empty folder. */
const ownKibibytes = 4;

/** In the format that the collector reads (pod-scripts.ts). */
export function volumeLimits({ volumes = [] }: Pick<Job, "volumes">): string[] {
  return volumes.flatMap(({ scratch }, index) =>
    scratch?.sizeLimitBytes === undefined ? [] : [`${index}:${Math.ceil(scratch.sizeLimitBytes / 1024) + ownKibibytes}`],
  );
}
