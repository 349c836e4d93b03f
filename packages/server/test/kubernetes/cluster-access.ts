import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { CoreV1Api, KubeConfig } from "@kubernetes/client-node";
import { apiPort, type ClusterPlan } from "./control-plane.ts";

type Address = Pick<ClusterPlan, "folder" | "nodeAddress">;

export function adminKubeconfig(plan: ClusterPlan): string {
  return kubeconfig(plan, { user: "admin", token: plan.adminToken });
}

function kubeconfig({ folder, nodeAddress }: Address, { user, token, namespace }: { user: string; token: string; namespace?: string }) {
  const cluster = { server: `https://${nodeAddress}:${apiPort}`, "certificate-authority": join(folder, "certs/apiserver.crt") };
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "test", cluster }],
    users: [{ name: user, user: { token } }],
    contexts: [{ name: "test", context: { cluster: "test", user, namespace } }],
    "current-context": "test",
  });
}

export function clusterConfig({ folder }: Address): KubeConfig {
  const config = new KubeConfig();
  config.loadFromFile(join(folder, "admin.kubeconfig"));
  return config;
}

export async function isNodeReady(plan: ClusterPlan, since = new Date(0)): Promise<boolean> {
  const api = clusterConfig(plan).makeApiClient(CoreV1Api);
  try {
    const { spec, status } = await api.readNode({ name: plan.nodeName });
    // Nothing can be created in a namespace before it has this account.
    await api.readNamespacedServiceAccount({ namespace: "default", name: "default" });
    const ready = status?.conditions?.find(({ type }) => type === "Ready");
    // Taints of a node that was lost stay for a while, and would evict new pods from it.
    const isGivenUp = spec?.taints?.some(({ key }) => key.startsWith("node.kubernetes.io/")) ?? false;
    return ready?.status === "True" && !isGivenUp && secondsOf(ready.lastHeartbeatTime) >= secondsOf(since);
  } catch {
    return false;
  }
}

/** Times of a node have no fractions. */
function secondsOf(time: Date | undefined): number {
  return Math.floor(new Date(time ?? 0).getTime() / 1000);
}

/** Writes a kubeconfig with a fresh token of that service account, valid for an hour, and returns its path. */
export async function kubeconfigFor(plan: ClusterPlan, { namespace, name }: { namespace: string; name: string }): Promise<string> {
  const api = clusterConfig(plan).makeApiClient(CoreV1Api);
  const body = { spec: { audiences: [], expirationSeconds: 3600 } };
  const { status } = await api.createNamespacedServiceAccountToken({ namespace, name, body });
  const file = join(plan.folder, `${namespace}-${name}.kubeconfig`);
  writeFileSync(file, kubeconfig(plan, { user: name, token: status!.token, namespace }), { mode: 0o600 });
  return file;
}
