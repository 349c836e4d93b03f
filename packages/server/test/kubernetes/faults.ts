import { CoreV1Api, PatchStrategy, setHeaderOptions } from "@kubernetes/client-node";
import { until } from "../kit/until.ts";
import { clusterConfig } from "./cluster-access.ts";
import { startApi, startKubelet, stopProgram, untilNodeReady } from "./cluster-programs.ts";
import { runInside } from "./cluster-space.ts";
import type { ClusterPlan } from "./control-plane.ts";

/** Faults of a cluster. Each is undone whatever the test does meanwhile, because otherwise the tests after a failed one would fail, too. */
export interface ClusterFaults {
  /** The API refuses connections; whatever runs on the node keeps running. Recovery takes about 6 s. */
  withoutApi<T>(act: () => Promise<T>): Promise<T>;
  /** The cluster no longer responds, but no connection is refused. */
  withoutNetwork<T>(act: () => Promise<T>): Promise<T>;
  /** The node is lost: not ready after about 12 s, and its pods are evicted 3 s later. Running containers keep running. */
  withoutKubelet<T>(act: () => Promise<T>): Promise<T>;
  /** Pods that do not tolerate the taint are not scheduled on the node; with NoExecute those that already run there are evicted. */
  taintNode(effect?: "NoSchedule" | "NoExecute"): Promise<void>;
  untaintNode(): Promise<void>;
  /** Evicts a pod as a drain does. */
  evictPod(namespace: string, name: string): Promise<void>;
  /** Limits what a namespace may contain, for example `{ pods: "0" }`; returns when the limit is in force. */
  setQuota(namespace: string, hard: Record<string, string>): Promise<void>;
  removeQuota(namespace: string): Promise<void>;
}

const quotaName = "limit";

export function createFaults(plan: ClusterPlan): ClusterFaults {
  const api = () => clusterConfig(plan).makeApiClient(CoreV1Api);
  const blackHole = (verb: "add" | "delete") => runInside(plan.holder, ["ip", "route", verb, "blackhole", `${plan.hostAddress}/32`]);
  return {
    withoutApi: (act) =>
      between(
        () => stopProgram(plan, "kube-apiserver"),
        act,
        () => restartApi(plan),
      ),
    withoutNetwork: (act) =>
      between(
        () => blackHole("add"),
        act,
        () => blackHole("delete"),
      ),
    withoutKubelet: (act) =>
      between(
        () => stopProgram(plan, "kubelet"),
        act,
        () => restartKubelet(plan),
      ),
    taintNode: (effect = "NoSchedule") => setTaints(plan, [{ key: "millrace.dev/test", effect }]),
    untaintNode: () => setTaints(plan, []),
    async evictPod(namespace, name) {
      // The cluster is older than the client's version of this object.
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

async function between<T>(breakIt: () => Promise<unknown>, act: () => Promise<T>, repairIt: () => Promise<unknown>): Promise<T> {
  await breakIt();
  try {
    return await act();
  } finally {
    await repairIt();
  }
}

async function restartApi(plan: ClusterPlan): Promise<void> {
  startApi(plan);
  await untilNodeReady(plan);
}

async function restartKubelet(plan: ClusterPlan): Promise<void> {
  const startedAt = new Date();
  startKubelet(plan);
  await untilNodeReady(plan, startedAt);
}

async function setTaints(plan: ClusterPlan, taints: { key: string; effect: string }[]): Promise<void> {
  const api = clusterConfig(plan).makeApiClient(CoreV1Api);
  // Not the whole node: its agent and the cluster write to it at the same time, and one of the two writes would be rejected.
  const mergePatch = setHeaderOptions("Content-Type", PatchStrategy.MergePatch);
  await api.patchNode({ name: plan.nodeName, body: { spec: { taints } } }, mergePatch);
}
