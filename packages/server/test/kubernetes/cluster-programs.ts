import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../kit/until.ts";
import { adminKubeconfig, isNodeReady } from "./cluster-access.ts";
import { killInside, startInside } from "./cluster-space.ts";
import { apiCommand, type ClusterPlan, controllerManagerCommand, etcdCommand, schedulerCommand, writePlaneFiles } from "./control-plane.ts";
import { helperImage, pauseImage, writeHelperTar } from "./helper-image.ts";
import { importImage } from "./import-image.ts";
import { makeNodeGroups } from "./node-groups.ts";
import { containerdCommand, kubeletCommand, writeNodeFiles } from "./node-programs.ts";
import { makeVolumes } from "./volumes.ts";

/** Starts all programs of the cluster, in parallel where they can wait for each other, and returns when its node accepts pods. */
export async function startPrograms(plan: ClusterPlan): Promise<void> {
  const { folder } = plan;
  await makeNodeGroups(plan.groupName);
  writePlaneFiles(plan);
  writeNodeFiles(plan);
  startInside(plan, "etcd", etcdCommand(plan));
  startApi(plan);
  startInside(plan, "containerd", containerdCommand(plan));
  writeFileSync(join(folder, "admin.kubeconfig"), adminKubeconfig(plan), { mode: 0o600 });
  await until(() => existsSync(join(folder, "certs/apiserver.crt")), "the API server makes its certificate");
  // These exit if the API keeps them waiting at their start, as it does on a busy machine.
  startInside(plan, "kube-controller-manager", forEver(controllerManagerCommand(plan)));
  startInside(plan, "kube-scheduler", forEver(schedulerCommand(plan)));
  await until(() => existsSync(plan.containerd), "containerd listens");
  startKubelet(plan);
  const tar = await writeHelperTar(folder);
  await importImage(plan.containerd, { tar, name: pauseImage, command: ["/bin/sleep", "infinity"] });
  await importImage(plan.containerd, { tar, name: helperImage });
  await untilNodeReady(plan);
  await makeVolumes(plan);
}

function forEver(command: string[]): string[] {
  return ["sh", "-c", 'while :; do "$@"; sleep 0.5; done', "sh", ...command];
}

export function startApi(plan: ClusterPlan): void {
  startInside(plan, "kube-apiserver", apiCommand(plan));
}

export function startKubelet(plan: ClusterPlan): void {
  startInside(plan, "kubelet", kubeletCommand(plan));
}

export function stopProgram(plan: ClusterPlan, name: "kube-apiserver" | "kubelet"): Promise<void> {
  return killInside(plan, name);
}

/** @param since the node must have reported ready after this moment. This is read from the API, so the API is available, too. */
export async function untilNodeReady(plan: ClusterPlan, since?: Date): Promise<void> {
  await until(() => isNodeReady(plan, since), "the node is ready", 120_000);
}
