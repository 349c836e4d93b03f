import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { BatchV1Api, CoreV1Api, type KubernetesObject, KubernetesObjectApi } from "@kubernetes/client-node";
import { parseAllDocuments } from "yaml";
import { repositoryRoot } from "../../src/base/file/repository-root.ts";
import type { Job } from "../../src/engine/executor.ts";
import { createKubernetesExecutor, type KubernetesExecutor } from "../../src/executors/kubernetes/kubernetes-executor.ts";
import type { KubernetesExecutorSettings } from "../../src/executors/kubernetes/settings.ts";
import { taskImage } from "../kit/container/task-image.ts";
import { testCluster, testNamespace } from "../kit/start/test-cluster.ts";
import { until } from "../kit/until.ts";
import { testImageRules, testOutbound } from "../kit/worker/executor-environment.ts";

export type Cluster = ReturnType<typeof testCluster>;

type SettingsWithoutLog = Omit<KubernetesExecutorSettings, "log" | "outbound">;

/** A namespace as the manifest creates it, and executors in it with exactly the permissions of the manifest. */
export interface ExecutorSpace {
  cluster: Cluster;
  namespace: string;
  core: CoreV1Api;
  batch: BatchV1Api;
  /** The settings of an executor in a process of its own. */
  settings(more?: Partial<KubernetesExecutorSettings>): SettingsWithoutLog;
  open(more?: Partial<KubernetesExecutorSettings>): Promise<KubernetesExecutor>;
  /** What still exists after the time in which it should be removed. */
  leftovers(): Promise<string[]>;
  remove(): Promise<void>;
}

const silent = { info: () => undefined, warn: () => undefined };
const manifestNamespace = "millrace-tasks";
export const helperImage = "localhost/millrace-helper:1";

export async function executorSpace(): Promise<ExecutorSpace> {
  const cluster = testCluster();
  const { tar, name: image } = await taskImage();
  await cluster.importImage(tar, image);
  const { name: namespace, remove } = await testNamespace(cluster);
  await applyManifest(cluster, namespace);
  const configPath = await cluster.kubeconfigFor({ namespace, name: "millrace" });
  const core = cluster.config.makeApiClient(CoreV1Api);
  const batch = cluster.config.makeApiClient(BatchV1Api);
  let count = 0;
  const settings = (more: Partial<KubernetesExecutorSettings> = {}): SettingsWithoutLog => ({
    instance: "test",
    owner: `worker-${process.pid}-${count++}`,
    configPath,
    namespace,
    helperImage,
    imageRules: testImageRules,
    storageClass: "millrace-test",
    accessMode: "ReadWriteOnce",
    pendingMs: 600_000,
    graceMs: 300,
    // Other files of tests start pods at the same time.
    sidecarReadyMs: 6_000,
    scratchBytes: 30_000_000,
    ...more,
  });
  return {
    cluster,
    namespace,
    core,
    batch,
    settings,
    open: (more = {}) => createKubernetesExecutor({ ...settings(), outbound: testOutbound, log: silent, ...more }),
    leftovers: () => leftIn({ core, batch, namespace }),
    remove,
  };
}

async function applyManifest({ config }: Cluster, namespace: string): Promise<void> {
  const text = await readFile(join(repositoryRoot, "deploy/kubernetes/executor-rbac.yaml"), "utf8");
  const objects = KubernetesObjectApi.makeApiClient(config);
  for (const document of parseAllDocuments(text.replaceAll(manifestNamespace, namespace))) {
    const body = document.toJS() as KubernetesObject;
    if (body.kind !== "Namespace") await objects.create(body);
  }
}

async function leftIn({ core, batch, namespace }: Pick<ExecutorSpace, "core" | "batch" | "namespace">): Promise<string[]> {
  const labelSelector = "app.kubernetes.io/managed-by=millrace";
  const list = async (): Promise<string[]> => {
    const lists = await Promise.all([
      batch.listNamespacedJob({ namespace, labelSelector }),
      core.listNamespacedPod({ namespace, labelSelector }),
      core.listNamespacedSecret({ namespace, labelSelector }),
    ]);
    return lists.flatMap(({ kind, items }) => items.map(({ metadata }) => `${kind} ${metadata?.name}`));
  };
  await until(async () => (await list()).length === 0, "nothing is left", 110_000).catch(() => undefined);
  return list();
}

/** Gives steps the test image, and its Node as the conformance suite expects it. */
export function inTestImage(job: Job, image = "localhost/millrace-test:1"): Job {
  const env = { name: "NODE", value: "/usr/local/bin/node" };
  const adapt = <S extends Pick<Job["steps"][number], "image" | "env">>(step: S): S => ({
    image,
    ...step,
    pullPolicy: "Never" as const,
    env: [env, ...(step.env ?? [])],
  });
  const steps = job.steps.map(adapt);
  // Fifty pods need a while on a small machine, and the time until the deadline counts from the start.
  const sidecars = job.sidecars?.map(adapt);
  return {
    ...job,
    steps,
    ...(sidecars && { sidecars }),
    timeoutMs: job.timeoutMs >= 30_000 ? Math.max(job.timeoutMs, 240_000) : job.timeoutMs,
  };
}
