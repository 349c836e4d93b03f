import { afterAll, beforeAll, describe, test } from "vitest";
import { startForgeContainer } from "../../fakes/forge-server.ts";
import { catalogueBench } from "../../kit/catalogue/catalogue-bench.ts";
import { type CatalogueBench, catalogueScenarios, uploadCatalogue } from "../../kit/catalogue/catalogue-tasks.ts";
import { startContainerEngine } from "../../kit/container/container-engine.ts";
import { taskImageOrWhy } from "../../kit/container/task-image.ts";
import type { EngineKind } from "../../kit/run/engine-options.ts";
import { isRequiredTier } from "../../kit/suite/test-tier.ts";
import { containerEnvironment } from "../../kit/worker/executor-environment.ts";

/** The sample tasks, unchanged, run by a complete process with containers of Docker and of Podman. */
const tiers: { kind: EngineKind; tier: "container" | "podman" }[] = [
  { kind: "docker", tier: "container" },
  { kind: "podman", tier: "podman" },
];

describe.each(tiers)("the sample tasks in containers of $kind", ({ kind, tier }) => {
  const closers: (() => Promise<unknown>)[] = [];
  let bench: CatalogueBench | { why: string };

  async function open(): Promise<CatalogueBench | { why: string }> {
    const image = await taskImageOrWhy();
    if ("why" in image) return image;
    const engine = await startContainerEngine(kind);
    if ("why" in engine) return engine;
    closers.push(() => engine.close());
    await engine.importImage(image.tar, image.name);
    const forge = await startForgeContainer(engine, image.name);
    closers.push(() => forge.stop());
    const opened = await catalogueBench(containerEnvironment(engine), { image: image.name, forge });
    closers.push(() => opened.stop());
    await uploadCatalogue(opened);
    return opened;
  }

  beforeAll(async () => {
    bench = await open();
    if ("why" in bench && isRequiredTier(tier)) throw new Error(bench.why);
  }, 120_000);
  afterAll(async () => {
    for (const close of closers.reverse()) await close();
  }, 60_000);

  test.for(catalogueScenarios)("$name", { timeout: 180_000 }, async ({ check }, { skip }) => {
    if ("why" in bench) return skip(bench.why);
    await check(bench);
  });
});
