import { openContainerBench, openRootlessBench } from "../../../test/container-bench.ts";
import { openContainerTier } from "../../../test/container-tier.ts";
import { exerciseExecutor } from "../exercise-executor.ts";

/** The conformance suite with Docker, and what depends on the engine with Podman: each an engine of the test's own. */
for (const kind of ["docker", "podman"] as const) {
  const tier = await openContainerTier(kind);
  tier.describe(`with an engine of its own`, () => {
    exerciseExecutor({ name: `container, with ${kind}`, create: () => openContainerBench(tier.engine), isBrief: kind === "podman" });
  });
}

const rootless = await openContainerTier("podman", { isRootless: true });
rootless.describe("with an engine of a normal user", () => {
  exerciseExecutor({ name: "container, with podman without root", create: () => openRootlessBench(rootless.engine), isBrief: true });
});
