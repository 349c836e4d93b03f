import { afterAll, beforeAll, test } from "vitest";
import { startForge } from "../../fakes/forge-server.ts";
import { catalogueBench } from "../../kit/catalogue/catalogue-bench.ts";
import { type CatalogueBench, catalogueScenarios, uploadCatalogue } from "../../kit/catalogue/catalogue-tasks.ts";
import { taskImage } from "../../kit/container/task-image.ts";
import { testCluster, testNamespace } from "../../kit/start/test-cluster.ts";
import { clusterEnvironment } from "../../kit/worker/executor-environment.ts";

/** The sample tasks, unchanged, run by a complete process with pods of a real cluster. */
const closers: (() => Promise<unknown>)[] = [];
let bench: CatalogueBench;

beforeAll(async () => {
  const cluster = testCluster();
  const image = await taskImage();
  await cluster.importImage(image.tar, image.name);
  const namespace = await testNamespace(cluster);
  closers.push(() => namespace.remove());
  const forge = await startForge(cluster.hostAddress);
  closers.push(() => forge.stop());
  const opened = await catalogueBench(clusterEnvironment(cluster, namespace.name), { image: image.name, forge });
  closers.push(() => opened.stop());
  await uploadCatalogue(opened);
  bench = opened;
}, 300_000);

afterAll(async () => {
  for (const close of closers.reverse()) await close();
}, 60_000);

test.each(catalogueScenarios)("in a cluster: $name", { timeout: 300_000 }, ({ check }) => check(bench));
