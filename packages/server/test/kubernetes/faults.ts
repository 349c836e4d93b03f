import { CoreV1Api, PatchStrategy, setHeaderOptions } from "@kubernetes/client-node";
import { until } from "../kit/until.ts";
import { clusterConfig } from "./cluster-access.ts";
import { startApi, startKubelet, stopProgram, untilNodeReady } from "./cluster-programs.ts";
import { runInside } from "./cluster-space.ts";
import type { ClusterPlan } from "./control-plane.ts";

/**
 * What can go wrong with a cluster. It is put right again whatever comes of the act, or the tests after a failed one would fail for
 * nothing.
 */
export interface ClusterFaults {
  /** The API refuses connections; what runs on the node runs on. About 6 s for coming back. */
  withoutApi<T>(act: () => Promise<T>): Promise<T>;
  /** Nothing comes back from the cluster any more, and no connection is refused. */
  withoutNetwork<T>(act: () => Promise<T>): Promise<T>;
  /** The node is lost: not ready after about 12 s, its pods are taken off it 3 s later. Containers that run go on running. */
  withoutKubelet<T>(act: () => Promise<T>): Promise<T>;
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
  // Not the whole node: its agent and the cluster write to it at the same time, and one of the two would be refused.
  const mergePatch = setHeaderOptions("Content-Type", PatchStrategy.MergePatch);
  await api.patchNode({ name: plan.nodeName, body: { spec: { taints } } }, mergePatch);
}
