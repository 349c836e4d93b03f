import { createOutboundPolicy, defaultOutbound } from "../../../src/executors/networks/outbound-policy.ts";
import type { LevelName } from "../../../src/executors/process/settings.ts";

/** No addresses of a service to protect, and no proxy. */
export const testOutbound = { policy: createOutboundPolicy(defaultOutbound), allowsHostNetwork: false };

/** For a process executor with only that level, without delays and log messages. */
export function processSettings(scratchDir: string, level: LevelName) {
  const log = { info: () => undefined, warn: () => undefined };
  return { scratchDir, allowUnsandboxed: true, allowSharedNetwork: true, graceMs: 100, lookEveryMs: 50, log, levels: [level] };
}

/** What tests load into an engine or a node themselves, under names that no registry is asked about. */
export const testImageRules = { registries: ["registry.test", "private.test"], localImages: ["localhost/*"] };
const localImages = { MILLRACE_LOCAL_IMAGES: "localhost/*,docker.io/library/node:22-bookworm" };

/** The settings by which a service under test reaches an engine or a cluster of its own. */
export function containerEnvironment(engine: { socketPath: string }): Record<string, string> {
  return { MILLRACE_EXECUTORS: "process,container", MILLRACE_CONTAINER_HOST: `unix://${engine.socketPath}`, ...localImages };
}

/** @param namespace of its own, which exists */
export function clusterEnvironment(cluster: { kubeconfig: string }, namespace: string): Record<string, string> {
  return {
    ...localImages,
    MILLRACE_EXECUTORS: "process,kubernetes",
    MILLRACE_KUBERNETES_CONFIG: cluster.kubeconfig,
    MILLRACE_KUBERNETES_NAMESPACE: namespace,
    MILLRACE_KUBERNETES_HELPER_IMAGE: "localhost/millrace-helper:1",
    MILLRACE_KUBERNETES_STORAGE_CLASS: "millrace-test",
  };
}
