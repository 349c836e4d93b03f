import { test } from "vitest";
import { clusterEnvironment } from "./executor-environment.ts";
import { taskImage } from "./task-image.ts";
import { testCluster, testNamespace } from "./test-cluster.ts";
import { startWalkService } from "./walk-service.ts";

/** The commands of the pages that need a cluster, as they are written; the image that they name is there already. */
test("what the page about executors runs in a cluster works as it is written", { timeout: 300_000 }, async () => {
  const cluster = testCluster();
  await cluster.importImage((await taskImage()).tar, "docker.io/library/node:22-bookworm");
  const namespace = await testNamespace(cluster);
  try {
    const service = await startWalkService(clusterEnvironment(cluster, namespace.name));
    await service.walk("docs/executors.md", "kubernetes").finally(() => service.stop());
  } finally {
    await namespace.remove();
  }
});
