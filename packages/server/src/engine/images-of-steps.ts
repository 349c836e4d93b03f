import type { JobStep } from "../core/task/tekton/job-steps.ts";
import type { ExecutorKind } from "../core/task/tekton/runnable.ts";

/**
 * The steps with the images that they use on that executor. As a process, a step ignores its image; in a container, a step without one uses
 * the default image of the instance.
 */
export function imagesOfSteps(steps: readonly JobStep[], kind: ExecutorKind, defaultImage: string | null): JobStep[] {
  return steps.map(({ image: named, ...step }) => {
    const image = kind === "process" ? undefined : named?.trim() || defaultImage;
    return image ? { ...step, image } : step;
  });
}
