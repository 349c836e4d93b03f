import type { MachineWatch } from "../machine/machine-watch.ts";
import type { Cluster } from "./cluster.ts";
import type { ClusterWatch } from "./cluster-watch.ts";
import type { PodTemplate } from "./pod/pod-template.ts";
import type { PolicyKeeper } from "./policy-keeper.ts";
import type { KubernetesExecutorSettings } from "./settings.ts";

/** What all attempts of one executor share. */
export interface Runtime {
  settings: KubernetesExecutorSettings;
  cluster: Cluster;
  watch: ClusterWatch;
  template: PodTemplate;
  policies: PolicyKeeper;
  /** Watches the worker's own machine, of which a cluster needs little: connections. */
  machine: MachineWatch;
  host: string;
  /** Names of the Jobs that this process takes care of now. */
  held: Set<string>;
  /** The background work of finished attempts: removals. */
  background: Set<Promise<void>>;
  /** Aborted when the executor closes: background work then ends within seconds. */
  closing: AbortSignal;
}

export function inBackground({ background, settings }: Runtime, what: string, work: () => Promise<unknown>): void {
  const done = work().then(
    () => undefined,
    (error: unknown) => settings.log.warn({ err: error }, `${what} failed; retrying later`),
  );
  const tracked: Promise<void> = done.finally(() => background.delete(tracked));
  background.add(tracked);
}
