import { readFile } from "node:fs/promises";
import { hostname } from "node:os";
import { StartError } from "../../base/error/start-error.ts";
import type { Executor } from "../../engine/executor.ts";
import { describeFault } from "../machine/known-fault.ts";
import { MachineWatch } from "../machine/machine-watch.ts";
import { missingRights } from "./check-rights.ts";
import { type Cluster, openCluster } from "./cluster.ts";
import { ClusterWatch } from "./cluster-watch.ts";
import { instanceLabels } from "./object-names.ts";
import { readPodTemplate } from "./pod-template.ts";
import { podPlace } from "./pod-view.ts";
import { PolicyKeeper } from "./policy-keeper.ts";
import { runAttempt } from "./run-attempt.ts";
import type { Runtime } from "./runtime.ts";
import type { KubernetesExecutorSettings } from "./settings.ts";
import { sweepLeftovers } from "./sweep-leftovers.ts";
import { claimKeeper } from "./workspace-claims.ts";

export interface KubernetesExecutor extends Executor {
  /** Ends when what goes on behind attempts that are over is done. */
  settle(): Promise<void>;
  /** Ends it, when no job runs any more. What was let go of stays in the cluster. */
  close(): Promise<void>;
}

const sweepPauseMs = 60_000;

/**
 * Runs every task run as a Job of a cluster. A cluster that can't be reached now is no error: `describe` says so, and tasks wait
 * for it as long as they do when it goes away later.
 * @throws StartError when the settings can't work: no kubeconfig, a template that is refused
 */
export async function createKubernetesExecutor(settings: KubernetesExecutorSettings): Promise<KubernetesExecutor> {
  const template = readPodTemplate(await templateText(settings.podTemplatePath));
  const cluster = await openCluster(settings);
  const watch = new ClusterWatch(cluster, instanceLabels(settings.instance), settings.log);
  const policies = new PolicyKeeper(cluster, settings);
  const machine = new MachineWatch({ log: settings.log });
  const own = { host: hostname(), held: new Set<string>(), background: new Set<Promise<void>>() };
  const runtime: Runtime = { settings, cluster, watch, template, policies, machine, ...own };
  const state = new ClusterState(cluster);
  await Promise.all([state.look(), policies.look(), watch.start()]);
  const sweep = async (): Promise<void> => {
    await Promise.all([state.look(), policies.look()]);
    await sweepLeftovers(runtime, Date.now()).catch(() => undefined);
  };
  const timer = setInterval(() => void sweep(), Math.min(sweepPauseMs, settings.orphanMs ?? sweepPauseMs));
  timer.unref();
  const settle = async (): Promise<void> => {
    while (runtime.background.size > 0) await Promise.all(runtime.background);
  };
  return {
    kind: "kubernetes",
    describe: () => (machine.fault ? describeFault(machine.fault, "kubernetes") : describe(runtime, state)),
    blame: (error) => machine.blame(error),
    place: podPlace,
    start: (job, onLines) => runAttempt(runtime, job, onLines),
    workspaces: claimKeeper(runtime),
    settle,
    async close() {
      clearInterval(timer);
      machine.close();
      await settle();
      await watch.stop();
      cluster.close();
    },
  };
}

async function templateText(path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  return readFile(path, "utf8").catch((error: unknown) => {
    throw new StartError(`the pod template ${path} can't be read: ${(error as Error).message}`, { cause: error });
  });
}

function networks(problems: ReadonlyMap<string, string>): string {
  const held = "networks of tasks (none, outbound) are NetworkPolicies, which work only if the cluster's network plug-in enforces them";
  return [held, ...[...problems].map(([network, problem]) => `${network}: not there, ${problem}`)].join("; ");
}

/** What is known of the cluster itself; looked at again now and then. */
class ClusterState {
  version = "";
  problem: string | undefined;
  missing: string[] = [];
  readonly #cluster: Cluster;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  async look(): Promise<void> {
    const { library, config } = this.#cluster;
    try {
      const [{ gitVersion }, missing] = await Promise.all([
        config.makeApiClient(library.VersionApi).getCode(),
        missingRights(this.#cluster),
      ]);
      this.version = gitVersion;
      this.missing = missing;
      this.problem = undefined;
    } catch (error) {
      this.problem = String((error as Error).message).split("\n", 1)[0];
    }
  }
}

function describe(
  { settings, cluster, watch, policies }: Runtime,
  { version, problem, missing }: ClusterState,
): ReturnType<Executor["describe"]> {
  const isolation = "kubernetes";
  const server = cluster.config.getCurrentCluster()?.server;
  if (problem !== undefined && (version === "" || watch.outageMs() > 0))
    return { available: false, isolation, detail: `the cluster at ${server} can't be asked: ${problem}` };
  if (missing.length > 0) {
    const detail = `rights are missing in the namespace ${cluster.namespace}: ${missing.join(", ")}; deploy/kubernetes/executor-rbac.yaml gives them`;
    return { available: false, isolation, detail };
  }
  const detail = `Kubernetes ${version} at ${server}, namespace ${cluster.namespace}, helper image ${settings.helperImage}; ${networks(policies.problems)}`;
  return { available: true, isolation, detail };
}
