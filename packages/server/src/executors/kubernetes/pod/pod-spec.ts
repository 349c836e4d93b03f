import type {
  V1Container,
  V1PodSpec,
  V1ResourceRequirements,
  V1SecurityContext,
  V1VolumeMount,
  V1VolumeProjection,
} from "@kubernetes/client-node";
import type { JobStep } from "../../../core/task/tekton/job-steps.ts";
import type { Job, JobWorkspace } from "../../../engine/executor.ts";
import { fileLimit } from "../../folders/overflow.ts";
import { imageText } from "../../images/image-reference.ts";
import { ImageRefusal, type ImageRules, isLocalImage, readImage, requireRegistry } from "../../images/image-rules.ts";
import { terminationPath } from "../../steps/view.ts";
import { podFolders, readyCommand, scriptFiles, wrapperFiles, wrapperFolder } from "./pod-scripts.ts";
import type { PodTemplate } from "./pod-template.ts";
import { collectorMounts, fixedSources, podVolumes, volumeLimits, volumeMounts } from "./pod-volumes.ts";
import type { StepFiles } from "./step-files.ts";

export interface PodParts {
  job: Job;
  steps: readonly StepFiles[];
  sources: V1VolumeProjection[];
  /** Whether any parameter has a file. */
  hasParams: boolean;
  template: PodTemplate;
  imageRules: ImageRules;
  helperImage: string;
  helperPullPolicy: "Always" | "IfNotPresent" | "Never";
  scratchBytes: number;
  /** Names the folder of what runs in the containers of steps; no image may know it. */
  nonce: string;
  graceMs: number;
  /** Name of the volume claim that holds a workspace. */
  claimOf(workspace: JobWorkspace): string;
}

/** Whom steps and collector are, where the template says nothing else: nobody that a node would know. */
const defaultUser = 64_200;
export const collectorName = "collector";

export function stepContainerName(index: number): string {
  return `step-${index + 1}`;
}

/**
 * The pod of one attempt. The collector is the first container and its hook waits until it is ready: the cluster starts containers
 * in their order and the next one after the hook. An init container could do the same, and would cost up to a second more: its end
 * is only seen in the node agent's next round.
 *
 * @throws ImageRefusal when a step may not have its image
 */
export function podSpec(parts: PodParts): V1PodSpec {
  const { job, steps, template, graceMs } = parts;
  const { securityContext, ...placing } = template;
  const user = securityContext?.runAsUser ?? defaultUser;
  return {
    ...placing,
    nodeSelector: { ...job.scheduling?.nodeSelector, ...template.nodeSelector },
    restartPolicy: "Never",
    enableServiceLinks: false,
    automountServiceAccountToken: template.serviceAccountName !== undefined,
    terminationGracePeriodSeconds: Math.max(1, Math.ceil(graceMs / 1000)),
    securityContext: {
      runAsUser: user,
      runAsGroup: securityContext?.runAsGroup ?? user,
      fsGroup: securityContext?.fsGroup ?? securityContext?.runAsGroup ?? user,
      fsGroupChangePolicy: "OnRootMismatch",
      runAsNonRoot: user !== 0,
      seccompProfile: { type: "RuntimeDefault" },
      ...securityContext,
    },
    containers: [collector(parts), ...steps.map((_, index) => stepContainer(parts, index))],
    volumes: volumes(parts),
  };
}

/** The agent of the node ends a pod whose folder is larger; before that the collector tells, and the task ends in order. */
const scratchFactor = 1.25;
/** For busybox and what the collector notes, beside the output that it keeps. */
const controlSpareBytes = 16_777_216;

/** Steps can't write there; what the collector keeps has a limit all the same. */
function controlBytes({ job }: Pick<PodParts, "job">): number {
  return job.limits.outputBytes + controlSpareBytes;
}

function scratchLimit(scratchBytes: number): number {
  return Math.ceil(scratchBytes * scratchFactor);
}

function volumes({ job, sources, scratchBytes, nonce, claimOf }: PodParts): V1PodSpec["volumes"] {
  return [
    { name: "control", emptyDir: { sizeLimit: String(controlBytes({ job })) } },
    { name: "task", emptyDir: { sizeLimit: String(scratchLimit(scratchBytes)) } },
    { name: "fixed", projected: { sources: fixedSources(sources).map((source) => renamed(source, nonce)), defaultMode: 0o444 } },
    ...podVolumes(job, sources, scratchLimit(scratchBytes)),
    ...job.workspaces.map((workspace, index) => ({
      name: `workspace-${index}`,
      persistentVolumeClaim: { claimName: claimOf(workspace) },
    })),
  ];
}

/** What is meant for the containers of steps, under its name in this pod. */
function renamed({ secret, ...others }: V1VolumeProjection, nonce: string): V1VolumeProjection {
  const inPod = (path: string): string => (path.startsWith(`${wrapperFolder}/`) ? nonce + path.slice(wrapperFolder.length) : path);
  const items = secret?.items?.map((item) => ({ ...item, path: inPod(item.path) }));
  return { ...others, ...(secret && { secret: { ...secret, ...(items && { items }) } }) };
}

function collector({ job, helperImage, helperPullPolicy, scratchBytes, nonce }: PodParts): V1Container {
  // One block more than is taken, so that it shows when something was dropped.
  const blocks = Math.floor(job.limits.outputBytes / 512) + 2;
  return {
    name: collectorName,
    image: helperImage,
    imagePullPolicy: helperPullPolicy,
    command: [
      "sh",
      `${podFolders.fixed}/${scriptFiles.collect}`,
      String(blocks),
      ...scratchArguments(scratchBytes),
      nonce,
      ...volumeLimits(job),
    ],
    lifecycle: { postStart: { exec: { command: readyCommand } } },
    securityContext: heldContainer({}),
    resources: { requests: { cpu: "10m", memory: "16Mi" }, limits: { memory: "128Mi" } },
    volumeMounts: [
      { name: "control", mountPath: podFolders.control },
      { name: "task", mountPath: podFolders.task },
      { name: "fixed", mountPath: podFolders.fixed, readOnly: true },
      ...collectorMounts(job),
    ],
  };
}

/** KiB and files. */
function scratchArguments(scratchBytes: number): string[] {
  return [String(Math.floor(scratchBytes / 1024)), String(fileLimit(scratchBytes))];
}

/** By the busybox that the collector has put there: the image of the step need not have one. */
function wrapperCommand({ scratchBytes, nonce }: PodParts, index: number): string[] {
  const inPod = (path: string): string => `${podFolders.fixed}/${nonce}${path.slice(wrapperFolder.length)}`;
  const folder = `${podFolders.shared}/${nonce}`;
  const values = inPod(wrapperFiles.values(index));
  return [`${folder}/busybox`, "sh", inPod(wrapperFiles.step), folder, values, ...scratchArguments(scratchBytes)];
}

function heldContainer({ hasWritableRoot = false, privileges }: Pick<JobStep, "hasWritableRoot" | "privileges">): V1SecurityContext {
  const { isPrivileged = false, mayEscalate = false, capabilities = [], dropped = [], user, group } = privileges ?? {};
  const drop = capabilities.includes("ALL") ? [...dropped] : ["ALL"];
  return {
    allowPrivilegeEscalation: mayEscalate,
    privileged: isPrivileged,
    readOnlyRootFilesystem: !hasWritableRoot,
    // A cluster refuses to drop some of what is privileged.
    ...(!isPrivileged && { capabilities: { ...(capabilities.length > 0 && { add: [...capabilities] }), drop } }),
    // The group of the pod's folders stays beside its own.
    ...(user !== undefined && { runAsUser: user, runAsGroup: group ?? user, runAsNonRoot: user !== 0 }),
  };
}

function stepContainer(parts: PodParts, index: number): V1Container {
  const { step } = parts.steps[index] as StepFiles;
  return {
    name: stepContainerName(index),
    ...stepImage(parts.imageRules, step),
    command: wrapperCommand(parts, index),
    workingDir: "/",
    terminationMessagePath: terminationPath,
    securityContext: heldContainer(step),
    resources: withDiskLimit(parts, stepResources(parts, index)),
    volumeMounts: stepMounts(parts, index),
  };
}

/**
 * Steps run one after the other, but a cluster adds up what containers request. So one of them requests for all, the one that needs
 * most, and the others nothing: without that word the limit would be taken for the request.
 */
function stepResources({ job, steps }: PodParts, index: number): V1ResourceRequirements {
  const most = (member: "memoryBytes" | "cpuMillis"): number =>
    Math.max(0, ...steps.map(({ step }) => step.resources?.requests?.[member] ?? 0));
  const carrier = (member: "memoryBytes" | "cpuMillis"): number =>
    steps.findIndex(({ step }) => (step.resources?.requests?.[member] ?? 0) === most(member));
  const limits = steps[index]?.step.resources?.limits;
  const memoryBytes = memoryLimit(job, limits?.memoryBytes);
  const requested = carrier("memoryBytes") === index ? Math.min(most("memoryBytes"), memoryBytes) : 0;
  const cpuMillis = carrier("cpuMillis") === index ? Math.min(most("cpuMillis"), limits?.cpuMillis ?? Number.POSITIVE_INFINITY) : 0;
  return {
    requests: { memory: String(requested), cpu: `${cpuMillis}m` },
    limits: { memory: String(memoryBytes), ...(limits?.cpuMillis && { cpu: `${limits.cpuMillis}m` }) },
  };
}

/**
 * What a step writes into its image lies on the disk of the node. The node adds the limits of all containers up
 * and holds the folders of the pod against the sum, so each has room for those. None is requested: the limit would be taken for the
 * request without that word.
 */
function withDiskLimit(parts: PodParts, { requests, limits }: V1ResourceRequirements): V1ResourceRequirements {
  const bytes = controlBytes(parts) + scratchLimit(parts.scratchBytes);
  return { requests: { ...requests, "ephemeral-storage": "0" }, limits: { ...limits, "ephemeral-storage": String(bytes) } };
}

/** What a step may have, in bytes: what it says, up to what the service allows. */
export function memoryLimit(job: Job, wantedBytes: number | undefined): number {
  return Math.min(wantedBytes ?? job.limits.memoryBytes, job.limits.memoryBytes);
}

function stepMounts({ job, hasParams }: PodParts, index: number): V1VolumeMount[] {
  const volumes = volumeMounts(job, index);
  const places = [
    ["/data", "work"],
    ["/tekton/results", "results"],
    ["/tekton/home", "home"],
    ["/tmp", "tmp"],
    ["/var/tmp", "tmp"],
  ] as const;
  return [
    { name: "control", mountPath: podFolders.shared, subPath: "public", readOnly: true },
    { name: "control", mountPath: podFolders.own, subPath: stepContainerName(index), readOnly: true },
    { name: "fixed", mountPath: podFolders.fixed, readOnly: true },
    ...(hasParams ? [{ name: "fixed", mountPath: "/params", subPath: "params", readOnly: true }] : []),
    { name: "task", mountPath: podFolders.task },
    ...places
      .filter(([mountPath]) => !volumes.some((mount) => mount.mountPath === mountPath))
      .map(([mountPath, subPath]) => ({ name: "task", mountPath, subPath })),
    ...job.workspaces.map(({ mountPath, readOnly }, place) => ({ name: `workspace-${place}`, mountPath, readOnly })),
    ...volumes,
  ];
}

/**
 * The image of a step as a node gets it: by its whole name, since runtimes complete short ones in different ways. Nodes keep images
 * that one pod's credentials pulled, and hand them to every other pod; so a node asks the registry for every pod, as the admission
 * controller `AlwaysPullImages` has it. Layers that are there are not transferred again. The operator's local images need no registry.
 *
 * @throws ImageRefusal
 */
function stepImage(rules: ImageRules, { name, image, pullPolicy }: JobStep): Pick<V1Container, "image" | "imagePullPolicy"> {
  if (!image) return {};
  const reference = readImage(image);
  if (isLocalImage(rules, reference)) return { image: imageText(reference), ...(pullPolicy && { imagePullPolicy: pullPolicy }) };
  requireRegistry(rules, reference);
  if (pullPolicy !== "Never") return { image: imageText(reference), imagePullPolicy: "Always" };
  throw new ImageRefusal(
    `step "${name}" can't use the image ${image} with the pull policy Never, since no registry could confirm that this team can use it; ` +
      "MILLRACE_LOCAL_IMAGES can list images that every team can use",
  );
}
