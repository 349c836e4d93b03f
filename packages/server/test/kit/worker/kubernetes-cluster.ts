import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
// biome-ignore lint/correctness/useImportExtensions: the declaration beside it is not what runs
import { findKubernetes } from "../../../../../scripts/kubernetes/binaries.mjs";
import { kubeconfigFor } from "../../kubernetes/cluster-access.ts";
import { startPrograms } from "../../kubernetes/cluster-programs.ts";
import { openSpace } from "../../kubernetes/cluster-space.ts";
import type { ClusterPlan } from "../../kubernetes/control-plane.ts";
import { type ClusterFaults, createFaults } from "../../kubernetes/faults.ts";
import { type ImageConfig, importImage } from "../../kubernetes/import-image.ts";
import { lastLogs } from "../../kubernetes/last-logs.ts";
import { leftoverPrefix, removeLeftovers } from "../../kubernetes/leftovers.ts";
import { removeNodeGroups } from "../../kubernetes/node-groups.ts";
import { addRegistry } from "../../kubernetes/node-programs.ts";
import { keepSecondNode } from "../../kubernetes/second-node.ts";

/**
 * A real cluster of one node. It holds the images `localhost/millrace-helper:1` and `localhost/millrace-pause:1` and the storage
 * class `millrace-test`.
 */
export interface TestCluster extends ClusterFaults {
  /** Path of a kubeconfig with all permissions. */
  kubeconfig: string;
  nodeName: string;
  /** Address at which pods reach programs of this machine. */
  hostAddress: string;
  /** Puts a tar of a file system into the node's store. */
  importImage(tar: string, name: string, config?: ImageConfig): Promise<void>;
  /** Path of a tar of the helper image's file system: a static busybox and its names. */
  helperTar: string;
  /** From now on images `NAME/…` are pulled from that address, by plain HTTP: `http://ADDRESS:PORT`. */
  addRegistry(name: string, url: string): void;
  /** Path of a kubeconfig with a token of that service account, valid for an hour. */
  kubeconfigFor(account: { namespace: string; name: string }): Promise<string>;
}

export interface StartedCluster extends TestCluster {
  /** What another process needs for `joinCluster`. */
  plan: ClusterPlan;
  close(): Promise<void>;
}

/** Takes about 20 s. `why`: the reason why it can't run on this machine. */
export async function startCluster(): Promise<StartedCluster | { why: string }> {
  const found = findKubernetes();
  if ("why" in found) return found;
  await removeLeftovers();
  const folder = mkdtempSync(join(tmpdir(), `${leftoverPrefix}${process.pid}-`));
  try {
    return await startIn(folder, found.folder);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    return { why: `the cluster did not start: ${String(error)}` };
  }
}

async function startIn(folder: string, binaries: string): Promise<StartedCluster> {
  const space = await openSpace(folder);
  const { close: closeSpace, ...place } = space;
  const adminToken = randomBytes(16).toString("hex");
  const containerd = join(folder, "containerd.sock");
  const plan: ClusterPlan = { ...place, binaries, adminToken, nodeName: "node-1", groupName: basename(folder), containerd };
  let secondNode: { stop(): void } | undefined;
  const close = async () => {
    secondNode?.stop();
    await closeSpace();
    await removeNodeGroups(plan.groupName);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await startPrograms(plan);
    secondNode = await keepSecondNode(plan);
  } catch (error) {
    const logs = lastLogs(folder);
    await close();
    throw new Error(`${String(error)}\n${logs}`);
  }
  return { ...joinCluster(plan), plan, close };
}

/** The same cluster, from another process of the test run. */
export function joinCluster(plan: ClusterPlan): TestCluster {
  return {
    kubeconfig: join(plan.folder, "admin.kubeconfig"),
    nodeName: plan.nodeName,
    hostAddress: plan.hostAddress,
    importImage: (tar, name, config) => importImage(plan.containerd, { tar, name, ...(config && { config }) }),
    helperTar: join(plan.folder, "helper.tar"),
    addRegistry: (name, url) => addRegistry(plan, name, url),
    kubeconfigFor: (account) => kubeconfigFor(plan, account),
    ...createFaults(plan),
  };
}
