import { setTimeout as wait } from "node:timers/promises";
import { StartError } from "../../base/error/start-error.ts";
import type { Log } from "../../base/process/log.ts";
import { type DatabaseAddress, describeAddress } from "./database-address.ts";
import { describeFailure, mayPass, remedyFor, unreachable } from "./database-failure.ts";

/**
 * Retries of a start. A connection may break at any moment between the first response and "ready": a pooler that restarts, a server that
 * fails over, a firewall. Each step can therefore be repeated safely, and is retried for a while; after that the start fails with one line.
 */
export class StartPatience {
  readonly #address: DatabaseAddress;
  readonly #setting: string;
  readonly #options: PatienceOptions;
  #hasTold = false;

  /** @param setting that holds the address, for messages */
  constructor(address: DatabaseAddress, setting: string, options: PatienceOptions) {
    this.#address = address;
    this.#setting = setting;
    this.#options = options;
  }

  /** @throws StartError that names the database and the remedy; anything else is a bug */
  async keepTrying<T>(act: () => Promise<T>): Promise<T> {
    const { patienceMs = defaultPatienceMs, signal } = this.#options;
    const deadline = performance.now() + patienceMs;
    for (let tries = 1; ; tries++) {
      signal?.throwIfAborted();
      try {
        return await act();
      } catch (error) {
        if (signal?.aborted || !(mayPass(error) && performance.now() < deadline)) throw this.explain(error);
        this.#tell(error, patienceMs);
      }
      await wait(Math.min(100 * tries, 1_000), undefined, { signal });
    }
  }

  /** A failure of the database as one line; any other error unchanged. */
  explain(error: unknown): unknown {
    if (error instanceof StartError || this.#options.signal?.aborted) return error;
    return mayPass(error) || remedyFor(error) !== undefined ? unreachable(this.#address, this.#setting, error) : error;
  }

  #tell(error: unknown, patienceMs: number): void {
    if (this.#hasTold) return;
    this.#hasTold = true;
    const where = `the database at ${describeAddress(this.#address)}`;
    this.#options.log.warn(`${where} does not respond yet (${describeFailure(error)}); trying for ${Math.round(patienceMs / 1000)} s`);
  }
}

export interface PatienceOptions {
  log: Pick<Log, "warn">;
  signal?: AbortSignal | undefined;
  /** How long one step is retried; a minute by default. */
  patienceMs?: number | undefined;
}

const defaultPatienceMs = 60_000;
