import { randomBytes } from "node:crypto";
import { CoreV1Api, KubeConfig } from "@kubernetes/client-node";
import { inject } from "vitest";
import { until } from "../until.ts";
import { joinCluster, type TestCluster } from "../worker/kubernetes-cluster.ts";

/** The cluster that all files of a test run share. Only for files named `*.cluster.test.ts`. */
export function testCluster(): TestCluster & { config: KubeConfig } {
  const cluster = joinCluster(inject("kubernetes"));
  const config = new KubeConfig();
  config.loadFromFile(cluster.kubeconfig);
  return { ...cluster, config };
}

/** A namespace for the file, with everything that a pod needs. `remove` does not wait for the end of the removal. */
export async function testNamespace({ config }: { config: KubeConfig }): Promise<{ name: string; remove(): Promise<void> }> {
  const api = config.makeApiClient(CoreV1Api);
  const name = `test-${randomBytes(4).toString("hex")}`;
  await api.createNamespace({ body: { metadata: { name } } });
  const hasAccount = () =>
    api.readNamespacedServiceAccount({ namespace: name, name: "default" }).then(
      ({ secrets }) => (secrets ?? []).length > 0,
      () => false,
    );
  await until(hasAccount, `the default account of ${name}`);
  return { name, remove: async () => void (await api.deleteNamespace({ name })) };
}
