import { readFile } from "node:fs/promises";
import { hostname } from "node:os";
import type { V1Job, V1Secret } from "@kubernetes/client-node";
import { StartError } from "../../base/error/start-error.ts";
import type { Executor, PlacedJob } from "../../engine/executor.ts";
import { describeFault } from "../machine/known-fault.ts";
import { MachineWatch } from "../machine/machine-watch.ts";
import { resolvePlace } from "../steps/places.ts";
import { imageView, type View } from "../steps/view.ts";
import { type Cluster, openCluster } from "./cluster.ts";
import { ClusterWatch } from "./cluster-watch.ts";
import { settleSecrets } from "./loose-secrets.ts";
import { instanceLabels } from "./object-names.ts";
import { podFolders } from "./pod/pod-scripts.ts";
import { readPodTemplate } from "./pod/pod-template.ts";
import { PolicyKeeper } from "./policy-keeper.ts";
import { ownerOf, removeJob } from "./remove-job.ts";
import { runAttempt } from "./run-attempt.ts";
import type { Runtime } from "./runtime.ts";
import { defaultOrphanMs, defaultOutageMs, type KubernetesExecutorSettings } from "./settings.ts";
import { claimKeeper } from "./workspace-claims.ts";

export interface KubernetesExecutor extends Executor {
  /** Resolves when the background work of finished attempts is done. */
  settle(): Promise<void>;
  /** Closes it; no job may be running any more. Jobs that were let go stay in the cluster. */
  close(): Promise<void>;
}

const sweepPauseMs = 60_000;

/**
 * Runs every task run as a Job of a cluster. An unreachable cluster is not an error: `describe` reports it, and tasks wait for it as long
 * as they do if it becomes unreachable later.
 * @throws StartError if the settings can't work: no kubeconfig, a template that is refused
 */
export async function createKubernetesExecutor(settings: KubernetesExecutorSettings): Promise<KubernetesExecutor> {
  const template = readPodTemplate(await templateText(settings.podTemplatePath));
  const cluster = await openCluster(settings);
  const watch = new ClusterWatch(cluster, instanceLabels(settings.instance), settings.log);
  const policies = new PolicyKeeper(cluster, settings);
  const machine = new MachineWatch({ log: settings.log });
  const closing = new AbortController();
  const own = { host: hostname(), held: new Set<string>(), background: new Set<Promise<void>>(), closing: closing.signal };
  const runtime: Runtime = { settings, cluster, watch, template, policies, machine, ...own };
  const state = new ClusterState(cluster);
  await Promise.all([state.look(), policies.look(), watch.start()]);
  const sweep = async (): Promise<void> => {
    await Promise.all([state.look(), policies.look()]);
    await sweepLeftovers(runtime, Date.now()).catch(() => undefined);
  };
  // A sweep that takes longer than the pause, in a slow cluster or one with very many Jobs, doesn't overlap with a second one.
  let sweeping: Promise<void> | undefined;
  const beginSweep = (): void => {
    sweeping ??= sweep().finally(() => {
      sweeping = undefined;
    });
  };
  const timer = setInterval(beginSweep, Math.min(sweepPauseMs, settings.orphanMs ?? sweepPauseMs));
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
      closing.abort();
      clearInterval(timer);
      machine.close();
      await sweeping;
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

/** What is known about the cluster itself; refreshed from time to time. */
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
      this.version = (await config.makeApiClient(library.VersionApi).getCode()).gitVersion;
      this.missing = await missingRights(this.#cluster);
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
    return { available: false, isolation, detail: `the cluster at ${server} can't be reached: ${problem}` };
  if (missing.length > 0) {
    const detail = `rights are missing in the namespace ${cluster.namespace}: ${missing.join(", ")}; deploy/kubernetes/executor-rbac.yaml gives them`;
    return { available: false, isolation, detail };
  }
  const detail = `Kubernetes ${version} at ${server}, namespace ${cluster.namespace}, helper image ${settings.helperImage}; ${networks(policies.problems)}`;
  return { available: true, isolation, detail };
}

/** What the executor does in its namespace: deploy/kubernetes/executor-rbac.yaml grants exactly these rights. */
export const neededRights: readonly { group: string; resource: string; verbs: readonly string[] }[] = [
  { group: "batch", resource: "jobs", verbs: ["create", "get", "list", "watch", "patch", "delete"] },
  { group: "", resource: "pods", verbs: ["list", "watch"] },
  { group: "", resource: "pods/exec", verbs: ["get", "create"] },
  { group: "", resource: "secrets", verbs: ["create", "list", "patch", "delete"] },
  { group: "", resource: "persistentvolumeclaims", verbs: ["create", "list", "delete"] },
  { group: "", resource: "events", verbs: ["list"] },
  { group: "networking.k8s.io", resource: "networkpolicies", verbs: ["create", "get", "update"] },
];

/** @returns the missing rights, e.g. `create jobs`; rejects if the cluster can't be asked */
export async function missingRights({ library, config, namespace }: Cluster): Promise<string[]> {
  const api = config.makeApiClient(library.AuthorizationV1Api);
  const asked = neededRights.flatMap(({ group, resource, verbs }) => verbs.map((verb) => ({ group, resource, verb })));
  const answers = await Promise.all(
    asked.map(async ({ group, resource: full, verb }) => {
      const [resource, subresource] = full.split("/");
      const resourceAttributes = { namespace, verb, group, resource: resource ?? "", ...(subresource && { subresource }) };
      const { status } = await api.createSelfSubjectAccessReview({ body: { spec: { resourceAttributes } } });
      return status?.allowed === true ? [] : [`${verb} ${full}`];
    }),
  );
  return answers.flat();
}

/**
 * Removes what dead workers left and nobody took over: finished Jobs (each finishes at its deadline at the latest) and Secrets whose Job
 * was never created. Any worker does it, so it does not matter which one died.
 */
export async function sweepLeftovers(runtime: Runtime, now: number): Promise<void> {
  const { settings, watch } = runtime;
  const orphanMs = settings.orphanMs ?? defaultOrphanMs;
  for (const job of watch.jobs()) {
    if (runtime.closing.aborted) return;
    const name = job.metadata?.name ?? "";
    if (!runtime.held.has(name) && isLongOver(job, now - orphanMs)) await removeJob(runtime, name, [ownerOf(job)]);
  }
  // During this time a living worker may still try to create their Job.
  const triedMs = Math.max(settings.pendingMs, settings.outageMs ?? defaultOutageMs);
  const isGivenUp = ({ metadata }: V1Secret): boolean => new Date(metadata?.creationTimestamp ?? now).getTime() < now - orphanMs - triedMs;
  await settleSecrets(runtime, instanceLabels(settings.instance), watch.jobs(), isGivenUp);
}

function isLongOver({ status }: V1Job, before: number): boolean {
  const end = status?.conditions?.find(({ type, status: is }) => (type === "Failed" || type === "Complete") && is === "True");
  return end?.lastTransitionTime !== undefined && new Date(end.lastTransitionTime).getTime() < before;
}

/** Exit codes are written while other steps run, so they can't be stored beside the scripts, which come from a Secret. */
const endsView: View = { ...imageView, steps: `${podFolders.shared}/ends` };

export function podPlace(job: PlacedJob, words: readonly string[]): string | undefined {
  return resolvePlace(words, job, words[0] === "steps" ? endsView : imageView);
}
