import { afterAll, describe, test } from "vitest";
import { catalogueBench } from "./catalogue-bench.ts";
import { catalogueScenarios, uploadCatalogue } from "./catalogue-tasks.ts";
import { type EngineKind, startContainerEngine } from "./container-engine.ts";
import { containerEnvironment } from "./executor-environment.ts";
import { startForgeContainer } from "./forge-server.ts";
import { taskImageOrWhy } from "./task-image.ts";
import { isRequiredTier } from "./test-tier.ts";

/** The sample tasks as they are written, in a whole process with containers of Docker and of Podman. */
const tiers: { kind: EngineKind; tier: "container" | "podman" }[] = [
  { kind: "docker", tier: "container" },
  { kind: "podman", tier: "podman" },
];

describe.each(tiers)("the sample tasks in containers of $kind", async ({ kind, tier }) => {
  const image = await taskImageOrWhy();
  const engine = "why" in image ? image : await startContainerEngine(kind);
  if ("why" in image || "why" in engine) {
    const { why } = engine as { why: string };
    if (isRequiredTier(tier)) throw new Error(why);
    test("run as they are written", ({ skip }) => skip(why));
    return;
  }
  afterAll(() => engine.close());
  await engine.importImage(image.tar, image.name);
  const forge = await startForgeContainer(engine, image.name);
  afterAll(() => forge.stop());
  const bench = await catalogueBench(containerEnvironment(engine), { image: image.name, forge });
  await uploadCatalogue(bench);
  test.each(catalogueScenarios)("$name", { timeout: 180_000 }, ({ check }) => check(bench));
});
