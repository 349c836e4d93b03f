import { hostname } from "node:os";
import { type MachineFault, machineFaultOf } from "../base/error/machine-fault.ts";
import type { Log } from "../base/process/log.ts";
import type { ExecutorKind } from "../core/task/tekton/runnable.ts";
import type { Executor, ExecutorState, Job, JobHandle, TakeLines } from "../engine/executor.ts";
import { describeFault, type KnownFault } from "./machine/known-fault.ts";
import { knownFault } from "./machine/machine-watch.ts";

/** An executor of this process, with the functions that only the process that opened it uses. */
export type OpenExecutor = Executor & {
  /**
   * From now on, nothing runs that is allowed for a single user only: the service turned out to be open to others. Absent: there is no such
   * thing.
   */
  forbidUnsandboxed?(): void;
  /** What is allowed only for a single user, as a sentence. */
  onePersonNotice?(): string | undefined;
  /** Closes it; no job may be running any more. */
  close(): Promise<void>;
};

const tryEveryMs = 2_000;

/**
 * An executor that could not be opened because of a fault of the machine, e.g. a full disk: the process starts without it, and it is opened
 * as soon as that works. Until then it is not available, so nothing is claimed for it.
 */
export class LateExecutor implements OpenExecutor {
  readonly kind: ExecutorKind;
  readonly #open: () => Promise<OpenExecutor>;
  readonly #log: Pick<Log, "warn">;
  readonly #timer: NodeJS.Timeout;
  #opened: OpenExecutor | undefined;
  #fault: KnownFault;
  #opening: Promise<void> | undefined;
  #isForbidden = false;

  /** @param error of the first try, caused by a fault of the machine */
  constructor(kind: ExecutorKind, open: () => Promise<OpenExecutor>, error: unknown, log: Pick<Log, "warn">) {
    this.kind = kind;
    this.#open = open;
    this.#log = log;
    this.#fault = knownFault(machineFaultOf(error) as MachineFault, "this machine", error);
    this.#timer = setInterval(() => (this.#opening ??= this.#try().finally(() => (this.#opening = undefined))), tryEveryMs);
    this.#timer.unref();
    log.warn({ err: error, executor: kind }, "an executor could not be opened because of a machine fault; retrying every few seconds");
  }

  get workspaces(): OpenExecutor["workspaces"] {
    return this.#opened?.workspaces;
  }

  describe(): ExecutorState {
    return this.#opened?.describe() ?? describeFault(this.#fault, "none");
  }

  blame(error: unknown): MachineFault | undefined {
    return this.#opened?.blame?.(error) ?? machineFaultOf(error);
  }

  place(...asked: Parameters<OpenExecutor["place"]>): string | undefined {
    return this.#opened?.place(...asked);
  }

  start(job: Job, onLines: TakeLines): JobHandle {
    if (this.#opened) return this.#opened.start(job, onLines);
    const outcome = { status: "lost", reason: "MachineFault", message: this.#fault.words, results: [], isolation: "none" } as const;
    return { done: Promise.resolve({ ...outcome, results: [], host: hostname() }), stop: () => undefined };
  }

  /** Also applies to an executor that is opened later. */
  forbidUnsandboxed(): void {
    this.#isForbidden = true;
    this.#opened?.forbidUnsandboxed?.();
  }

  onePersonNotice(): string | undefined {
    return this.#opened?.onePersonNotice?.();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#opening;
    await this.#opened?.close();
  }

  async #try(): Promise<void> {
    try {
      const opened = await this.#open();
      if (this.#isForbidden) opened.forbidUnsandboxed?.();
      this.#opened = opened;
      clearInterval(this.#timer);
    } catch (error) {
      const fault = machineFaultOf(error);
      if (fault) this.#fault = knownFault(fault, "this machine", error);
      else this.#log.warn({ err: error, executor: this.kind }, "an executor could not be opened");
    }
  }
}
