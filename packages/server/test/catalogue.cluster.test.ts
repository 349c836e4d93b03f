import { afterAll, test } from "vitest";
import { catalogueBench } from "./catalogue-bench.ts";
import { catalogueScenarios, uploadCatalogue } from "./catalogue-tasks.ts";
import { clusterEnvironment } from "./executor-environment.ts";
import { startForge } from "./forge-server.ts";
import { taskImage } from "./task-image.ts";
import { testCluster, testNamespace } from "./test-cluster.ts";

/** The sample tasks as they are written, in a whole process with pods of a real cluster. */
const cluster = testCluster();
const image = await taskImage();
await cluster.importImage(image.tar, image.name);
const namespace = await testNamespace(cluster);
afterAll(() => namespace.remove());
const forge = await startForge(cluster.hostAddress);
afterAll(() => forge.stop());
const bench = await catalogueBench(clusterEnvironment(cluster, namespace.name), { image: image.name, forge });
await uploadCatalogue(bench);

test.each(catalogueScenarios)("in a cluster: $name", { timeout: 300_000 }, ({ check }) => check(bench));
