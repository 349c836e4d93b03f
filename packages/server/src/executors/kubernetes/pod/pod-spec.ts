import type { V1Container, V1PodSpec, V1ResourceRequirements, V1VolumeMount, V1VolumeProjection } from "@kubernetes/client-node";
import type { JobSidecar } from "../../../core/task/tekton/sidecars/job-sidecars.ts";
import { terminationPath } from "../../steps/view.ts";
import {
  collectorName,
  controlBytes,
  fixedMounts,
  heldContainer,
  memoryLimit,
  type PodParts,
  places,
  scratchArguments,
  scratchLimit,
  sidecarContainerName,
  stepContainerName,
  stepImage,
  withDiskLimit,
  wrapperCommand,
} from "./container-parts.ts";
import { podFolders, readyCommand, scriptFiles, wrapperFiles, wrapperFolder } from "./pod-scripts.ts";
import { collectorMounts, fixedSources, podVolumes, volumeLimits, volumeMounts } from "./pod-volumes.ts";
import type { SidecarFiles, StepFiles } from "./step-files.ts";

/** The user of steps and collector if the template names none: an id that no node knows. */
const defaultUser = 64_200;
/**
 * The pod of one attempt. The collector is the first container, and its hook waits until it is ready: the cluster starts containers in
 * order, each after the hook of the one before. An init container could do the same, but would cost up to a second more: the node agent
 * notices its end only in its next round.
 *
 * @throws ImageRefusal if a step may not use its image
 */
export function podSpec(parts: PodParts): V1PodSpec {
  const { job, steps, sidecars, template, graceMs } = parts;
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
    containers: [
      collector(parts),
      ...steps.map((_, index) => stepContainer(parts, index)),
      ...sidecars.map((_, index) => sidecarContainer(parts, index)),
    ],
    volumes: volumes(parts),
  };
}

function volumes(parts: PodParts): V1PodSpec["volumes"] {
  const { job, sidecars, sources, scratchBytes, nonce, claimOf } = parts;
  return [
    { name: "control", emptyDir: { sizeLimit: String(controlBytes(parts)) } },
    { name: "task", emptyDir: { sizeLimit: String(scratchLimit(scratchBytes)) } },
    { name: "fixed", projected: { sources: fixedSources(sources).map((source) => renamed(source, nonce)), defaultMode: 0o444 } },
    ...sidecars.map((_, index) => ({ name: sidecarContainerName(index), emptyDir: { sizeLimit: String(scratchLimit(scratchBytes)) } })),
    ...podVolumes(job, sources, scratchLimit(scratchBytes)),
    ...job.workspaces.map((workspace, index) => ({
      name: `workspace-${index}`,
      persistentVolumeClaim: { claimName: claimOf(workspace) },
    })),
  ];
}

/** Moves the files that are meant for the containers of steps to their folder in this pod. */
function renamed({ secret, ...others }: V1VolumeProjection, nonce: string): V1VolumeProjection {
  const inPod = (path: string): string => (path.startsWith(`${wrapperFolder}/`) ? nonce + path.slice(wrapperFolder.length) : path);
  const items = secret?.items?.map((item) => ({ ...item, path: inPod(item.path) }));
  return { ...others, ...(secret && { secret: { ...secret, ...(items && { items }) } }) };
}

function collector({ job, sidecars, helperImage, helperPullPolicy, scratchBytes, nonce }: PodParts): V1Container {
  // One block more than is accepted, so that it shows when output was dropped.
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
      ...sidecars.map((_, index) => ({
        name: sidecarContainerName(index),
        mountPath: `${podFolders.volumes}/${sidecarContainerName(index)}`,
      })),
    ],
  };
}

function stepContainer(parts: PodParts, index: number): V1Container {
  const { step } = parts.steps[index] as StepFiles;
  return {
    name: stepContainerName(index),
    ...stepImage(parts.imageRules, step),
    command: wrapperCommand(parts, wrapperFiles.values(index)),
    workingDir: "/",
    terminationMessagePath: terminationPath,
    securityContext: heldContainer(step),
    resources: withDiskLimit(parts, stepResources(parts, index)),
    volumeMounts: stepMounts(parts, index),
  };
}

/** Started like a step, so that it has the same limits, and its log is kept until the worker has read it. */
function sidecarContainer(parts: PodParts, index: number): V1Container {
  const { sidecar, limits } = parts.sidecars[index] as SidecarFiles;
  const probe = sidecar.probe?.action.kind === "exec" ? [wrapperFiles.probeValues(index)] : [];
  const { requests, limits: wanted } = sidecar.resources ?? {};
  const cpuMillis = wanted?.cpuMillis;
  return {
    name: sidecarContainerName(index),
    ...stepImage(parts.imageRules, sidecar, `sidecar "${sidecar.name}"`),
    command: wrapperCommand(parts, wrapperFiles.sidecarValues(index), ...probe),
    // Otherwise it starts in the folder that its image specifies.
    ...(sidecar.workingDir && { workingDir: "/" }),
    terminationMessagePath: terminationPath,
    securityContext: heldContainer(sidecar),
    resources: withDiskLimit(parts, {
      requests: {
        memory: String(Math.min(requests?.memoryBytes ?? 0, limits.memoryBytes)),
        cpu: `${Math.min(requests?.cpuMillis ?? 0, cpuMillis ?? Number.POSITIVE_INFINITY)}m`,
      },
      limits: { memory: String(limits.memoryBytes), ...(cpuMillis && { cpu: `${cpuMillis}m` }) },
    }),
    volumeMounts: sidecarMounts(parts, sidecar, index),
  };
}

/**
 * Steps run one after the other, but a cluster adds up the requests of containers. So one step carries the largest request for all of them.
 * The others explicitly request 0: without that, their limit would count as the request.
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

/** Its folders are a separate volume: neither it nor a step can put a link where the other has something mounted. */
function sidecarMounts(parts: PodParts, sidecar: JobSidecar, index: number): V1VolumeMount[] {
  const { job } = parts;
  const own = sidecarContainerName(index);
  return [
    ...fixedMounts(parts, own),
    { name: own, mountPath: podFolders.task },
    ...places.filter(([, subPath]) => subPath !== "results").map(([mountPath, subPath]) => ({ name: own, mountPath, subPath })),
    ...job.workspaces.flatMap(({ name, mountPath, readOnly }, place) =>
      (sidecar.workspaces?.includes(name) ?? true) ? [{ name: `workspace-${place}`, mountPath, readOnly }] : [],
    ),
    ...volumeMounts(job, sidecar),
  ];
}

function stepMounts(parts: PodParts, index: number): V1VolumeMount[] {
  const { job } = parts;
  const volumes = volumeMounts(job, job.steps[index] ?? {});
  return [
    ...fixedMounts(parts, stepContainerName(index)),
    { name: "task", mountPath: podFolders.task },
    ...places
      .filter(([mountPath]) => !volumes.some((mount) => mount.mountPath === mountPath))
      .map(([mountPath, subPath]) => ({ name: "task", mountPath, subPath })),
    ...job.workspaces.map(({ mountPath, readOnly }, place) => ({ name: `workspace-${place}`, mountPath, readOnly })),
    ...volumes,
  ];
}
