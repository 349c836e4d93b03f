import type { V1ContainerStatus, V1Job, V1Pod } from "@kubernetes/client-node";
import type { JobPlace } from "../../../engine/executor.ts";
import { describeImageFailure, type ImageCause, imageCause, imageReason } from "../../images/image-failure.ts";
import { parseImage } from "../../images/image-reference.ts";
import { failed, lost, type Verdict } from "../../steps/outcomes.ts";
import { collectorName, sidecarContainerName, stepContainerName } from "./container-parts.ts";

/**
 * What the status of a pod and its Job means for the attempt. Pure: the test table beside it contains original statuses of clusters.
 *
 * Steps report their own end through the collector; what is read here is everything that prevents them from doing so.
 */
export interface PodState {
  /** The final verdict: the pod can't succeed any more. */
  dead?: Verdict;
  /** The pod does not progress, but still may: the caller decides how long to wait. */
  stuck?: Stuck;
  /** The collector runs, according to the cluster. */
  isReady: boolean;
  /** The pod was assigned to a node. */
  isPlaced: boolean;
}

export interface Stuck {
  verdict: Verdict;
  /** Waiting does not help: `InvalidImageName`. */
  isCertain: boolean;
  /** It may resolve by itself, but if it doesn't quickly, a long wait is not worthwhile: e.g. an unreachable registry. */
  isBrief?: boolean;
  /** The node only reports that it waits before its next try, and no longer why. */
  isVague?: boolean;
  /** Index of the step whose container it is, from 0; undefined: the whole pod. */
  step?: number;
  /** It is the container of a sidecar. */
  isSidecar?: true;
  /** What the pod waits for. */
  phase: "quota" | "scheduling" | "image" | "start" | "node";
}

/** The names of steps and sidecars for people, in the order of the containers. */
export interface ContainerNames {
  steps: readonly string[];
  sidecars: readonly string[];
}

export function podState(job: V1Job | undefined, pod: V1Pod | undefined, names: ContainerNames): PodState {
  const state = { isReady: isRunning(statusOf(pod, collectorName)), isPlaced: pod?.spec?.nodeName !== undefined };
  const dead = deadVerdict(job, pod);
  if (dead) return { ...state, isReady: false, dead };
  const stuck = stuckPod(pod, names);
  return { ...state, ...(stuck && { stuck }) };
}

function deadVerdict(job: V1Job | undefined, pod: V1Pod | undefined): Verdict | undefined {
  const jobFailure = job?.status?.conditions?.find(({ type, status }) => type === "Failed" && status === "True");
  if (jobFailure?.reason === "DeadlineExceeded")
    return {
      status: "timedout",
      reason: "DeadlineExceeded",
      message: "the cluster ended the Job at its deadline, after which no worker took care of it",
    };
  const status = pod?.status;
  const isLost =
    status?.reason === "NodeLost" ||
    status?.conditions?.some(({ reason }) => reason === "DeletionByPodGC" || reason === "DeletionByTaintManager");
  if (isLost)
    return lost(
      "NodeLost",
      `the node ${pod?.spec?.nodeName ?? ""} of pod ${pod?.metadata?.name} no longer exists${words(status?.message)}`,
    );
  if (status?.reason === "Evicted") return evictedVerdict(status.message ?? "");
  const disruption = status?.conditions?.find(({ type, status: is }) => type === "DisruptionTarget" && is === "True");
  if (disruption) return lost("Evicted", `the cluster removed the pod (${disruption.reason ?? ""})${words(disruption.message)}`);
  // The cluster removes the pods of a node that does not respond, after a delay that may be shorter than ours.
  if (pod?.metadata?.deletionTimestamp !== undefined && silentNode(pod)) return silentNode(pod)?.verdict;
  if (pod?.metadata?.deletionTimestamp !== undefined)
    return lost("Evicted", `pod ${pod.metadata?.name} was removed from the cluster: a drain, a pre-emption, or someone deleted it`);
  if (status?.reason === "Preempting") return lost("Evicted", `the pod was pre-empted${words(status.message)}`);
  // The node refused the pod: UnexpectedAdmissionError, OutOfcpu, Shutdown, NodeAffinity.
  if (status?.phase === "Failed" && status.reason !== undefined && status.reason !== "DeadlineExceeded")
    return lost("Evicted", `the node did not keep the pod (${status.reason})${words(status.message)}`);
  const collector = statusOf(pod, collectorName);
  const ended = collector?.state?.terminated;
  if (ended)
    return failed(
      "ExecutorError",
      `the container "${collectorName}" of the pod ended with exit code ${ended.exitCode}${words(ended.message ?? ended.reason)}; its image has to have a static busybox as its shell (MILLRACE_KUBERNETES_HELPER_IMAGE)`,
    );
  if (jobFailure && pod === undefined)
    return failed("ExecutorError", `the cluster gave up the Job${words(jobFailure.message ?? jobFailure.reason)}`);
  return undefined;
}

function evictedVerdict(message: string): Verdict {
  if (/emptyDir volume .* exceeds|ephemeral local storage usage exceeds|exceeded its local ephemeral storage limit/i.test(message))
    return failed("WorkspaceFull", `the node ended the pod: it contains more on the disk than allowed${words(message)}`);
  return lost("Evicted", `the node ended the pod${words(message)}`);
}

const imageReasons = [
  "ErrImagePull",
  "ImagePullBackOff",
  "InvalidImageName",
  "ErrImageNeverPull",
  "ImageInspectError",
  "RegistryUnavailable",
];

function stuckPod(pod: V1Pod | undefined, names: ContainerNames): Stuck | undefined {
  if (pod === undefined) return undefined;
  const scheduled = pod.status?.conditions?.find(({ type }) => type === "PodScheduled");
  if (scheduled?.status === "False" && scheduled.reason === "Unschedulable")
    return {
      phase: "scheduling",
      isCertain: false,
      verdict: failed("Unschedulable", `no node can run the pod${words(scheduled.message)}`),
    };
  const node = pod.spec?.nodeName === undefined ? "the node" : `the node ${pod.spec.nodeName}`;
  const found = (pod.status?.containerStatuses ?? []).flatMap((status) => waitingContainer(status, names, node) ?? []);
  const [first] = found.sort((one, other) => (one.step ?? -1) - (other.step ?? -1));
  if (first) return first;
  return silentNode(pod);
}

/**
 * Reasons for a container that never ran and will not be retried: its image declares a volume at an impossible path, or too many variables.
 */
const neverStarted = ["StartError", "ContainerCannotRun"];
/** Container engines quote whole lists of mounts. */
const maxStartWords = 500;

/**
 * Problems of the image or the folders, which a retry would meet again. "not a directory" means a file where a folder belongs, or vice
 * versa.
 */
const certainWords = /runAsNonRoot|run as root|not a directory/i;

/**
 * How the wrapper of a step ends before the step starts, if it can't isolate the step (programs/pod/step.sh); the rest of the message is
 * the reason.
 */
const refusal = { exitCode: 70, start: "refused: " };

function waitingContainer(status: V1ContainerStatus, { steps, sidecars }: ContainerNames, node: string): Stuck | undefined {
  const { reason = "", message } = status.state?.waiting ?? {};
  const index = steps.findIndex((_, at) => stepContainerName(at) === status.name);
  const sidecar = sidecars.findIndex((_, at) => sidecarContainerName(at) === status.name);
  const where = index >= 0 ? `step "${steps[index]}"` : sidecar >= 0 ? `sidecar "${sidecars[sidecar]}"` : "the helper";
  const step = index >= 0 ? { step: index } : sidecar >= 0 ? { isSidecar: true as const } : {};
  const ended = status.state?.terminated;
  if (index + sidecar > -2 && ended?.exitCode === refusal.exitCode && ended.message?.startsWith(refusal.start)) {
    const verdict = failed("ImagePullFailed", `${where} can't be run in its image: ${ended.message.slice(refusal.start.length).trim()}`);
    return { ...step, phase: "start", isCertain: true, verdict };
  }
  if (neverStarted.includes(ended?.reason ?? "")) {
    const why = words(ended?.message?.slice(0, maxStartWords));
    return { ...step, phase: "start", isCertain: true, verdict: failed("ExecutorError", `${where} could not be started${why}`) };
  }
  if (imageReasons.includes(reason)) return { ...step, phase: "image", ...imagePullProblem(status, where, node) };
  if (["CreateContainerConfigError", "CreateContainerError", "RunContainerError"].includes(reason)) {
    const isCertain = certainWords.test(message ?? "");
    return {
      ...step,
      phase: "start",
      isCertain,
      verdict: failed("ExecutorError", `${where} could not be started (${reason})${words(message)}`),
    };
  }
  return undefined;
}

/** The cluster reports that the pod is not ready although every container was when the node last reported. */
function silentNode(pod: V1Pod): Stuck | undefined {
  const ready = pod.status?.conditions?.find(({ type }) => type === "Ready");
  const statuses = pod.status?.containerStatuses ?? [];
  if (ready?.status === "True" || ready === undefined || ready.reason !== undefined) return undefined;
  if (statuses.length === 0 || !statuses.every((status) => status.ready)) return undefined;
  const verdict = lost("NodeLost", `the node ${pod.spec?.nodeName} no longer responds`);
  return { phase: "node", isCertain: false, verdict };
}

/** How a container of a step ended, if it could not report that itself. */
export function containerEnd(
  pod: V1Pod | undefined,
  index: number,
): { exitCode: number; isOutOfMemory: boolean; message: string } | undefined {
  const ended = statusOf(pod, stepContainerName(index))?.state?.terminated;
  return ended && { exitCode: ended.exitCode, isOutOfMemory: ended.reason === "OOMKilled", message: ended.message ?? "" };
}

export function jobPlace(pod: V1Pod | undefined, steps: readonly string[], sidecars: readonly string[] = []): JobPlace | undefined {
  if (pod === undefined) return undefined;
  const all = [
    ...steps.map((step, index) => ({ step, container: stepContainerName(index) })),
    ...sidecars.map((step, index) => ({ step, container: sidecarContainerName(index) })),
  ];
  const images = all.map(({ step, container }) => {
    const status = statusOf(pod, container);
    const image = pod.spec?.containers.find(({ name }) => name === container)?.image ?? "";
    // A node reports what it runs up to a second late; if the task itself names the digest, nothing else can run.
    const digest = /sha256:[0-9a-f]{64}/.exec(status?.imageID || image)?.[0];
    return { step, image, ...(digest && { digest }) };
  });
  const { nodeName } = pod.spec ?? {};
  return { ...(nodeName && { node: nodeName }), ...(pod.metadata?.name && { unit: pod.metadata.name }), images };
}

function statusOf(pod: V1Pod | undefined, container: string): V1ContainerStatus | undefined {
  return pod?.status?.containerStatuses?.find(({ name }) => name === container);
}

function isRunning(status: V1ContainerStatus | undefined): boolean {
  return status?.state?.running !== undefined;
}

function words(message: string | undefined): string {
  return message ? `: ${message.trim()}` : "";
}

/** Why a node can't pull an image, and how long it is worth waiting; the members are those of `Stuck`. */
interface ImageProblem {
  verdict: Verdict;
  isCertain: boolean;
  isBrief?: boolean;
  isVague?: boolean;
}

/** A retry would have the same result. */
const certainCauses: readonly ImageCause[] = ["credentials", "missing", "platform", "rate-limit"];
const briefCauses: readonly ImageCause[] = ["registry-away", "registry-fault", "disk-full"];

/** @param where the step or the helper that uses the image @param node for messages */
function imagePullProblem({ image, state }: V1ContainerStatus, where: string, node: string): ImageProblem {
  const { reason, message = "" } = state?.waiting ?? {};
  if (reason === "InvalidImageName")
    return {
      isCertain: true,
      verdict: failed("ImagePullFailed", `${JSON.stringify(image)}, the image of ${where}, is not the name of an image`),
    };
  if (reason === "ErrImageNeverPull")
    return {
      isCertain: true,
      verdict: failed("ImagePullFailed", `the image ${image} of ${where} is not on ${node}, and its pull policy is Never`),
    };
  const parsed = parseImage(image);
  const found = imageCause(message, parsed?.name ?? image);
  const cause = found === "unknown" && reason === "RegistryUnavailable" ? "registry-away" : found;
  const text = describeImageFailure({
    cause,
    image: `${image} of ${where}`,
    registry: parsed?.registry ?? image,
    puller: node,
    words: message || (reason ?? ""),
    credentials: { setting: "imagePullSecrets of the pod template (MILLRACE_KUBERNETES_POD_TEMPLATE)" },
  });
  return {
    isCertain: certainCauses.includes(cause),
    ...(briefCauses.includes(cause) && { isBrief: true }),
    ...(cause === "unknown" && reason === "ImagePullBackOff" && { isVague: true }),
    verdict: cause === "disk-full" ? lost("MachineFault", text) : failed(imageReason(cause), text),
  };
}
