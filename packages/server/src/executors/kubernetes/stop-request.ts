import type { Cluster } from "./cluster.ts";
import { execInCollector } from "./pod-exec.ts";
import { stopScript } from "./pod-scripts.ts";

const pauseMs = 500;

/** Tells the collector of a pod to stop; again when there is less grace, or when it was not heard. */
export class StopRequest {
  readonly #cluster: Cluster;
  readonly #onNews: () => void;
  #toldMs = Number.POSITIVE_INFINITY;
  #isBusy = false;
  #nextTryAt = 0;

  constructor(cluster: Cluster, onNews: () => void) {
    this.#cluster = cluster;
    this.#onNews = onNews;
  }

  /** Does not wait for it. */
  send(pod: string, graceMs: number): void {
    if (this.#isBusy || graceMs >= this.#toldMs || performance.now() < this.#nextTryAt) return;
    this.#isBusy = true;
    void this.#tell(pod, graceMs).finally(() => {
      this.#isBusy = false;
      this.#onNews();
    });
  }

  async #tell(pod: string, graceMs: number): Promise<void> {
    try {
      const exec = await execInCollector(this.#cluster, pod, ["sh", "-c", stopScript, "stop", String(graceMs / 1000)], () => undefined);
      await exec.ended;
      this.#toldMs = graceMs;
    } catch {
      this.#nextTryAt = performance.now() + pauseMs;
    }
  }
}
