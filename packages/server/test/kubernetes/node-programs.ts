import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ClusterPlan } from "./control-plane.ts";
import { pauseImage } from "./helper-image.ts";

/** Settings of containerd and kubelet. They need no privileges beyond root's usual ones, since a CI machine may lack CAP_SYS_RESOURCE. */
export function writeNodeFiles(plan: ClusterPlan): void {
  const { folder, podRange } = plan;
  mkdirSync(join(folder, "cni"), { recursive: true });
  writeFileSync(join(folder, "cni/10-millrace.conflist"), JSON.stringify(podNetwork(podRange)));
  writeFileSync(join(folder, "containerd.toml"), containerdSettings(plan));
  writeFileSync(join(folder, "kubelet.json"), JSON.stringify(kubeletSettings(plan)));
  writeFileSync(join(folder, "resolv.conf"), "nameserver 127.0.0.1\n");
}

function podNetwork(podRange: string) {
  const ipam = { type: "host-local", ranges: [[{ subnet: podRange }]], routes: [{ dst: "0.0.0.0/0" }] };
  const bridge = { type: "bridge", bridge: "pods0", isGateway: true, ipMasq: false, hairpinMode: true, ipam };
  return { cniVersion: "0.4.0", name: "millrace", plugins: [bridge] };
}

function containerdSettings({ folder, containerd }: ClusterPlan): string {
  return `version = 2
root = "${folder}/containerd"
state = "/run/containerd"
# The shims of containers adjust their priority against being killed, which takes CAP_SYS_RESOURCE.
oom_score = 0
[grpc]
  address = "${containerd}"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "${pauseImage}"
  restrict_oom_score_adj = true
  disable_apparmor = true
  disable_hugetlb_controller = true
  tolerate_missing_hugetlb_controller = true
  stream_server_address = "127.0.0.1"
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "${folder}/cni"
  [plugins."io.containerd.grpc.v1.cri".registry]
    config_path = "${folder}/registries"
`;
}

function kubeletSettings({ folder, groupName }: ClusterPlan) {
  return {
    kind: "KubeletConfiguration",
    apiVersion: "kubelet.config.k8s.io/v1beta1",
    authentication: { anonymous: { enabled: true }, webhook: { enabled: false } },
    authorization: { mode: "AlwaysAllow" },
    cgroupDriver: "cgroupfs",
    cgroupRoot: `/${groupName}`,
    enforceNodeAllocatable: [],
    failSwapOn: false,
    makeIPTablesUtilChains: false,
    oomScoreAdj: 0,
    maxOpenFiles: 10_000,
    resolvConf: join(folder, "resolv.conf"),
    evictionHard: { "memory.available": "50Mi", "nodefs.available": "1%", "imagefs.available": "1%" },
    imageGCHighThresholdPercent: 100,
    nodeStatusUpdateFrequency: "2s",
    nodeStatusReportFrequency: "2s",
    nodeLeaseDurationSeconds: 8,
    syncFrequency: "5s",
    serializeImagePulls: false,
    registryPullQPS: 0,
    eventRecordQPS: 0,
  };
}

export function containerdCommand({ folder }: ClusterPlan): string[] {
  return ["containerd", "--config", join(folder, "containerd.toml")];
}

export function kubeletCommand({ binaries, folder, nodeName, nodeAddress, containerd }: ClusterPlan): string[] {
  return [
    join(binaries, "kubelet"),
    `--config=${folder}/kubelet.json`,
    `--kubeconfig=${folder}/admin.kubeconfig`,
    `--cert-dir=${folder}/certs`,
    "--container-runtime=remote",
    `--container-runtime-endpoint=unix://${containerd}`,
    `--hostname-override=${nodeName}`,
    `--node-ip=${nodeAddress}`,
    "--runtime-cgroups=/",
    "--kubelet-cgroups=/",
  ];
}

/** From now on images `NAME/…` are pulled from that address. The file is read at each pull. */
export function addRegistry({ folder }: ClusterPlan, name: string, url: string): void {
  mkdirSync(join(folder, "registries", name), { recursive: true });
  const text = `server = "${url}"\n[host."${url}"]\n  capabilities = ["pull", "resolve"]\n`;
  writeFileSync(join(folder, "registries", name, "hosts.toml"), text);
}
