import { test } from "vitest";
import { taskImage } from "../../kit/container/task-image.ts";
import { startWalkService } from "../../kit/documents/walk-service.ts";
import { testCluster, testNamespace } from "../../kit/start/test-cluster.ts";
import { clusterEnvironment } from "../../kit/worker/executor-environment.ts";

/** Runs the unchanged commands of the pages that need a cluster; the image that they name is already loaded. */
test("the commands in the page about executors work in a cluster", { timeout: 300_000 }, async () => {
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
