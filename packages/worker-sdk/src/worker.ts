import { type AttemptName, type Claim, type Outcome, Protocol, type ProtocolOptions, ServiceError } from "./protocol.ts";
import { type RunningAttempt, runAttempt } from "./run-attempt.ts";
import type { Task } from "./task.ts";

// biome-ignore lint/performance/noBarrelFile: what users import of the package, which has one entry
export { definitionOf } from "./definition.ts";
export { ServiceError } from "./protocol.ts";
export {
  MachineFault,
  type ParamDefinition,
  type ParamDefinitions,
  type ParamType,
  type Task,
  type TaskContext,
  type TaskDefinition,
  type TaskFunction,
  TerminalError,
  task,
} from "./task.ts";

/**
 * A worker: claims attempts of its tasks while it has free slots, runs them, and reports their ends. Ends that occur during a report are
 * reported together with the next one. Each report also claims new attempts for the slots that become free, so that a chain of tasks costs
 * one request for each. The other slots are filled by a claim that waits for work.
 *
 * A slot is free, runs an attempt, or is reserved for a request in progress, so two requests never fill the same one.
 */
export interface WorkerOptions extends ProtocolOptions {
  tasks: Readonly<Record<string, Task>>;
  /** The most attempts at the same time; 10 by default. */
  concurrency?: number;
  /** Name shown to people; the name of the token by default. */
  name?: string;
  /** If the worker does not respond for this long, its attempts go to other workers; 30 by default. */
  leaseSeconds?: number;
  /** How long `stop` waits for running attempts; 30 by default. */
  graceSeconds?: number;
  /**
   * Called for problems that the worker recovers from by itself, such as a service that does not respond; by default it emits a process
   * warning.
   */
  onWarning?: (message: string) => void;
}

export interface Worker {
  /**
   * Works until `stop` is called, or SIGTERM or SIGINT is received. @throws ServiceError that a retry would not fix, such as an invalid
   * token
   */
  run(): Promise<void>;
  /** Stops claiming, lets running attempts end within the grace period, and returns the rest to the service. */
  stop(): Promise<void>;
}

export function worker(options: WorkerOptions): Worker {
  return new TaskWorker(options);
}

const mostClaims = 100;
const mostReports = 100;
const pollSeconds = 20;
const longestPauseMs = 10_000;
/** After this time, the heartbeat must include an attempt, so that its cancellation is noticed. */
const soonMs = 1000;

class TaskWorker implements Worker {
  readonly #options: Required<Omit<WorkerOptions, "name">> & { name: string | undefined };
  readonly #protocol: Protocol;
  readonly #running = new Map<string, RunningAttempt>();
  readonly #ended: Outcome[] = [];
  /**
   * The ended attempts, including those in the current report: heartbeats name them, otherwise the service would assume that their claims
   * never arrived.
   */
  readonly #unreported = new Set<Outcome>();
  #id: string | undefined;
  #reserved = 0;
  #isReporting = false;
  #isStopping = false;
  #stopped: Promise<void> | undefined;
  #failure: unknown;
  /** Cancels the waiting claim, and the pause before the next. */
  #claiming = new AbortController();
  readonly #stopBeats = new AbortController();
  #beat = new AbortController();
  /** Attempts that the current heartbeat names. */
  #watched = new Set<string>();
  #renewal: NodeJS.Timeout | undefined;
  #wakeClaims = () => {};
  #wakeDrain = () => {};

  constructor({ name, ...options }: WorkerOptions) {
    const preset = {
      concurrency: 10,
      leaseSeconds: 30,
      graceSeconds: 30,
      onWarning: (message: string) => process.emitWarning(message, "MillraceWorker"),
    };
    this.#options = { ...preset, ...options, name };
    this.#protocol = new Protocol(options);
  }

  async run(): Promise<void> {
    const stop = () => void this.stop();
    process.on("SIGTERM", stop).on("SIGINT", stop);
    const beating = this.#keepBeating();
    try {
      await this.#keepClaiming();
      this.#stopped ??= this.#finish();
      await this.#stopped;
    } finally {
      this.#stopBeats.abort();
      this.#beat.abort();
      await beating;
      process.off("SIGTERM", stop).off("SIGINT", stop);
    }
    if (this.#failure !== undefined) throw this.#failure;
  }

  stop(): Promise<void> {
    this.#isStopping = true;
    this.#claiming.abort();
    this.#wakeClaims();
    this.#stopped ??= this.#finish();
    return this.#stopped;
  }

  get #free(): number {
    return this.#options.concurrency - this.#running.size - this.#ended.length - this.#reserved;
  }

  async #keepClaiming(): Promise<void> {
    for (let failures = 0; !this.#isStopping; ) {
      const max = Math.min(this.#free, mostClaims);
      if (max <= 0) {
        await new Promise<void>((resolve) => {
          this.#wakeClaims = resolve;
          if (this.#free > 0 || this.#isStopping) resolve();
        });
        continue;
      }
      this.#reserved += max;
      try {
        const claims = await this.#claim(max);
        this.#reserved -= max;
        for (const claim of claims) this.#start(claim);
        failures = 0;
      } catch (error) {
        this.#reserved -= max;
        if (this.#isStopping) return;
        failures += 1;
        await this.#getOver(error, failures);
      }
    }
  }

  async #claim(max: number): Promise<Claim[]> {
    const { tasks, name, leaseSeconds } = this.#options;
    const who = this.#id === undefined ? { name, leaseSeconds } : { worker: this.#id };
    // The first claim does not wait, since everything after it needs the worker's id.
    const wait = this.#id === undefined ? 0 : pollSeconds;
    const body = { ...who, tasks: Object.keys(tasks), max, wait };
    this.#claiming = new AbortController();
    const answer = await this.#protocol.claim(body, this.#claiming);
    if (this.#id === undefined) for (const warning of answer.warnings ?? []) this.#options.onWarning(warning);
    this.#id = answer.worker;
    return answer.attempts;
  }

  /** Pauses before the next claim, or stops the worker if a retry would not help. */
  async #getOver(error: unknown, failures: number): Promise<void> {
    if (error instanceof ServiceError && error.status === 404 && this.#id !== undefined) return this.#forget();
    if (error instanceof ServiceError && !error.isTemporary) {
      this.#failure = error;
      this.#isStopping = true;
      return;
    }
    const retryAfter = error instanceof ServiceError ? error.retryAfter : undefined;
    const pauseMs = Math.min((retryAfter ?? 0) * 1000 || 100 * 2 ** failures, longestPauseMs);
    this.#options.onWarning(`the service could not be asked for tasks (${messageOf(error)}); trying again in ${pauseMs} ms`);
    this.#claiming = new AbortController();
    await pause(pauseMs, this.#claiming.signal);
  }

  /** The lease expired so long ago that the service has forgotten the worker and all of its attempts. */
  #forget(): void {
    this.#id = undefined;
    for (const running of this.#running.values()) running.stop("the worker has lost its lease");
  }

  #start(claim: Claim): void {
    const task = this.#options.tasks[claim.task] as Task;
    const running = runAttempt(this.#protocol, task, claim, () => this.#id);
    this.#running.set(claim.id, running);
    void running.done.then((outcome) => this.#end(running, outcome));
  }

  #end(running: RunningAttempt, outcome: Outcome): void {
    // An attempt that was returned to the service may have come back here as a new attempt.
    if (this.#running.get(outcome.id) === running) this.#running.delete(outcome.id);
    this.#ended.push(outcome);
    this.#unreported.add(outcome);
    if (!this.#isReporting) void this.#report();
  }

  /** Sends one report after the other; attempts that end in the meantime are reported together. */
  async #report(): Promise<void> {
    this.#isReporting = true;
    // Attempts that end in the same turn of the event loop are reported together.
    await new Promise((resolve) => setImmediate(resolve));
    for (let failures = 0; this.#ended.length > 0; ) {
      const batch = this.#takeBatch();
      this.#reserved += batch.length;
      try {
        const claims = await this.#complete(batch);
        this.#reserved -= batch.length;
        for (const outcome of batch) this.#unreported.delete(outcome);
        for (const claim of claims) this.#start(claim);
        failures = 0;
      } catch (error) {
        this.#reserved -= batch.length;
        failures += 1;
        if (error instanceof ServiceError && !error.isTemporary) this.#giveUp(batch, error);
        else this.#ended.unshift(...batch);
        if (failures === 1)
          this.#options.onWarning(`the ends of ${batch.length} attempts could not be reported (${messageOf(error)}); trying again`);
        await pause(Math.min(100 * 2 ** failures, longestPauseMs), this.#stopBeats.signal);
        if (this.#stopBeats.signal.aborted) break;
      }
      this.#wakeClaims();
    }
    this.#isReporting = false;
    this.#wakeDrain();
  }

  /** As many as fit into one request. */
  #takeBatch(): Outcome[] {
    let characters = 0;
    let count = 0;
    while (count < Math.min(this.#ended.length, mostReports)) {
      characters += JSON.stringify(this.#ended[count]).length;
      if (count > 0 && characters > 2_000_000) break;
      count += 1;
    }
    return this.#ended.splice(0, count);
  }

  async #complete(batch: readonly Outcome[]): Promise<Claim[]> {
    const claim = this.#isStopping ? undefined : { tasks: Object.keys(this.#options.tasks), max: batch.length };
    const { completed, claimed } = await this.#protocol.complete({ worker: this.#id, attempts: batch, claim });
    for (const [index, { recorded, status }] of completed.entries()) {
      const end = batch[index] as Outcome;
      // If the attempt was cancelled or timed out, the task has already been notified.
      if (!recorded && (status === undefined || status === "lost"))
        this.#options.onWarning(`attempt ${end.attempt} of task run ${end.id} went to another worker before it ended here`);
    }
    return claimed;
  }

  /**
   * If the service refuses an end, for example because its results are too large, the attempt fails; if the service refuses even that, it
   * is lost.
   */
  #giveUp(batch: readonly Outcome[], error: ServiceError): void {
    for (const outcome of batch) this.#unreported.delete(outcome);
    if (batch.length > 1) {
      // One of them causes the error, so they are reported one by one.
      for (const outcome of batch) this.#reportAlone(outcome);
      return;
    }
    for (const { id, attempt } of batch) this.#reportAlone({ id, attempt, status: "failed", message: error.message, retry: false });
  }

  #reportAlone(outcome: Outcome): void {
    this.#protocol.complete({ worker: this.#id, attempts: [outcome] }).catch((error) => {
      if (error instanceof ServiceError && error.status === 413 && outcome.status !== "failed")
        return this.#reportAlone({ id: outcome.id, attempt: outcome.attempt, status: "failed", message: error.message, retry: false });
      this.#options.onWarning(`the end of attempt ${outcome.attempt} of ${outcome.id} was refused: ${messageOf(error)}`);
    });
  }

  async #keepBeating(): Promise<void> {
    while (!this.#stopBeats.signal.aborted) {
      const everyMs = (this.#options.leaseSeconds * 1000) / 3;
      if (this.#id === undefined) {
        await pause(100, this.#stopBeats.signal);
        continue;
      }
      this.#beat = new AbortController();
      const held = [...this.#unreported, ...[...this.#running.values()].map(({ claim }) => claim)];
      const attempts = held.map(({ id, attempt }) => ({ id, attempt })).slice(0, 1000);
      this.#watched = new Set(attempts.map(({ id }) => id));
      this.#renewal = setTimeout(() => this.#renewWhenUnwatched(), soonMs);
      try {
        const wait = Math.min(30, everyMs / 1000);
        const { ended } = await this.#protocol.heartbeat({ worker: this.#id, attempts, wait }, this.#beat);
        this.#stopEnded(ended);
        // Attempts that take a while to stop are named again, and the service responds at once.
        if (ended.length > 0) await pause(200, this.#stopBeats.signal);
      } catch (error) {
        if (this.#stopBeats.signal.aborted || this.#beat.signal.aborted) continue;
        if (error instanceof ServiceError && error.status === 404) this.#forget();
        await pause(Math.min(1000, everyMs / 2), this.#stopBeats.signal);
      } finally {
        clearTimeout(this.#renewal);
      }
    }
  }

  /**
   * The current heartbeat does not name attempts that were claimed since it was sent. For those that take long, a new heartbeat is sent.
   */
  #renewWhenUnwatched(): void {
    const isOld = ({ startedAt }: RunningAttempt) => performance.now() - startedAt > soonMs;
    if ([...this.#running.values()].some((running) => !this.#watched.has(running.claim.id) && isOld(running))) return this.#beat.abort();
    this.#renewal = setTimeout(() => this.#renewWhenUnwatched(), soonMs);
  }

  #stopEnded(ended: readonly (AttemptName & { status?: string })[]): void {
    for (const { id, attempt, status } of ended) {
      const running = this.#running.get(id);
      if (running?.claim.attempt === attempt)
        running.stop(status === undefined ? "the attempt is over" : `the attempt has ended as ${status}`);
    }
  }

  /** Lets running attempts end within the grace period; the rest is returned to the service. */
  async #finish(): Promise<void> {
    const graceEnd = performance.now() + this.#options.graceSeconds * 1000;
    while (this.#running.size + this.#ended.length > 0 || this.#isReporting) {
      const leftMs = graceEnd - performance.now();
      if (leftMs <= 0) break;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, leftMs);
        this.#wakeDrain = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    for (const running of this.#running.values()) running.stop("the worker is stopping");
    this.#stopBeats.abort();
    this.#beat.abort();
    const id = this.#id;
    this.#id = undefined;
    if (id !== undefined) await this.#protocol.leave({ worker: id }).catch(() => {});
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end);
  });
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
