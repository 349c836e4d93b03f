import { measureFolder } from "./folder-size.ts";

/** A folder of an attempt that may not grow beyond a limit. */
export interface WatchedFolder {
  /** For the message: `workspace "source"`. */
  label: string;
  path: string;
  limitBytes: number;
  /** Its size before the attempt, when that is known. */
  knownBytes: number | undefined;
  /** Gone with the attempt, so its size at the end is nobody's concern. */
  isTemporary?: boolean;
}

export interface LimitBreach {
  reason: "WorkspaceFull" | "OutOfMemory";
  message: string;
}

export interface MemoryWatch {
  limitBytes: number;
  /** Bytes that the processes of the attempt use now; never rejects. */
  count(): Promise<number>;
}

/** What the steps of one attempt may write outside of its workspaces, unless the executor is told otherwise. */
export const defaultScratchBytes = 1_073_741_824;

/** Looking may take this part of the time, at the most often every `minPauseMs`. */
const dutyFactor = 10;
const minPauseMs = 200;

/**
 * Watches what no kernel limit holds: the size of folders, and memory where there are no control groups. A folder that was over its limit
 * before may shrink and even stay; only growth is a breach, so that a step can clean up.
 */
export class LimitWatch {
  readonly #folders: readonly WatchedFolder[];
  readonly #memory: MemoryWatch | undefined;
  /** The smallest size seen: growth beyond it is this attempt's. */
  readonly #smallest = new Map<string, number>();
  readonly #latest = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();
  #isStopped = false;

  /** @param memory undefined: the kernel limits it */
  constructor(folders: readonly WatchedFolder[], memory: MemoryWatch | undefined) {
    this.#folders = folders;
    this.#memory = memory;
  }

  /** Measures what is not known yet; before the first step. */
  async measure(): Promise<void> {
    for (const { path, knownBytes } of this.#folders) this.#smallest.set(path, knownBytes ?? (await measureFolder(path)));
  }

  /** Begins to look now and then; `onBreach` is called at most once. */
  start(onBreach: (breach: LimitBreach) => void): void {
    this.#schedule(onBreach, minPauseMs);
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  /** Looks once more, at the end, and not before a look that is under way has told what it saw, which is older. */
  async check(): Promise<LimitBreach | undefined> {
    await this.#looking;
    return this.#checkFolders(this.#folders.filter((folder) => !folder.isTemporary));
  }

  /** Last measured size of a folder. */
  sizeOf(path: string): number | undefined {
    return this.#latest.get(path);
  }

  #schedule(onBreach: (breach: LimitBreach) => void, delayMs: number): void {
    this.#timer = setTimeout(() => {
      this.#looking = this.#look(onBreach);
    }, delayMs);
  }

  async #look(onBreach: (breach: LimitBreach) => void): Promise<void> {
    const began = performance.now();
    const breach = (await this.#checkMemory()) ?? (await this.#checkFolders(this.#folders));
    if (this.#isStopped) return;
    if (breach) return onBreach(breach);
    this.#schedule(onBreach, Math.max(minPauseMs, (performance.now() - began) * dutyFactor));
  }

  async #checkFolders(folders: readonly WatchedFolder[]): Promise<LimitBreach | undefined> {
    for (const { label, path, limitBytes } of folders) {
      const bytes = await measureFolder(path);
      const earlier = this.#smallest.get(path) ?? 0;
      this.#smallest.set(path, Math.min(bytes, earlier));
      this.#latest.set(path, bytes);
      if (bytes > limitBytes && bytes > earlier) return { reason: "WorkspaceFull", message: fullMessage(label, bytes, limitBytes) };
    }
    return undefined;
  }

  async #checkMemory(): Promise<LimitBreach | undefined> {
    if (this.#memory === undefined) return undefined;
    const { limitBytes } = this.#memory;
    const bytes = await this.#memory.count();
    if (bytes <= limitBytes) return undefined;
    return { reason: "OutOfMemory", message: `it used ${inMebibytes(bytes)} of memory, more than the ${inMebibytes(limitBytes)} it may` };
  }
}

function fullMessage(label: string, bytes: number, limitBytes: number): string {
  return `${label} holds ${inMebibytes(bytes)}, more than the ${inMebibytes(limitBytes)} it may`;
}

export function inMebibytes(bytes: number): string {
  const mebibytes = bytes / 1_048_576;
  return mebibytes >= 10 ? `${Math.round(mebibytes)} MiB` : `${Math.round(mebibytes * 100) / 100} MiB`;
}
