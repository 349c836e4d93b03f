import { CoordinationV1Api, CoreV1Api, V1MicroTime } from "@kubernetes/client-node";
import { clusterConfig } from "./cluster-access.ts";
import type { ClusterPlan } from "./control-plane.ts";

const name = "node-2";
const heartbeatMs = 2000;

/**
 * A node that is only a record with a heartbeat, and accepts no pods. A cluster that has lost all of its nodes assumes that its network is
 * down, and leaves their pods where they are: it needs another node to treat the loss of one as a loss.
 */
export async function keepSecondNode(plan: ClusterPlan): Promise<{ stop(): void }> {
  const config = clusterConfig(plan);
  const core = config.makeApiClient(CoreV1Api);
  const leases = config.makeApiClient(CoordinationV1Api);
  const spec = { unschedulable: true, taints: [{ key: "millrace.dev/no-machine", effect: "NoSchedule" }] };
  await core.createNode({ body: { metadata: { name, labels: { "kubernetes.io/hostname": name } }, spec } });
  const sayReady = () => core.patchNodeStatus({ name, body: [{ op: "add", path: "/status/conditions", value: [readyCondition()] }] });
  await sayReady();
  const namespace = "kube-node-lease";
  const lease = () => ({ metadata: { name }, spec: { holderIdentity: name, leaseDurationSeconds: 8, renewTime: new V1MicroTime() } });
  await leases.createNamespacedLease({ namespace, body: lease() });
  const renew = async () => {
    const body = [{ op: "replace", path: "/spec/renewTime", value: new V1MicroTime() }];
    // While a test makes the API unreachable, the lease is not checked either. Afterwards the node counts as lost until it reports ready
    // again.
    await leases
      .patchNamespacedLease({ namespace, name, body })
      .then(sayReady)
      .catch(() => undefined);
  };
  const timer = setInterval(() => void renew(), heartbeatMs);
  return { stop: () => clearInterval(timer) };
}

function readyCondition() {
  const now = new Date().toISOString();
  const reason = { reason: "KubeletReady", message: "a record with a heartbeat" };
  return { type: "Ready", status: "True", lastHeartbeatTime: now, lastTransitionTime: now, ...reason };
}
