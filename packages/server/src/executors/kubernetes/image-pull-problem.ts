import type { V1ContainerStatus } from "@kubernetes/client-node";
import { describeImageFailure, type ImageCause, imageCause, imageReason } from "../images/image-failure.ts";
import { parseImage } from "../images/image-reference.ts";
import { failed, lost, type Verdict } from "../steps/outcomes.ts";

/** Why a node can't have an image, and for how long that is worth a wait; the members are those of `Stuck`. */
interface ImagePullProblem {
  verdict: Verdict;
  isCertain: boolean;
  isBrief?: boolean;
  isVague?: boolean;
}

/** Asking again gives the same answer. */
const certainCauses: readonly ImageCause[] = ["credentials", "missing", "platform", "rate-limit"];
const briefCauses: readonly ImageCause[] = ["registry-away", "registry-fault", "disk-full"];

/** @param where the step or the helper whose image it is @param node for messages */
export function imagePullProblem({ image, state }: V1ContainerStatus, where: string, node: string): ImagePullProblem {
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
