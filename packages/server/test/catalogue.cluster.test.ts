import { afterAll, beforeAll, test } from "vitest";
import { catalogueBench } from "./catalogue-bench.ts";
import { type CatalogueBench, catalogueScenarios, uploadCatalogue } from "./catalogue-tasks.ts";
import { clusterEnvironment } from "./executor-environment.ts";
import { startForge } from "./forge-server.ts";
import { taskImage } from "./task-image.ts";
import { testCluster, testNamespace } from "./test-cluster.ts";

/** The sample tasks as they are written, in a whole process with pods of a real cluster. */
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
}, 120_000);

afterAll(async () => {
  for (const close of closers.reverse()) await close();
}, 60_000);

test.each(catalogueScenarios)("in a cluster: $name", { timeout: 300_000 }, ({ check }) => check(bench));
