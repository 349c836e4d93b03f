import { type MachineFault, machineFaultOf } from "../../base/error/machine-fault.ts";
import type { Log } from "../../base/process/log.ts";
import type { NeededFolder } from "./disk-space.ts";
import type { KnownFault } from "./known-fault.ts";
import { knownFault, lookAtDisks, probeMachine } from "./probe-machine.ts";

export interface MachineWatchSettings {
  log: Pick<Log, "info" | "warn">;
  /** Pause between two checks, in ms. */
  lookEveryMs?: number | undefined;
  /** Monotonic milliseconds. */
  clock?: () => number;
}

const defaultLookEveryMs = 2_000;
const longestPauseMs = 60_000;

/**
 * Whether this machine can run attempts now. States: `sound`; `faulty`: it takes none, and everything that an attempt needs is tested every
 * few seconds. It becomes faulty by an error of the machine that the service met while it prepared, ran or ended an attempt, or by a check
 * of the disks. A check that finds nothing makes it sound again. After an error it stays faulty for a while, and longer each time the error
 * soon comes back: the cause of a fault may disappear with the attempts that met it, and each of them costs a task one of the few losses
 * that it may have in a row.
 */
export class MachineWatch {
  readonly #settings: MachineWatchSettings;
  readonly #clock: () => number;
  readonly #lookEveryMs: number;
  readonly #timer: NodeJS.Timeout;
  #folders: readonly NeededFolder[] = [];
  #fault: KnownFault | undefined;
  #faultyUntil = 0;
  #pauseMs = 0;
  #looking: Promise<void> | undefined;

  constructor(settings: MachineWatchSettings) {
    this.#settings = settings;
    this.#clock = settings.clock ?? (() => performance.now());
    this.#lookEveryMs = settings.lookEveryMs ?? defaultLookEveryMs;
    this.#timer = setInterval(() => void this.look(), this.#lookEveryMs);
    this.#timer.unref();
  }

  /** Undefined: no fault is known. */
  get fault(): KnownFault | undefined {
    return this.#fault;
  }

  /** Sets the folders that attempts need from now on. */
  needs(folders: readonly NeededFolder[]): void {
    this.#folders = folders;
  }

  /** @returns the machine's part in an error; undefined if it has none */
  blame(error: unknown): MachineFault | undefined {
    const fault = machineFaultOf(error);
    const isNew = fault !== undefined && this.#fault === undefined;
    if (fault) this.#fall(knownFault(fault, "this machine", error));
    // A check may find out more than the error says.
    if (isNew) void this.look();
    return fault;
  }

  /** Tests everything now. */
  async confirm(): Promise<KnownFault | undefined> {
    const fault = await probeMachine(this.#folders);
    if (fault) this.#fall(fault);
    return fault;
  }

  /** Checks the current state; never rejects. */
  look(): Promise<void> {
    this.#looking ??= this.#look()
      .catch((error) => this.#settings.log.warn({ err: error }, "the machine could not be checked"))
      .finally(() => (this.#looking = undefined));
    return this.#looking;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #look(): Promise<void> {
    const found = await (this.#fault ? probeMachine(this.#folders) : lookAtDisks(this.#folders));
    const now = this.#clock();
    if (found) this.#tell(found);
    else if (now >= this.#faultyUntil) this.#tell(undefined);
    if (this.#fault === undefined && now > this.#faultyUntil + longestPauseMs) this.#pauseMs = 0;
  }

  #fall(fault: KnownFault): void {
    // Many attempts meet the same fault at the same time; only a fault after the machine was sound again counts as another one.
    if (this.#fault === undefined) this.#pauseMs = Math.min(longestPauseMs, Math.max(this.#lookEveryMs, 2 * this.#pauseMs));
    this.#faultyUntil = this.#clock() + this.#pauseMs;
    this.#tell(fault);
  }

  #tell(fault: KnownFault | undefined): void {
    const before = this.#fault;
    this.#fault = fault;
    const { log } = this.#settings;
    if (fault !== undefined && fault.words !== before?.words)
      log.warn({ problem: fault.detail }, "this worker accepts no tasks for now; it checks again every few seconds");
    if (fault === undefined && before !== undefined) log.info({}, "the machine works again; this worker accepts tasks");
  }
}
