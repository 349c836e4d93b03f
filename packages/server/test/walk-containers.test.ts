import { afterAll, expect, test } from "vitest";
import { startContainerEngine } from "./container-engine.ts";
import { containerEnvironment } from "./executor-environment.ts";
import { taskImageOrWhy } from "./task-image.ts";
import { isRequiredTier } from "./test-tier.ts";
import { canWalk, startWalkService } from "./walk-service.ts";

/** The commands of the pages that need a container engine, as they are written; the image that they name is there already. */
const image = await taskImageOrWhy();
const engine = "why" in image ? image : await startContainerEngine("docker");
if ("docker" in engine) afterAll(() => engine.close());

test("what the page about executors runs in a container works as it is written", { timeout: 180_000 }, async ({ skip }) => {
  const why = canWalk ? ("why" in engine ? engine.why : undefined) : "curl and bash are not installed";
  if (why !== undefined && isRequiredTier("container")) expect.fail(why);
  if (why !== undefined || !("docker" in engine) || "why" in image) return skip(why);
  await engine.importImage(image.tar, "docker.io/library/node:22-bookworm");
  const service = await startWalkService(containerEnvironment(engine));
  try {
    await service.walk("docs/executors.md", "container");
  } finally {
    await service.stop();
  }
});
