import { expect, test } from "vitest";
import { startContainerEngine } from "../../kit/container/container-engine.ts";
import { taskImageOrWhy } from "../../kit/container/task-image.ts";
import { canWalk, startWalkService } from "../../kit/documents/walk-service.ts";
import { isRequiredTier } from "../../kit/suite/test-tier.ts";
import { containerEnvironment } from "../../kit/worker/executor-environment.ts";

/** Runs the unchanged commands of the pages that need a container engine; the image that they name is already loaded. */
test("the commands in the page about executors work in a container", { timeout: 180_000 }, async ({ skip }) => {
  const image = canWalk ? await taskImageOrWhy() : { why: "curl and bash are not installed" };
  const engine = "why" in image ? image : await startContainerEngine("docker");
  if ("why" in image || "why" in engine) {
    const { why } = engine as { why: string };
    if (isRequiredTier("container")) expect.fail(why);
    return skip(why);
  }
  try {
    await engine.importImage(image.tar, "docker.io/library/node:22-bookworm");
    const service = await startWalkService(containerEnvironment(engine));
    await service.walk("docs/executors.md", "container").finally(() => service.stop());
  } finally {
    await engine.close();
  }
});
