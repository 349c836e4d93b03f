import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { CoreV1Api, StorageV1Api } from "@kubernetes/client-node";
import { clusterConfig } from "./cluster-access.ts";
import type { ClusterPlan } from "./control-plane.ts";

export const storageClass = "millrace-test";
const volumeCount = 100;

/**
 * Volumes that claims of the storage class `millrace-test` bind to: folders of the node, created in advance. They are of the kind `local`
 * because, unlike `hostPath`, its ownership is set to the pod's group (fsGroup), like that of the volumes of real clusters.
 */
export async function makeVolumes(plan: ClusterPlan): Promise<void> {
  const config = clusterConfig(plan);
  const body = { metadata: { name: storageClass }, provisioner: "kubernetes.io/no-provisioner", volumeBindingMode: "Immediate" };
  await config.makeApiClient(StorageV1Api).createStorageClass({ body });
  const api = config.makeApiClient(CoreV1Api);
  const names = Array.from({ length: volumeCount }, (_, index) => `volume-${index}`);
  await Promise.all(names.map((name) => makeVolume(api, plan, name)));
}

async function makeVolume(api: CoreV1Api, { folder, nodeName }: ClusterPlan, name: string): Promise<void> {
  const path = join(folder, "volumes", name);
  mkdirSync(path, { recursive: true });
  const onNode = { matchExpressions: [{ key: "kubernetes.io/hostname", operator: "In", values: [nodeName] }] };
  const spec = {
    storageClassName: storageClass,
    capacity: { storage: "100Gi" },
    accessModes: ["ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany"],
    persistentVolumeReclaimPolicy: "Retain",
    local: { path },
    nodeAffinity: { required: { nodeSelectorTerms: [onNode] } },
  };
  await api.createPersistentVolume({ body: { metadata: { name }, spec } });
}
