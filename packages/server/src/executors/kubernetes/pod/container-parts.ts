import type { V1Container, V1ResourceRequirements, V1SecurityContext, V1VolumeMount, V1VolumeProjection } from "@kubernetes/client-node";
import type { JobStep } from "../../../core/task/tekton/job-steps.ts";
import type { Job, JobWorkspace } from "../../../engine/executor.ts";
import { fileLimit } from "../../folders/overflow.ts";
import { imageText } from "../../images/image-reference.ts";
import { ImageRefusal, type ImageRules, isLocalImage, readImage, requireRegistry } from "../../images/image-rules.ts";
import { podFolders, wrapperFiles, wrapperFolder } from "./pod-scripts.ts";
import type { PodTemplate } from "./pod-template.ts";
import type { SidecarFiles, StepFiles } from "./step-files.ts";

/** What the containers of a pod have in common, in particular those of steps and of sidecars. */

export interface PodParts {
  job: Job;
  steps: readonly StepFiles[];
  sidecars: readonly SidecarFiles[];
  sources: V1VolumeProjection[];
  /** Whether any parameter is stored as a file. */
  hasParams: boolean;
  template: PodTemplate;
  imageRules: ImageRules;
  helperImage: string;
  helperPullPolicy: "Always" | "IfNotPresent" | "Never";
  scratchBytes: number;
  /** Names the folder of what runs in the containers of steps; images can't predict it. */
  nonce: string;
  graceMs: number;
  /** Name of the volume claim that holds a workspace. */
  claimOf(workspace: JobWorkspace): string;
}

export const collectorName = "collector";

export function stepContainerName(index: number): string {
  return `step-${index + 1}`;
}

/** Name of a sidecar's container and of what belongs only to it: a volume, and a folder of the collector's. */
export function sidecarContainerName(index: number): string {
  return `sidecar-${index + 1}`;
}

/**
 * The agent of the node ends a pod whose folder is larger than this; before that the collector reports it, and the task ends in an orderly
 * way.
 */
const scratchFactor = 1.25;
/** Space for busybox and the collector's notes, in addition to the output that it keeps. */
const controlSpareBytes = 16_777_216;

/** Steps can't write there; it has a limit all the same, for what the collector stores. */
export function controlBytes({ job, sidecars }: Pick<PodParts, "job" | "sidecars">): number {
  const ofSidecars = sidecars.reduce((sum, { limits }) => sum + limits.outputBytes, 0);
  return job.limits.outputBytes + ofSidecars + controlSpareBytes;
}

export function scratchLimit(scratchBytes: number): number {
  return Math.ceil(scratchBytes * scratchFactor);
}

/** Limits as numbers of KiB and of files. */
export function scratchArguments(scratchBytes: number): string[] {
  return [String(Math.floor(scratchBytes / 1024)), String(fileLimit(scratchBytes))];
}

/** Run by the busybox that the collector has put there: the image of the step need not have one. */
export function wrapperCommand({ scratchBytes, nonce }: PodParts, values: string, ...probe: string[]): string[] {
  const inPod = (path: string): string => `${podFolders.fixed}/${nonce}${path.slice(wrapperFolder.length)}`;
  const folder = `${podFolders.shared}/${nonce}`;
  const own = [folder, inPod(values), ...scratchArguments(scratchBytes), ...probe.map(inPod)];
  return [`${folder}/busybox`, "sh", inPod(wrapperFiles.step), ...own];
}

export function heldContainer({ hasWritableRoot = false, privileges }: Pick<JobStep, "hasWritableRoot" | "privileges">): V1SecurityContext {
  const { isPrivileged = false, mayEscalate = false, capabilities = [], dropped = [], user, group } = privileges ?? {};
  const drop = capabilities.includes("ALL") ? [...dropped] : ["ALL"];
  return {
    allowPrivilegeEscalation: mayEscalate,
    privileged: isPrivileged,
    readOnlyRootFilesystem: !hasWritableRoot,
    // A cluster refuses a privileged container that drops capabilities.
    ...(!isPrivileged && { capabilities: { ...(capabilities.length > 0 && { add: [...capabilities] }), drop } }),
    // The group of the pod's folders remains in addition to its own.
    ...(user !== undefined && { runAsUser: user, runAsGroup: group ?? user, runAsNonRoot: user !== 0 }),
  };
}

/**
 * What a step writes into its image is stored on the disk of the node. The node adds up the limits of all containers and compares the
 * folders of the pod with the sum, so each container has room for them. The request is an explicit 0: without it, the limit would count as
 * the request.
 */
export function withDiskLimit(parts: PodParts, { requests, limits }: V1ResourceRequirements): V1ResourceRequirements {
  const bytes = controlBytes(parts) + scratchLimit(parts.scratchBytes);
  return { requests: { ...requests, "ephemeral-storage": "0" }, limits: { ...limits, "ephemeral-storage": String(bytes) } };
}

/** The memory of a step, in bytes: what it asks for, at most what the service allows. */
export function memoryLimit(job: Job, wantedBytes: number | undefined): number {
  return Math.min(wantedBytes ?? job.limits.memoryBytes, job.limits.memoryBytes);
}

export const places = [
  ["/data", "work"],
  ["/tekton/results", "results"],
  ["/tekton/home", "home"],
  ["/tmp", "tmp"],
  ["/var/tmp", "tmp"],
] as const;

/** The pipes through which a container reports, and what the service has written for it. @param own its folder of the collector's */
export function fixedMounts({ hasParams }: PodParts, own: string): V1VolumeMount[] {
  return [
    { name: "control", mountPath: podFolders.shared, subPath: "public", readOnly: true },
    { name: "control", mountPath: podFolders.own, subPath: own, readOnly: true },
    { name: "fixed", mountPath: podFolders.fixed, readOnly: true },
    ...(hasParams ? [{ name: "fixed", mountPath: "/params", subPath: "params", readOnly: true }] : []),
  ];
}

/**
 * The image of a step as passed to a node: by its full name, since runtimes complete short ones in different ways. Nodes keep images that
 * one pod pulled with its credentials, and give them to every other pod; so the node asks the registry for every pod, as with the admission
 * controller `AlwaysPullImages`. Layers that the node has are not transferred again. The operator's local images need no registry.
 *
 * @param who for messages
 * @throws ImageRefusal
 */
export function stepImage(
  rules: ImageRules,
  { name, image, pullPolicy }: JobStep,
  who = `step "${name}"`,
): Pick<V1Container, "image" | "imagePullPolicy"> {
  if (!image) return {};
  const reference = readImage(image);
  if (isLocalImage(rules, reference)) return { image: imageText(reference), ...(pullPolicy && { imagePullPolicy: pullPolicy }) };
  requireRegistry(rules, reference);
  if (pullPolicy !== "Never") return { image: imageText(reference), imagePullPolicy: "Always" };
  throw new ImageRefusal(
    `${who} can't use the image ${image} with the pull policy Never, since no registry could confirm that this team can use it; ` +
      "MILLRACE_LOCAL_IMAGES can list images that every team can use",
  );
}
