import { machineFaultOf } from "../../base/error/machine-fault.ts";
import { FolderLimits, type WatchedFolder } from "./folder-limits.ts";
import type { FullDisk } from "./full-disk.ts";
import type { TreeSize } from "./measure-tree.ts";

export interface LimitBreach {
  reason: "WorkspaceFull" | "OutOfMemory";
  message: string;
}

/** @param error that kept it from looking */
export type OnBreach = (breach: LimitBreach, error?: unknown) => void;

export interface WatchSettings {
  folders: readonly WatchedFolder[];
  /** Processes of the running step; undefined: they can't be seen from here. */
  findProcesses?: (() => Promise<number[]>) | undefined;
  /** Where the kernel describes our ends of sockets of the attempt (open-files.ts). */
  describeSockets?: () => readonly string[];
  /** How many descriptors its processes may have the kernel watch; undefined: as many as they like. */
  mostWatches?: number | undefined;
}

/** What the steps of one attempt may write outside of its workspaces, unless the executor is configured otherwise. */
export const defaultScratchBytes = 1_073_741_824;

/** Looking may take this part of the time, at the most often every `minPauseMs`. */
const dutyFactor = 10;
/** A look at very many files costs the event loop time, in small pieces; it may take less. */
const longDutyFactor = 50;
const longLookMs = 1_000;
/** When the disk shrinks fast it may take a quarter of the time. */
const urgentDutyFactor = 3;
const minPauseMs = 200;
/** For so long an attempt may run on while a fault of the machine keeps it from being looked at. */
const longestBlindMs = 10_000;

/** Watches the folders of an attempt, whose sizes no kernel limits. */
export class LimitWatch {
  readonly #limits: FolderLimits;
  readonly #mostWatches: number;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();
  #isStopped = false;
  /** When a look last came to its end. */
  #lookedAt = performance.now();

  constructor({ folders, findProcesses, describeSockets, mostWatches }: WatchSettings) {
    this.#limits = new FolderLimits(folders, findProcesses, describeSockets, mostWatches !== undefined);
    this.#mostWatches = mostWatches ?? Number.POSITIVE_INFINITY;
  }

  /** Measures what is not known yet; before the first step. */
  measure(): Promise<void> {
    return this.#limits.begin();
  }

  /** Begins to look now and then; `onBreach` is called at most once. */
  start(onBreach: OnBreach): void {
    this.#schedule(onBreach, performance.now() + minPauseMs, 0);
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  /** Looks once more, at the end, and not before a look that is under way has told what it saw, which is older. */
  async check(): Promise<LimitBreach | undefined> {
    await this.#looking;
    return asBreach(await this.#limits.lookAtEnd());
  }

  /** Removes what is far beyond the limits, when it is all over. @returns what went, as sentences */
  takeBack(): Promise<string[]> {
    return this.#limits.takeBack();
  }

  /** Whether a disk of the folders has no room left, and which of them has taken it. */
  findFullDisk(): Promise<FullDisk | undefined> {
    return this.#limits.findFullDisk();
  }

  /** Last measured size of a folder. */
  sizeOf(path: string): TreeSize | undefined {
    return this.#limits.sizeOf(path);
  }

  /**
   * @param dueAt of the next look
   * @param urgentAt from then on it may come earlier, when the disk shrinks fast
   */
  #schedule(onBreach: OnBreach, dueAt: number, urgentAt: number): void {
    this.#timer = setTimeout(() => {
      this.#looking = this.#look(onBreach, dueAt, urgentAt).catch((error) => {
        // A moment in which this machine is short of files is no reason to end what has run for hours.
        if (machineFaultOf(error) && performance.now() - this.#lookedAt < longestBlindMs && !this.#isStopped)
          return this.#schedule(onBreach, dueAt, urgentAt);
        // Fail closed: what can't be looked at is not limited.
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
    this.#lookedAt = ended;
    const tookMs = ended - began;
    const pauseMs = tookMs * (tookMs > longLookMs ? longDutyFactor : dutyFactor);
    if (isDue) this.#schedule(onBreach, ended + pauseMs, ended + tookMs * urgentDutyFactor);
    else this.#schedule(onBreach, dueAt, urgentAt);
  }

  #tooManyWatches(): LimitBreach | undefined {
    if (this.#limits.watches <= this.#mostWatches) return undefined;
    const message = `it has the kernel watch more than ${this.#mostWatches} descriptors (epoll), its share of what the user of the service may have`;
    return { reason: "OutOfMemory", message };
  }
}

function asBreach(overflow: string | undefined): LimitBreach | undefined {
  return overflow === undefined ? undefined : { reason: "WorkspaceFull", message: overflow };
}
