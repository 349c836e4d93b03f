import { describe, test } from "vitest";
import { openContainerBench } from "../../../test/container-bench.ts";
import { type ContainerEngine, type EngineKind, startContainerEngine } from "../../../test/container-engine.ts";
import { taskImageOrWhy } from "../../../test/task-image.ts";
import { isRequiredTier, isTierLeftOut } from "../../../test/test-tier.ts";
import { exerciseExecutor } from "../exercise-executor.ts";

/** The conformance suite with Docker, and what depends on the engine with Podman: each an engine of the test's own. */
const tiers = { docker: "container", podman: "podman" } as const;

for (const kind of ["docker", "podman"] as const) {
  const name = `container, with ${kind}`;
  const why = await findObstacle(kind);
  if (why === undefined) exerciseExecutor({ name, create: () => openBench(kind), isBrief: kind === "podman" });
  else if (isRequiredTier(tiers[kind])) test(`executor ${name}`, () => Promise.reject(new Error(why)));
  else describe.skip(`executor ${name}`, () => test(why, () => undefined));
}

async function findObstacle(kind: EngineKind): Promise<string | undefined> {
  if (isTierLeftOut(tiers[kind])) return "MILLRACE_TEST_WITHOUT leaves it out";
  const image = await taskImageOrWhy();
  if ("why" in image) return image.why;
  const engine = await startContainerEngine(kind);
  if ("why" in engine) return engine.why;
  await engine.close();
  return undefined;
}

async function openBench(kind: EngineKind) {
  const engine = (await startContainerEngine(kind)) as ContainerEngine;
  const bench = await openContainerBench(engine);
  return {
    ...bench,
    async close() {
      await bench.close();
      await engine.close();
    },
  };
}
