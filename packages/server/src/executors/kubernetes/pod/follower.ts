import type { Job } from "../../../engine/executor.ts";
import type { Cluster } from "../cluster.ts";
import { FrameReader, type Frames } from "./frame-reader.ts";
import { execInCollector, type PodExec } from "./pod-exec.ts";
import { podFolders, scriptFiles } from "./pod-scripts.ts";

const firstPauseMs = 150;
const longestPauseMs = 2_000;
/** The collector sends something at least every 10 s. */
const silenceMs = 45_000;

/** Keeps one connection to the collector of a pod open, and continues where the last one broke. */
export class Follower {
  readonly #cluster: Cluster;
  readonly #reader: FrameReader;
  readonly #frames: Frames;
  readonly #resultBytes: number;
  readonly #onChange: () => void;
  #isBusy = false;
  #isClosed = false;
  #exec: PodExec | undefined;
  #silence: NodeJS.Timeout | undefined;
  /** When the next connection may be tried, by `performance.now()`. */
  nextTryAt = 0;
  /** Consecutive failed tries. */
  failures = 0;
  /** Since when there is no connection, by `performance.now()`; undefined: there is one. */
  brokenAt: number | undefined = performance.now();
  /** Why the last one failed, for people. */
  problem = "";

  constructor(cluster: Cluster, frames: Frames, { limits, sidecars = [] }: Pick<Job, "limits" | "sidecars">, onChange: () => void) {
    this.#cluster = cluster;
    this.#reader = new FrameReader(frames, limits.resultBytes, sidecars.length);
    this.#frames = frames;
    this.#resultBytes = limits.resultBytes;
    this.#onChange = onChange;
  }

  get isOpen(): boolean {
    return this.#exec !== undefined;
  }

  /** Opens a connection, unless there is one or it is too early. Not awaited. */
  connect(pod: string): void {
    if (this.#isBusy || this.#isClosed || performance.now() < this.nextTryAt) return;
    this.#isBusy = true;
    void this.#follow(pod).finally(() => {
      this.#isBusy = false;
      this.#onChange();
    });
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#silence);
    this.#exec?.close();
  }

  async #follow(pod: string): Promise<void> {
    const { step, out, err, sidecars } = this.#reader.position;
    const script = `${podFolders.fixed}/${scriptFiles.follow}`;
    const command = ["sh", script, ...[step, out, err, this.#resultBytes, ...sidecars].map(String)];
    let isHeard = false;
    this.#reader.restart();
    try {
      this.#exec = await execInCollector(this.#cluster, pod, command, (chunk) => {
        if (this.#isClosed) return undefined;
        isHeard = true;
        this.failures = 0;
        this.#watchSilence();
        this.#reader.push(chunk);
        return this.#frames.takeRoom();
      });
      this.brokenAt = undefined;
      if (this.#isClosed) this.#exec.close();
      this.#watchSilence();
      this.problem = await this.#exec.ended;
    } catch (error) {
      this.problem = (error as Error).message;
    }
    clearTimeout(this.#silence);
    this.#exec = undefined;
    this.brokenAt ??= performance.now();
    if (!isHeard) this.failures++;
    this.nextTryAt = performance.now() + Math.min(firstPauseMs * 1.5 ** Math.max(0, this.failures - 1), longestPauseMs);
  }

  #watchSilence(): void {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.#exec?.close(), silenceMs);
  }
}
