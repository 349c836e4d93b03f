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

export async function isNodeReady(plan: ClusterPlan): Promise<boolean> {
  const api = clusterConfig(plan).makeApiClient(CoreV1Api);
  try {
    const node = await api.readNode({ name: plan.nodeName });
    // Nothing can be made in a namespace before it has this account.
    await api.readNamespacedServiceAccount({ namespace: "default", name: "default" });
    return node.status?.conditions?.some(({ type, status }) => type === "Ready" && status === "True") ?? false;
  } catch {
    return false;
  }
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
