import type { V1NetworkPolicy } from "@kubernetes/client-node";
import { resolveOutbound } from "../networks/outbound-filter.ts";
import type { OutboundPolicy } from "../networks/outbound-policy.ts";
import type { Cluster } from "./cluster.ts";
import { clusterProblem } from "./cluster-problem.ts";
import { mergeSeen, outboundName, outboundObject } from "./outbound-object.ts";
import type { KubernetesExecutorSettings } from "./settings.ts";

/** Keeps the NetworkPolicy of pods with the network `outbound` up to date: names are resolved anew each time. */
export class OutboundKeeper {
  readonly #cluster: Cluster;
  readonly #instance: string;
  readonly #policy: Pick<OutboundPolicy, "facts" | "resolve">;
  #isMade = false;
  #problem: string | undefined = "its NetworkPolicy was not made yet";

  constructor(cluster: Cluster, { instance, outbound }: Pick<KubernetesExecutorSettings, "instance" | "outbound">) {
    this.#cluster = cluster;
    this.#instance = instance;
    this.#policy = outbound.policy;
  }

  /** Why pods can't have this network; undefined: the cluster has its policy. Whether its network keeps policies nobody can tell. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Never rejects. Of two workers that write at once one is refused, and writes at its next look; a policy that is there goes on to hold. */
  async look(): Promise<void> {
    try {
      await this.#write();
      this.#isMade = true;
      this.#problem = undefined;
    } catch (error) {
      const { code, message } = clusterProblem(error);
      if (code !== 409 && !this.#isMade) this.#problem = `its NetworkPolicy was not made yet: ${message}`;
    }
  }

  async #write(): Promise<void> {
    const { library, config, namespace } = this.#cluster;
    const api = config.makeApiClient(library.NetworkingV1Api);
    const name = outboundName(this.#instance);
    const facts = await this.#policy.facts();
    const filter = await resolveOutbound({ ...facts, machine: [] }, this.#policy.resolve);
    // A policy knows no ports to leave out, so what is guarded is closed as a whole.
    const guarded = facts.guarded.flatMap(({ addresses }) => addresses ?? []);
    const own = [...facts.machine, ...guarded, ...(await this.#apiServer())];
    const found = await api.readNamespacedNetworkPolicy({ namespace, name }).catch(unlessMissing);
    const body = outboundObject(this.#instance, filter, mergeSeen(found, Date.now(), own));
    if (found === undefined) return void (await api.createNamespacedNetworkPolicy({ namespace, body }));
    const version = found.metadata?.resourceVersion;
    body.metadata = { ...body.metadata, ...(version !== undefined && { resourceVersion: version }) };
    await api.replaceNamespacedNetworkPolicy({ namespace, name, body });
  }

  /**
   * As the worker reaches it; in a pod that is how other pods do. That is the address of a service then, which most networks have replaced by that of
   * a server before they look at policies: so also as the server itself says that it is reached. Of several each says its own, at one look or another.
   */
  async #apiServer(): Promise<string[]> {
    const { library, config } = this.#cluster;
    const said = await config
      .makeApiClient(library.CoreApi)
      .getAPIVersions()
      .catch(() => undefined);
    const told = (said?.serverAddressByClientCIDRs ?? []).map(({ serverAddress }) => hostOf(`https://${serverAddress}`));
    const hosts = new Set([hostOf(config.getCurrentCluster()?.server ?? ""), ...told].filter((host) => host !== ""));
    const found = await Promise.all([...hosts].map((host) => this.#policy.resolve(host).catch((): string[] => [])));
    return found.flat();
  }
}

function hostOf(server: string): string {
  return URL.canParse(server) ? new URL(server).hostname.replace(/^\[|\]$/g, "") : "";
}

function unlessMissing(error: unknown): V1NetworkPolicy | undefined {
  if (clusterProblem(error).code === 404) return undefined;
  throw error;
}
