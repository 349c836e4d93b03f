import type { Step, TaskSpec, Volume, VolumeMount } from "@millrace/contract/task/task.ts";
import type { ErrorDetail } from "../../../../base/error/app-error.ts";
import { canonicalMountPath, findMountConflict, isAtOrBelow, mountPathFault } from "../../mount-paths.ts";
import type { FindTexts } from "../env-sources.ts";
import { sidecarsOf } from "../flat-step.ts";
import type { TextsOf } from "../step-action/step-action.ts";
import { type FileBudget, type VolumeFile, volumeFiles } from "./volume-files.ts";
import { innerPathFault, type MaskText, quoteMasked, readVolume, volumeFaults } from "./volumes.ts";

/** A volume as an executor creates it for one attempt. */
export interface JobVolume {
  name: string;
  /** Absent: it has files. */
  scratch?: { inMemory: boolean; sizeLimitBytes?: number };
  files?: VolumeFile[];
}

/** Where a step sees a volume. */
export interface JobMount {
  volume: string;
  /** Canonical. */
  path: string;
  /** A part of the volume: in a scratch volume, a folder of which no part is mounted elsewhere; otherwise one of its files or folders. */
  subPath?: string;
  readOnly: boolean;
}

/** Each is a mount, and is open for a moment. */
const maxMounts = 32;
/** Executors check all of them for each. */
const maxMountsOfTask = 500;
/** Paths of the service and the system: no volume can be mounted at, below or above these. */
const reserved = [
  "/proc",
  "/dev",
  "/sys",
  "/run/millrace",
  "/task",
  "/params",
  "/data",
  "/tekton/results",
  "/tekton/termination",
  "/tmp",
  "/var/tmp",
];
/** Paths of an image and its engine; volumes can be below these, except below files that engines write. */
const ofSystem = ["/bin", "/etc", "/lib", "/lib32", "/lib64", "/libx32", "/run", "/sbin", "/usr", "/var/run"];
const ofEngine = ["/etc/group", "/etc/hostname", "/etc/hosts", "/etc/passwd", "/etc/resolv.conf"];
const homes = ["/tekton/home", "/task/home"];

/** A mount that is invalid once its references are replaced. */
export class InvalidMount extends Error {}

/**
 * What is wrong with a mount path, to follow "mountPath"; undefined: nothing.
 * @param mask masks the path as it was given: a secret might not be recognised in its canonical form
 */
function volumePathFault(path: string, mask?: MaskText): string | undefined {
  const fault = mountPathFault(path);
  if (fault !== undefined) return fault;
  const canonical = canonicalMountPath(path);
  if (isInHome(canonical)) return undefined;
  const owner =
    reserved.find((folder) => isAtOrBelow(canonical, folder) || isAtOrBelow(folder, canonical)) ??
    ofSystem.find((folder) => isAtOrBelow(folder, canonical)) ??
    ofEngine.find((file) => isAtOrBelow(canonical, file));
  return (
    owner &&
    `must not be at ${mask ? mask(path) : canonical}, where the task has ${owner}; use a path like /workspace/cache or /etc/settings`
  );
}

/** Problems with the volumes that steps and sidecars mount, and with the mounts; `steps` have the step template merged in. */
export function mountFaults(spec: Partial<TaskSpec>, steps: readonly Step[]): ErrorDetail[] {
  const placed = [
    ...steps.map((step, index) => ({ step, at: `/spec/steps/${index}` })),
    ...sidecarsOf(spec).map((step, index) => ({ step, at: `/spec/sidecars/${index}` })),
  ];
  const count = placed.reduce((sum, { step: { volumeMounts = [] } }) => sum + volumeMounts.length, 0);
  if (count > maxMountsOfTask) return [{ path: "/spec/steps", message: tooManyMounts(count) }];
  const mounted = (spec.volumes ?? []).map((volume) => ({ volume, mounts: mountsOf(placed, volume) }));
  return [
    ...mounted.flatMap(({ volume, mounts }, index) => (mounts.length === 0 ? [] : volumeFaults(volume, `/spec/volumes/${index}`))),
    ...placed.flatMap(({ step, at }) => stepFaults(step, at)),
    ...sidecarsOf(spec).flatMap((sidecar, index) => sidecarHomeFaults(sidecar, `/spec/sidecars/${index}`)),
    ...mounted.flatMap(({ volume, mounts }) => partFaults(volume, mounts)),
    ...homeFaults(mounted.flatMap(({ mounts }) => mounts)),
  ];
}

/** Mounts in the home are links, which are created for the containers that share that home. */
function sidecarHomeFaults({ volumeMounts = [] }: Step, path: string): ErrorDetail[] {
  return volumeMounts.flatMap(({ mountPath }, index) =>
    !mountPath.includes("$(") && isInHome(placeOf(mountPath))
      ? [{ path: `${path}/volumeMounts/${index}/mountPath`, message: `is ${JSON.stringify(mountPath.slice(0, 80))}; it ${notInHome}` }]
      : [],
  );
}

const notInHome = "must not be in the home, which a sidecar has for itself alone; use another path, and set HOME";

function tooManyMounts(count: number): string {
  return `have ${count} mounts together; the steps of a task can have ${maxMountsOfTask}`;
}

interface PlacedMount {
  mount: VolumeMount;
  at: string;
}

function mountsOf(placed: readonly { step: Step; at: string }[], { name }: Volume): PlacedMount[] {
  return placed.flatMap(({ step, at }) =>
    (step.volumeMounts ?? []).flatMap((mount, place) => (mount.name === name ? [{ mount, at: `${at}/volumeMounts/${place}` }] : [])),
  );
}

function stepFaults({ volumeMounts = [] }: Step, path: string): ErrorDetail[] {
  if (volumeMounts.length > maxMounts)
    return [{ path: `${path}/volumeMounts`, message: `has ${volumeMounts.length} mounts; a step can have at most ${maxMounts}` }];
  const faults = volumeMounts.flatMap((mount, index) => singleFaults(mount, `${path}/volumeMounts/${index}`));
  if (faults.length > 0) return faults;
  const given = volumeMounts.flatMap(({ name, mountPath }, index) =>
    mountPath.includes("$(") ? [] : [{ name, path: placeOf(mountPath), at: `${path}/volumeMounts/${index}/mountPath` }],
  );
  const conflict = findMountConflict(given);
  return conflict ? [{ path: conflict.inner.at, message: conflictMessage(conflict.inner.path, conflict.outer.path) }] : [];
}

function singleFaults(mount: VolumeMount, at: string): ErrorDetail[] {
  const { mountPath, subPath, subPathExpr, mountPropagation } = mount;
  const faults: ErrorDetail[] = [];
  const fault = mountPath.includes("$(") ? undefined : volumePathFault(mountPath);
  if (fault !== undefined) faults.push({ path: `${at}/mountPath`, message: `is ${JSON.stringify(mountPath.slice(0, 80))}; it ${fault}` });
  if (subPath != null && typeof subPath !== "string") faults.push({ path: `${at}/subPath`, message: "must be text" });
  else if (subPath && !subPath.includes("$(")) {
    const odd = innerPathFault(subPath);
    if (odd !== undefined) faults.push({ path: `${at}/subPath`, message: `is ${JSON.stringify(subPath.slice(0, 80))}; it ${odd}` });
  }
  if (subPathExpr != null && subPathExpr !== "")
    faults.push({ path: `${at}/subPathExpr`, message: "is not supported; use subPath, which can contain $(params.NAME)" });
  if (mountPropagation != null && mountPropagation !== "None")
    faults.push({ path: `${at}/mountPropagation`, message: "must be None, or left out: mounts are not shared with the machine" });
  return faults;
}

/** A part of an emptyDir that others mount as a whole would be resolved in a folder that steps can write. */
function partFaults(volume: Volume, mounts: readonly PlacedMount[]): ErrorDetail[] {
  const read = readVolume(volume);
  if ("fault" in read || read.kind !== "scratch") return [];
  const known = mounts.filter(({ mount }) => !asText(mount["subPath"]).includes("$("));
  const overlap = findInner(known, ({ mount }) => `/${asText(mount["subPath"])}`);
  return overlap ? [{ path: `${overlap.at}/subPath`, message: overlapMessage(volume.name) }] : [];
}

/**
 * Each mount in the home is a link that is created before the first step, so mounts of different steps can't contain each other there,
 * either.
 */
function homeFaults(mounts: readonly PlacedMount[]): ErrorDetail[] {
  const known = mounts.filter(({ mount }) => !mount.mountPath.includes("$(") && isInHome(placeOf(mount.mountPath)));
  const inner = findInner(known, ({ mount }) => placeOf(mount.mountPath));
  return inner ? [{ path: `${inner.at}/mountPath`, message: homeMessage(inner.mount.mountPath) }] : [];
}

/**
 * The mounts of a step or a sidecar with references replaced.
 * @param who for messages: `step "build"`
 * @param isSidecar it has a home of its own
 * @throws InvalidMount
 */
export function resolveMounts(who: string, written: readonly VolumeMount[], texts: TextsOf, mask: MaskText, isSidecar = false): JobMount[] {
  const mounts = written.map((mount) => {
    const { text } = texts("volumeMounts", mount);
    const [path, subPath] = [text(mount.mountPath), text(asText(mount["subPath"]))];
    const fault = volumePathFault(path, mask) ?? (isSidecar && isInHome(placeOf(path)) ? notInHome : undefined);
    if (fault !== undefined)
      throw new InvalidMount(`${who} can't mount the volume ${mount.name} at ${quoteMasked(path, mask)}: it ${fault}`);
    const odd = subPath === "" ? undefined : innerPathFault(subPath);
    if (odd !== undefined)
      throw new InvalidMount(`${who} can't mount the part ${quoteMasked(subPath, mask)} of the volume ${mount.name}: it ${odd}`);
    const place = placeOf(path);
    // Messages contain the canonical path, in which masking would not find the secret.
    if (place !== path && mask(path) !== path)
      throw new InvalidMount(
        `${who} can't mount the volume ${mount.name} at ${quoteMasked(path, mask)}: a path with a secret in it must have single ` +
          "slashes, none at its end, and /task/home instead of /tekton/home",
      );
    return {
      volume: texts("task").text(mount.name),
      path: place,
      ...(subPath !== "" && { subPath }),
      readOnly: mount.readOnly === true,
    };
  });
  const conflict = findMountConflict(mounts.map(({ volume, path }) => ({ name: volume, path })));
  if (conflict) throw new InvalidMount(`${who} ${conflictMessage(conflict.inner.path, conflict.outer.path)}`);
  return mounts;
}

/**
 * The volumes that steps mount, with their files.
 * @param find absent: files are left out
 * @throws InvalidMount, MissingSource
 */
export function resolveVolumes(
  written: readonly Volume[],
  mounts: readonly JobMount[],
  text: (text: string) => string,
  find: FindTexts | undefined,
  mask: MaskText,
): JobVolume[] {
  if (mounts.length > maxMountsOfTask) throw new InvalidMount(`the steps of the task ${tooManyMounts(mounts.length)}`);
  const inner = findInner(
    mounts.filter(({ path }) => isInHome(path)),
    ({ path }) => path,
  );
  if (inner) throw new InvalidMount(`the volume ${inner.volume} ${homeMessage(inner.path)}`);
  const budget: FileBudget = { files: 0, bytes: 0 };
  return [...new Set(mounts.map(({ volume }) => volume))].map((name) => {
    const volume = written.find((candidate) => candidate.name === name);
    if (volume === undefined) throw new InvalidMount(`the task has no volume ${quoteMasked(name, mask)}, which a step mounts`);
    const read = readVolume(volume);
    if ("fault" in read) throw new InvalidMount(`the volume ${name} can't be made: ${read.fault.path.slice(1)} ${read.fault.message}`);
    if (read.kind === "files") return { name, files: find ? volumeFiles(name, read, { text, find, budget, mask }) : [] };
    if (
      findInner(
        mounts.filter((mount) => mount.volume === name),
        ({ subPath }) => `/${subPath ?? ""}`,
      )
    )
      throw new InvalidMount(`the volume ${name} ${overlapMessage(name)}`);
    const { kind: _, ...scratch } = read;
    return { name, scratch };
  });
}

/** A mount whose path is inside that of another one. */
function findInner<M>(mounts: readonly M[], pathOf: (mount: M) => string): M | undefined {
  const paths = new Set(mounts.map(pathOf));
  return mounts.find((mount) => foldersAbove(pathOf(mount)).some((path) => paths.has(path)));
}

function foldersAbove(path: string): string[] {
  const ends = [...path.matchAll(/\//g)].map(({ index }) => index);
  return path === "/" ? [] : ends.map((end) => path.slice(0, end) || "/");
}

function isInHome(path: string): boolean {
  return homes.some((home) => isAtOrBelow(path, home));
}

function homeMessage(path: string): string {
  return `is mounted at ${path}, inside of what another step mounts in the home; mount them at paths that don't contain each other`;
}

function overlapMessage(volume: string): string {
  return (
    `is a part of what another mount of ${volume} has as a whole, and a step could put a link in its place; ` +
    "use a second emptyDir, or mount only parts that don't contain each other"
  );
}

/** The home has two names that mean the same folder. */
function placeOf(path: string): string {
  const canonical = canonicalMountPath(path);
  const [tekton = "", own = ""] = homes;
  return isAtOrBelow(canonical, tekton) ? own + canonical.slice(tekton.length) : canonical;
}

function conflictMessage(inner: string, outer: string): string {
  return inner === outer
    ? `has two mounts at ${inner}; mount them at different paths`
    : `has a mount at ${inner}, inside of the one at ${outer}; mount them at paths that don't contain each other`;
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}
