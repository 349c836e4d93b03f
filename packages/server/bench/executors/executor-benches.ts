import { startContainerEngine } from "../../test/kit/container/container-engine.ts";
import { taskImageOrWhy } from "../../test/kit/container/task-image.ts";
import { clusterEnvironment, containerEnvironment } from "../../test/kit/worker/executor-environment.ts";
import { startCluster } from "../../test/kit/worker/kubernetes-cluster.ts";
import { bareContainer, bareJob, containerByCommand, printByCommand } from "./executor-floors.ts";

/** An executor with its own engine or cluster, and the same work done by that engine without the service. */
export interface ExecutorBench {
  name: string;
  /** For the service that is measured. */
  environment: Record<string, string>;
  /** Image of the steps; none for processes. */
  image?: string;
  floor: { name: string; once(): Promise<void> };
  /** The engine's own command: a second floor for an empty task, and the one for output. */
  byCommand?: { name: string; once(): Promise<void>; print(script: string): Promise<void> };
  close(): Promise<void>;
}

type Opened = ExecutorBench | { name: string; why: string };

export async function openContainerBench(kind: "docker" | "podman"): Promise<Opened> {
  const image = await taskImageOrWhy();
  if ("why" in image) return { name: kind, why: image.why };
  const engine = await startContainerEngine(kind);
  if ("why" in engine) return { name: kind, why: engine.why };
  await engine.importImage(image.tar, image.name);
  const { docker, socketPath } = engine;
  return {
    name: kind,
    environment: containerEnvironment(engine),
    image: image.name,
    floor: { name: `bare container (${kind})`, once: () => bareContainer(docker, image.name) },
    byCommand: {
      name: `${kind} run --rm`,
      once: () => containerByCommand(kind, socketPath, image.name),
      print: (script) => printByCommand(kind, socketPath, image.name, script),
    },
    close: () => engine.close(),
  };
}

export async function openClusterBench(): Promise<Opened> {
  const name = "kubernetes";
  const image = await taskImageOrWhy();
  if ("why" in image) return { name, why: image.why };
  const cluster = await startCluster();
  if ("why" in cluster) return { name, why: cluster.why };
  const { BatchV1Api, CoreV1Api, KubeConfig } = await import("@kubernetes/client-node");
  await cluster.importImage(image.tar, image.name);
  const config = new KubeConfig();
  config.loadFromFile(cluster.kubeconfig);
  const namespace = "bench";
  await config.makeApiClient(CoreV1Api).createNamespace({ body: { metadata: { name: namespace } } });
  const batch = config.makeApiClient(BatchV1Api);
  return {
    name,
    environment: clusterEnvironment(cluster, namespace),
    image: image.name,
    floor: { name: "bare Job", once: () => bareJob(batch, namespace, image.name) },
    close: () => cluster.close(),
  };
}
