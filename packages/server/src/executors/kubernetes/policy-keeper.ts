import type { V1NetworkPolicy } from "@kubernetes/client-node";
import { resolveOutbound } from "../networks/outbound-filter.ts";
import type { OutboundPolicy } from "../networks/outbound-policy.ts";
import type { Cluster } from "./cluster.ts";
import { clusterProblem } from "./cluster-problem.ts";
import { closedObject, mergeSeen, outboundName, outboundObject } from "./outbound-object.ts";
import type { KubernetesExecutorSettings } from "./settings.ts";

/** Networks of pods that have a NetworkPolicy of ours. */
const heldNetworks = ["none", "outbound"] as const;
type HeldNetwork = (typeof heldNetworks)[number];

/**
 * Maintains the NetworkPolicies of pods with the network `none` or `outbound`. A pod without a policy can reach everything, so a policy
 * that was removed is created again; names in that of `outbound` are resolved again each time.
 */
export class PolicyKeeper {
  readonly #cluster: Cluster;
  readonly #instance: string;
  readonly #policy: Pick<OutboundPolicy, "facts" | "resolve">;
  readonly #problems = new Map<string, string>(heldNetworks.map((network) => [network, "its NetworkPolicy was not created yet"]));
  readonly #made = new Set<HeldNetwork>();

  constructor(cluster: Cluster, { instance, outbound }: Pick<KubernetesExecutorSettings, "instance" | "outbound">) {
    this.#cluster = cluster;
    this.#instance = instance;
    this.#policy = outbound.policy;
  }

  /**
   * Why pods can't have this network; undefined: the cluster has its policy, or the network needs none. Whether the cluster's network
   * enforces policies can't be detected.
   */
  problemOf(network: string): string | undefined {
    return this.#problems.get(network);
  }

  /** Each network that pods can't have, with the reason. */
  get problems(): ReadonlyMap<string, string> {
    return this.#problems;
  }

  /**
   * Never rejects. If two workers write at the same time, one is refused and writes at its next check; the existing policy stays in force.
   */
  async look(): Promise<void> {
    await Promise.all([this.#keep("none", () => this.#writeClosed()), this.#keep("outbound", () => this.#writeOutbound())]);
  }

  async #keep(network: HeldNetwork, write: () => Promise<void>): Promise<void> {
    try {
      await write();
      this.#made.add(network);
      this.#problems.delete(network);
    } catch (error) {
      const { code, message } = clusterProblem(error);
      if (code !== 409 && !this.#made.has(network)) this.#problems.set(network, `its NetworkPolicy was not created yet: ${message}`);
    }
  }

  async #writeClosed(): Promise<void> {
    const { library, config, namespace } = this.#cluster;
    const api = config.makeApiClient(library.NetworkingV1Api);
    const body = closedObject(this.#instance);
    const name = body.metadata?.name ?? "";
    const found = await api.readNamespacedNetworkPolicy({ namespace, name }).catch(unlessMissing);
    if (found === undefined) await api.createNamespacedNetworkPolicy({ namespace, body });
  }

  async #writeOutbound(): Promise<void> {
    const { library, config, namespace } = this.#cluster;
    const api = config.makeApiClient(library.NetworkingV1Api);
    const name = outboundName(this.#instance);
    const facts = await this.#policy.facts();
    const filter = await resolveOutbound({ ...facts, machine: [] }, this.#policy.resolve);
    // A policy can't exclude single ports, so the whole address of a protected socket is closed.
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
   * Addresses of the API server as the worker reaches it; if the worker is in a pod, other pods reach it in the same way. That is then the
   * address of a service, which most networks replace with that of a server before they apply policies: so the address that the server
   * itself reports is included. If there are several servers, each reports its own, at one check or another.
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
