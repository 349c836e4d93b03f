import type { Informer, KubernetesObject, ObjectCache, V1Job, V1Pod } from "@kubernetes/client-node";
import type { Log } from "../../base/process/log.ts";
import type { Cluster } from "./cluster.ts";
import { selectorOf } from "./object-names.ts";

type Watched<T extends KubernetesObject> = Informer<T> & ObjectCache<T>;

const firstPauseMs = 200;
const longestPauseMs = 5_000;

/**
 * The Jobs of this installation and their pods, as reported by the cluster. One list and one watch of each serve all attempts of the
 * process. A watch that ends continues where it was; if the cluster no longer knows that position, everything is listed again. One that
 * breaks is retried at growing intervals.
 */
export class ClusterWatch {
  readonly #cluster: Cluster;
  readonly #log: Pick<Log, "warn" | "info">;
  readonly #jobs: Watched<V1Job>;
  readonly #pods: Watched<V1Pod>;
  readonly #podOf = new Map<string, V1Pod>();
  readonly #listeners = new Map<string, Set<() => void>>();
  readonly #broken = new Map<object, number>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #isStopped = false;

  constructor(cluster: Cluster, labels: Record<string, string>, log: Pick<Log, "warn" | "info">) {
    this.#cluster = cluster;
    this.#log = log;
    const { namespace, core, batch, config, library } = cluster;
    const labelSelector = selectorOf(labels);
    const listed = { namespace, labelSelector };
    this.#jobs = library.makeInformer<V1Job>(
      config,
      `/apis/batch/v1/namespaces/${namespace}/jobs`,
      () => batch.listNamespacedJob(listed),
      labelSelector,
    );
    this.#pods = library.makeInformer<V1Pod>(
      config,
      `/api/v1/namespaces/${namespace}/pods`,
      () => core.listNamespacedPod(listed),
      labelSelector,
    );
  }

  /** Resolves when both lists were read, or with the error of the first try; then it keeps trying. */
  async start(): Promise<string | undefined> {
    this.#jobs.on("change", (job) => this.#wake(job.metadata?.name));
    this.#pods.on("change", (pod) => this.#seePod(pod));
    this.#pods.on("delete", (pod) => this.#dropPod(pod));
    const problems = await Promise.all([this.#run(this.#jobs), this.#run(this.#pods)]);
    return problems.find((problem) => problem !== undefined);
  }

  jobs(): readonly V1Job[] {
    return this.#jobs.list(this.#cluster.namespace);
  }

  job(name: string): V1Job | undefined {
    return this.#jobs.get(name, this.#cluster.namespace);
  }

  podOf(job: string): V1Pod | undefined {
    return this.#podOf.get(job);
  }

  /** For how long the cluster has been unreachable, in ms; 0: it is reachable, as far as is known. */
  outageMs(): number {
    const since = Math.min(...this.#broken.values());
    return Number.isFinite(since) ? performance.now() - since : 0;
  }

  /** Calls when something about a Job or its pod has changed. @returns a function that ends that */
  listen(job: string, onChange: () => void): () => void {
    const listeners = this.#listeners.get(job) ?? new Set();
    this.#listeners.set(job, listeners.add(onChange));
    return () => {
      listeners.delete(onChange);
      if (listeners.size === 0) this.#listeners.delete(job);
    };
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const timer of this.#timers) clearTimeout(timer);
    await Promise.all([this.#jobs.stop(), this.#pods.stop()]);
  }

  #seePod(pod: V1Pod): void {
    const job = jobOfPod(pod);
    if (job === undefined) return;
    this.#podOf.set(job, pod);
    this.#wake(job);
  }

  #dropPod(pod: V1Pod): void {
    const job = jobOfPod(pod);
    if (job === undefined || this.#podOf.get(job)?.metadata?.uid !== pod.metadata?.uid) return;
    this.#podOf.delete(job);
    this.#wake(job);
  }

  #wake(job: string | undefined): void {
    for (const listener of this.#listeners.get(job ?? "") ?? []) listener();
  }

  /** @returns what went wrong on the first try */
  async #run<T extends KubernetesObject>(informer: Watched<T>): Promise<string | undefined> {
    let pauseMs = firstPauseMs;
    let problem: string | undefined;
    const begin = async (): Promise<void> => {
      problem = undefined;
      await informer.start();
      if (problem !== undefined) return;
      if (this.#broken.delete(informer)) this.#log.info({}, "the cluster can be watched again");
      pauseMs = firstPauseMs;
    };
    informer.on("error", (error) => {
      problem = String((error as Error | undefined)?.message ?? error);
      if (this.#isStopped) return;
      if (!this.#broken.has(informer)) {
        this.#broken.set(informer, performance.now());
        this.#log.warn({ problem }, "the cluster can't be watched; retrying");
      }
      const timer = setTimeout(
        () => {
          this.#timers.delete(timer);
          void begin();
        },
        pauseMs * (0.75 + Math.random() / 2),
      );
      this.#timers.add(timer);
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    });
    await begin();
    return problem;
  }
}

function jobOfPod(pod: V1Pod): string | undefined {
  return pod.metadata?.ownerReferences?.find(({ kind }) => kind === "Job")?.name;
}
