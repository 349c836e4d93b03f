import type { AttemptRun } from "./attempt-run.ts";
import type { FoundImage } from "./images.ts";
import type { PreparedStep } from "./prepare-steps.ts";

/**
 * Finds the images of all steps before the first begins, each once, and notes which ones they turned out to be.
 * @returns by their names in the task
 * @throws ImageProblem, EngineAway
 */
export async function findImages(run: AttemptRun, steps: readonly PreparedStep[]): Promise<Map<string, FoundImage>> {
  const found = new Map<string, FoundImage>();
  const first = steps.filter(({ image }, index) => steps.findIndex((other) => other.image === image) === index);
  await Promise.all(first.map(async (prepared) => found.set(prepared.image, await findImage(run, prepared))));
  run.place.images = steps.map(({ name, image }) => {
    const digest = found.get(image)?.digest;
    return { step: name, image, ...(digest !== undefined && { digest }) };
  });
  return found;
}

async function findImage(run: AttemptRun, { name, image, step }: PreparedStep): Promise<FoundImage> {
  let beganAt: number | undefined;
  let isPulled = false;
  const begin = (): void => {
    beganAt ??= performance.now();
    run.waits.imagePullMs = 0;
  };
  const found = await run.runtime.images.find({
    image,
    policy: step.pullPolicy,
    teamId: run.job.teamId,
    signal: run.stopped,
    onCheck: begin,
    onPull() {
      begin();
      isPulled = true;
      run.output.say(name, `pulls the image ${image}`);
    },
  });
  if (beganAt !== undefined && isPulled)
    run.output.say(name, `has the image ${found.digest}, after ${Math.round(performance.now() - beganAt) / 1000} s`);
  return found;
}
