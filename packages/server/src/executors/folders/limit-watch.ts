import { machineFaultOf } from "../../base/error/machine-fault.ts";
import { FolderLimits, type WatchedFolder } from "./folder-limits.ts";
import type { FullDisk } from "./full-disk.ts";
import type { TreeSize } from "./measure-tree.ts";

export interface LimitBreach {
  reason: "WorkspaceFull" | "OutOfMemory";
  message: string;
}

/** @param error that prevented a measurement */
export type OnBreach = (breach: LimitBreach, error?: unknown) => void;

export interface WatchSettings {
  folders: readonly WatchedFolder[];
  /** Processes of the running step; undefined: they can't be seen from here. */
  findProcesses?: (() => Promise<number[]>) | undefined;
  /** Where the kernel describes our ends of the attempt's sockets (open-files.ts). */
  describeSockets?: () => readonly string[];
  /** How many descriptors its processes may have the kernel watch; undefined: no limit. */
  mostWatches?: number | undefined;
}

/** The limit for what the steps of one attempt write outside of its workspaces, unless the executor is configured otherwise. */
export const defaultScratchBytes = 1_073_741_824;

/** After a measurement, the pause is this many times as long as it took, and at least `minPauseMs`. */
const dutyFactor = 10;
/** Measuring very many files costs the event loop time, in small pieces; so the pause is longer. */
const longDutyFactor = 50;
const longLookMs = 1_000;
/** If the disk fills up fast, measuring may take a quarter of the time. */
const urgentDutyFactor = 3;
const minPauseMs = 200;
/** How long an attempt may continue while a fault of the machine prevents measuring. */
const longestBlindMs = 10_000;

/** Watches the folders of an attempt, whose sizes the kernel does not limit. */
export class LimitWatch {
  readonly #limits: FolderLimits;
  readonly #mostWatches: number;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();
  #isStopped = false;
  /** When a measurement last finished. */
  #checkedAt = performance.now();

  constructor({ folders, findProcesses, describeSockets, mostWatches }: WatchSettings) {
    this.#limits = new FolderLimits(folders, findProcesses, describeSockets, mostWatches !== undefined);
    this.#mostWatches = mostWatches ?? Number.POSITIVE_INFINITY;
  }

  /** Measures the folders whose size is not known yet; called before the first step. */
  measure(): Promise<void> {
    return this.#limits.begin();
  }

  /** Starts measuring from time to time; `onBreach` is called at most once. */
  start(onBreach: OnBreach): void {
    this.#schedule(onBreach, performance.now() + minPauseMs, 0);
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  /** Measures once more, at the end, after a measurement in progress has reported its result, which is older. */
  async check(): Promise<LimitBreach | undefined> {
    await this.#looking;
    return asBreach(await this.#limits.measureAtEnd());
  }

  /** Removes what is far beyond the limits, after the attempt has ended. @returns what was removed, as sentences */
  reclaim(): Promise<string[]> {
    return this.#limits.reclaim();
  }

  /** Whether a disk of the folders is full, and which of them has filled it. */
  findFullDisk(): Promise<FullDisk | undefined> {
    return this.#limits.findFullDisk();
  }

  /** Last measured size of a folder. */
  sizeOf(path: string): TreeSize | undefined {
    return this.#limits.sizeOf(path);
  }

  /**
   * @param dueAt time of the next measurement
   * @param urgentAt from this time on it may come earlier, if the disk fills up fast
   */
  #schedule(onBreach: OnBreach, dueAt: number, urgentAt: number): void {
    this.#timer = setTimeout(() => {
      this.#looking = this.#look(onBreach, dueAt, urgentAt).catch((error) => {
        // A moment in which this machine runs out of file descriptors is no reason to end what has run for hours.
        if (machineFaultOf(error) && performance.now() - this.#checkedAt < longestBlindMs && !this.#isStopped)
          return this.#schedule(onBreach, dueAt, urgentAt);
        // Fail closed: what can't be measured is not limited.
        if (!this.#isStopped)
          onBreach({ reason: "WorkspaceFull", message: `its folders can't be measured: ${(error as Error).message}` }, error);
      });
    }, minPauseMs);
  }

  async #look(onBreach: OnBreach, dueAt: number, urgentAt: number): Promise<void> {
    const began = performance.now();
    const isDue = began >= dueAt || (began >= urgentAt && (await this.#limits.isShrinking()));
    const breach = isDue ? (asBreach(await this.#limits.look(() => this.#isStopped)) ?? this.#tooManyWatches()) : undefined;
    if (this.#isStopped) return;
    if (breach) return onBreach(breach);
    const ended = performance.now();
    this.#checkedAt = ended;
    const tookMs = ended - began;
    const pauseMs = tookMs * (tookMs > longLookMs ? longDutyFactor : dutyFactor);
    if (isDue) this.#schedule(onBreach, ended + pauseMs, ended + tookMs * urgentDutyFactor);
    else this.#schedule(onBreach, dueAt, urgentAt);
  }

  #tooManyWatches(): LimitBreach | undefined {
    if (this.#limits.watches <= this.#mostWatches) return undefined;
    const message = `it watches more than ${this.#mostWatches} descriptors (epoll), its share of the limit of the service's user`;
    return { reason: "OutOfMemory", message };
  }
}

function asBreach(overflow: string | undefined): LimitBreach | undefined {
  return overflow === undefined ? undefined : { reason: "WorkspaceFull", message: overflow };
}
