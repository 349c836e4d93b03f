import type { Log } from "../../base/log.ts";
import { type MachineFault, machineFaultOf } from "../../base/machine-fault.ts";
import type { NeededFolder } from "./disk-space.ts";
import type { Illness } from "./illness.ts";
import { illnessOf, lookAtDisks, probeMachine } from "./probe-machine.ts";

export interface MachineWatchSettings {
  log: Pick<Log, "info" | "warn">;
  /** Pause between two looks, in ms. */
  lookEveryMs?: number | undefined;
  /** Monotonic milliseconds. */
  clock?: () => number;
}

const defaultLookEveryMs = 2_000;
const longestPauseMs = 60_000;

/**
 * Whether this machine can run attempts now. States: `well`; `ill`: it takes none, and everything that an attempt needs is tried every few
 * seconds. It falls ill by an error that the service has met while it prepared, ran or ended an attempt, or by a look at the disks; a look that
 * finds nothing makes it well. After an error it stays ill for a while, longer each time that it comes again soon: what takes part in a fault
 * may be gone with the attempts that met it, and each of them costs a task one of the few losses that it may have in a row.
 */
export class MachineWatch {
  readonly #settings: MachineWatchSettings;
  readonly #clock: () => number;
  readonly #lookEveryMs: number;
  readonly #timer: NodeJS.Timeout;
  #folders: readonly NeededFolder[] = [];
  #illness: Illness | undefined;
  #illUntil = 0;
  #pauseMs = 0;
  #looking: Promise<void> | undefined;

  constructor(settings: MachineWatchSettings) {
    this.#settings = settings;
    this.#clock = settings.clock ?? (() => performance.now());
    this.#lookEveryMs = settings.lookEveryMs ?? defaultLookEveryMs;
    this.#timer = setInterval(() => void this.look(), this.#lookEveryMs);
    this.#timer.unref();
  }

  /** Undefined: it is well. */
  get illness(): Illness | undefined {
    return this.#illness;
  }

  /** From now on these are what attempts need. */
  needs(folders: readonly NeededFolder[]): void {
    this.#folders = folders;
  }

  /** @returns the machine's part in an error; undefined: it has none */
  blame(error: unknown): MachineFault | undefined {
    const fault = machineFaultOf(error);
    const isNew = fault !== undefined && this.#illness === undefined;
    if (fault) this.#fall(illnessOf(fault, "this machine", error));
    // It may find out more than an error says.
    if (isNew) void this.look();
    return fault;
  }

  /** Tries everything now. */
  async confirm(): Promise<Illness | undefined> {
    const illness = await probeMachine(this.#folders);
    if (illness) this.#fall(illness);
    return illness;
  }

  /** Looks whether it is as it was; never rejects. */
  look(): Promise<void> {
    this.#looking ??= this.#look()
      .catch((error) => this.#settings.log.warn({ err: error }, "the machine could not be looked at"))
      .finally(() => (this.#looking = undefined));
    return this.#looking;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #look(): Promise<void> {
    const found = await (this.#illness ? probeMachine(this.#folders) : lookAtDisks(this.#folders));
    const now = this.#clock();
    if (found) this.#tell(found);
    else if (now >= this.#illUntil) this.#tell(undefined);
    if (this.#illness === undefined && now > this.#illUntil + longestPauseMs) this.#pauseMs = 0;
  }

  #fall(illness: Illness): void {
    // Many attempts meet the same fault at once; only one that comes after it seemed to be well is another one.
    if (this.#illness === undefined) this.#pauseMs = Math.min(longestPauseMs, Math.max(this.#lookEveryMs, 2 * this.#pauseMs));
    this.#illUntil = this.#clock() + this.#pauseMs;
    this.#tell(illness);
  }

  #tell(illness: Illness | undefined): void {
    const before = this.#illness;
    this.#illness = illness;
    const { log } = this.#settings;
    if (illness !== undefined && illness.words !== before?.words)
      log.warn({ problem: illness.detail }, "this worker takes no tasks for now; it looks again every few seconds");
    if (illness === undefined && before !== undefined) log.info({}, "the machine is well again; this worker takes tasks");
  }
}
