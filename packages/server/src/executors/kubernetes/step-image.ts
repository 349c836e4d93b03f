import type { V1Container } from "@kubernetes/client-node";
import type { JobStep } from "../../core/task/tekton/job-steps.ts";
import { imageText } from "../images/image-reference.ts";
import { ImageRefusal, type ImageRules, isLocalImage, readImage, requireRegistry } from "../images/image-rules.ts";

/**
 * The image of a step as a node gets it: by its whole name, since runtimes complete short ones in different ways. Nodes keep images
 * that one pod's credentials pulled, and hand them to every other pod; so a node asks the registry for every pod, as the admission
 * controller `AlwaysPullImages` has it. Layers that are there are not transferred again. The operator's local images need no registry.
 *
 * @throws ImageRefusal
 */
export function stepImage(rules: ImageRules, { name, image, pullPolicy }: JobStep): Pick<V1Container, "image" | "imagePullPolicy"> {
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
