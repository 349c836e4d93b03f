import type { Log } from "./log.ts";

/** Background services: claims, sweeps, housekeeping. All of them start and stop in the same way, and can be asked for one round. */
export interface Service {
  readonly name: string;
  /** Starts the rounds. Does nothing if it is running already. The signal stops it like `stop`, without waiting. */
  start(signal?: AbortSignal): Promise<void>;
  /** Stops the rounds; resolves when the last one has ended. Does nothing if it is not running. */
  stop(): Promise<void>;
  /** One round now, whether started or not, never concurrent with another one: for tests, and for what must not wait. */
  tick(): Promise<void>;
}

/** `more`: there is probably more to do, so the next round follows at once. A number: milliseconds until the next one is due. */
export type RoundResult = "more" | number | undefined;

export interface LoopOptions {
  name: string;
  /** Time from the end of a round to the next, with a random deviation of up to a tenth, so that processes do not synchronize. */
  intervalMs: number;
  /** One round. The signal asks it to end. Throwing is not fatal: it is logged, and the next round comes a bit later. */
  round: (signal: AbortSignal) => Promise<RoundResult>;
  log: Log;
}

const maxErrorPauseMs = 5_000;

/**
 * A service that repeats one round: when the interval is over, or earlier when it is woken.
 *
 *     stopped --start--> running --stop--> stopping --(round over)--> stopped
 *
 * Starts and stops are queued, so any number of concurrent ones leave the state that the last one asked for. Rounds are queued, too. Wakes
 * during a round lead to one more round, however many there were.
 */
export class Loop implements Service {
  readonly name: string;
  readonly #options: LoopOptions;
  #running: { abort: AbortController; done: Promise<void> } | undefined;
  #changes: Promise<void> = Promise.resolve();
  #rounds: Promise<unknown> = Promise.resolve();
  #isWoken = false;
  #endPause: (() => void) | undefined;

  constructor(options: LoopOptions) {
    this.name = options.name;
    this.#options = options;
  }

  start(signal?: AbortSignal): Promise<void> {
    return this.#change(async () => {
      if (this.#running?.abort.signal.aborted) await this.#running.done;
      else if (this.#running) return;
      this.#running = undefined;
      if (signal?.aborted) return;
      const abort = new AbortController();
      const end = () => this.#abort(abort);
      signal?.addEventListener("abort", end, { once: true });
      const done = this.#run(abort.signal).finally(() => signal?.removeEventListener("abort", end));
      this.#running = { abort, done };
    });
  }

  stop(): Promise<void> {
    if (this.#running) this.#abort(this.#running.abort);
    return this.#change(async () => {
      if (!this.#running) return;
      this.#abort(this.#running.abort);
      await this.#running.done;
      this.#running = undefined;
    });
  }

  async tick(): Promise<void> {
    await this.#round(neverAborted);
  }

  /** Starts the next round now. Frequent calls cost nothing. */
  wake(): void {
    this.#isWoken = true;
    this.#endPause?.();
  }

  #change(act: () => Promise<void>): Promise<void> {
    this.#changes = this.#changes.then(act);
    return this.#changes;
  }

  #abort(abort: AbortController): void {
    abort.abort();
    this.#endPause?.();
  }

  async #run(signal: AbortSignal): Promise<void> {
    for (let failures = 0; !signal.aborted; ) {
      this.#isWoken = false;
      try {
        const result = await this.#round(signal);
        failures = 0;
        const pauseMs = typeof result === "number" ? result : this.#options.intervalMs * (0.9 + Math.random() / 5);
        if (result !== "more") await this.#pause(pauseMs, signal, () => this.#isWoken);
      } catch (error) {
        if (signal.aborted) return;
        failures++;
        this.#options.log.error(
          { err: error, service: this.name, failures },
          "a service failed in one round; it continues with the next one",
        );
        // Wakes do not shorten this pause: an unreachable database would otherwise be queried endlessly.
        const pauseMs = Math.min(50 * 2 ** failures, maxErrorPauseMs);
        await this.#pause(pauseMs * (0.5 + Math.random() / 2), signal, () => false);
      }
    }
  }

  #round(signal: AbortSignal): Promise<RoundResult> {
    const round = this.#rounds.then(() => (signal.aborted ? undefined : this.#options.round(signal)));
    this.#rounds = round.catch(() => {});
    return round;
  }

  async #pause(ms: number, signal: AbortSignal, isOver: () => boolean): Promise<void> {
    const end = performance.now() + ms;
    while (!signal.aborted && !isOver()) {
      const leftMs = end - performance.now();
      if (leftMs <= 0) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, leftMs);
        this.#endPause = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.#endPause = undefined;
    }
  }
}

const neverAborted = new AbortController().signal;

/** Starts them in order; if one fails, those before it are stopped again. */
export async function startServices(services: readonly Service[]): Promise<void> {
  const started: Service[] = [];
  try {
    for (const service of services) {
      await service.start();
      started.push(service);
    }
  } catch (error) {
    await stopServices(started);
    throw error;
  }
}

/** Stops them in reverse order; one that fails does not keep the others running. */
async function stopServices(services: readonly Service[]): Promise<void> {
  const failures: unknown[] = [];
  for (const service of [...services].reverse()) {
    await service.stop().catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw new AggregateError(failures, "some services failed to stop");
}
