import { generateKeyPairSync } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ClusterSpace } from "./cluster-space.ts";

/** All parameters of the cluster's programs, so that the programs agree. */
export interface ClusterPlan extends ClusterSpace {
  /** Folder of kube-apiserver and the others. */
  binaries: string;
  adminToken: string;
  nodeName: string;
  /** Name of the node's control groups. */
  groupName: string;
  /** Socket of the container engine. */
  containerd: string;
}

export const apiPort = 443;

/** After how many seconds the cluster considers a node lost; a real one takes minutes. */
const nodeGraceSeconds = 12;
const evictionDelaySeconds = 3;

export function writePlaneFiles({ folder, adminToken }: ClusterPlan): void {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  writeFileSync(join(folder, "sa.key"), privateKey.export({ type: "pkcs1", format: "pem" }), { mode: 0o600 });
  writeFileSync(join(folder, "sa.pub"), publicKey.export({ type: "spki", format: "pem" }));
  writeFileSync(join(folder, "tokens.csv"), `${adminToken},admin,admin,"system:masters"\n`, { mode: 0o600 });
}

export function etcdCommand({ folder }: ClusterPlan): string[] {
  const client = "http://127.0.0.1:2379";
  const peer = "http://127.0.0.1:2380";
  return [
    "etcd",
    `--data-dir=${folder}/etcd`,
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=default=${peer}`,
    "--unsafe-no-fsync",
  ];
}

export function apiCommand({ binaries, folder, nodeAddress }: ClusterPlan): string[] {
  return [
    join(binaries, "kube-apiserver"),
    "--etcd-servers=http://127.0.0.1:2379",
    `--cert-dir=${folder}/certs`,
    "--bind-address=0.0.0.0",
    `--advertise-address=${nodeAddress}`,
    `--secure-port=${apiPort}`,
    "--insecure-port=0",
    `--token-auth-file=${folder}/tokens.csv`,
    "--authorization-mode=Node,RBAC",
    "--service-cluster-ip-range=10.96.0.0/24",
    "--service-account-issuer=https://kubernetes.default.svc",
    `--service-account-key-file=${folder}/sa.pub`,
    `--service-account-signing-key-file=${folder}/sa.key`,
    "--feature-gates=TTLAfterFinished=true",
    "--allow-privileged=true",
    "--endpoint-reconciler-type=none",
    "--kubelet-preferred-address-types=InternalIP",
    `--default-not-ready-toleration-seconds=${evictionDelaySeconds}`,
    `--default-unreachable-toleration-seconds=${evictionDelaySeconds}`,
  ];
}

const ownAccess = ({ folder }: ClusterPlan) => [
  `--kubeconfig=${folder}/admin.kubeconfig`,
  `--authentication-kubeconfig=${folder}/admin.kubeconfig`,
  `--authorization-kubeconfig=${folder}/admin.kubeconfig`,
  "--bind-address=127.0.0.1",
  `--cert-dir=${folder}/certs`,
  "--leader-elect=false",
  "--port=0",
];

export function controllerManagerCommand(plan: ClusterPlan): string[] {
  return [
    join(plan.binaries, "kube-controller-manager"),
    ...ownAccess(plan),
    `--service-account-private-key-file=${plan.folder}/sa.key`,
    `--root-ca-file=${plan.folder}/certs/apiserver.crt`,
    "--feature-gates=TTLAfterFinished=true",
    "--node-monitor-period=1s",
    `--node-monitor-grace-period=${nodeGraceSeconds}s`,
    "--node-startup-grace-period=60s",
    // There is only one of them: it need not wait for the lease of a killed one to expire.
    "--leader-elect=false",
  ];
}

export function schedulerCommand(plan: ClusterPlan): string[] {
  return [join(plan.binaries, "kube-scheduler"), ...ownAccess(plan), "--leader-elect=false"];
}
