import { CoreV1Api } from "@kubernetes/client-node";
import { until } from "../until.ts";
import { clusterConfig } from "./cluster-access.ts";
import { startApi, startKubelet, stopProgram, untilNodeReady } from "./cluster-programs.ts";
import { runInside } from "./cluster-space.ts";
import type { ClusterPlan } from "./control-plane.ts";

/** What can go wrong with a cluster, by switches. Each has its opposite; a test that uses one puts things right again. */
export interface ClusterFaults {
  /** The API refuses connections; what runs on the node runs on. */
  stopApi(): Promise<void>;
  /** Returns when it answers and the node is ready. About 6 s. */
  startApi(): Promise<void>;
  /** Nothing comes back from the cluster any more, and no connection is refused. */
  cutNetwork(): Promise<void>;
  mendNetwork(): Promise<void>;
  /** The node is lost: not ready after about 12 s, its pods are taken off it 3 s later. Containers that run go on running. */
  stopKubelet(): Promise<void>;
  startKubelet(): Promise<void>;
  /** No pod that does not tolerate it comes to the node; with NoExecute those that are there have to go. */
  taintNode(effect?: "NoSchedule" | "NoExecute"): Promise<void>;
  untaintNode(): Promise<void>;
  /** As a drain does it. */
  evictPod(namespace: string, name: string): Promise<void>;
  /** Limits what a namespace may hold, for example `{ pods: "0" }`; returns when the limit is in force. */
  setQuota(namespace: string, hard: Record<string, string>): Promise<void>;
  removeQuota(namespace: string): Promise<void>;
}

const quotaName = "limit";

export function createFaults(plan: ClusterPlan): ClusterFaults {
  const api = () => clusterConfig(plan).makeApiClient(CoreV1Api);
  const blackHole = (verb: "add" | "delete") => runInside(plan.holder, ["ip", "route", verb, "blackhole", `${plan.hostAddress}/32`]);
  return {
    stopApi: () => stopProgram(plan, "kube-apiserver"),
    async startApi() {
      startApi(plan);
      await untilNodeReady(plan);
    },
    async cutNetwork() {
      await blackHole("add");
    },
    async mendNetwork() {
      await blackHole("delete");
    },
    stopKubelet: () => stopProgram(plan, "kubelet"),
    async startKubelet() {
      const startedAt = new Date();
      startKubelet(plan);
      await untilNodeReady(plan, startedAt);
    },
    taintNode: (effect = "NoSchedule") => setTaints(plan, [{ key: "millrace.dev/test", effect }]),
    untaintNode: () => setTaints(plan, []),
    async evictPod(namespace, name) {
      // The cluster is older than the version of this object that the client knows.
      const body = { apiVersion: "policy/v1beta1", kind: "Eviction", metadata: { name, namespace } };
      await api().createNamespacedPodEviction({ namespace, name, body });
    },
    async setQuota(namespace, hard) {
      const body = { metadata: { name: quotaName }, spec: { hard } };
      await api().createNamespacedResourceQuota({ namespace, body });
      await until(async () => {
        const { status } = await api().readNamespacedResourceQuota({ namespace, name: quotaName });
        return status?.hard !== undefined;
      }, "the quota is in force");
    },
    async removeQuota(namespace) {
      await api().deleteNamespacedResourceQuota({ namespace, name: quotaName });
    },
  };
}

async function setTaints(plan: ClusterPlan, taints: { key: string; effect: string }[]): Promise<void> {
  const api = clusterConfig(plan).makeApiClient(CoreV1Api);
  const node = await api.readNode({ name: plan.nodeName });
  await api.replaceNode({ name: plan.nodeName, body: { ...node, spec: { ...node.spec, taints } } });
}
