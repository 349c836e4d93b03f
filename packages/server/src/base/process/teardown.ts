import type { Log } from "./log.ts";

/** Something that ends with the process. */
export interface Part {
  /** For the log: "the requests", "the service worker". */
  name: string;
  stop(): Promise<unknown>;
}

/**
 * How a process ends. Parts that were started later may use earlier ones, so they are grouped into stages: the parts of a stage stop at the
 * same time, and the stages one after the other, the last one first.
 *
 * A part that fails, or exceeds the time limit of its stage, is logged and left behind: a part that hangs must not prevent the others from
 * ending properly, nor the process from ending at all.
 */
export class Teardown {
  readonly #log: Log;
  readonly #stages: { withinMs: number; parts: Part[] }[] = [];
  #run: Promise<void> | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Opens the next stage. Its parts may be added as they are started. */
  stage(withinMs: number): Part[] {
    const parts: Part[] = [];
    this.#stages.push({ withinMs, parts });
    return parts;
  }

  /**
   * Stops everything, once; every call waits for the same end.
   * @throws AggregateError about what failed or was left behind, after all stages
   */
  run(): Promise<void> {
    this.#run ??= this.#stopStages();
    return this.#run;
  }

  async #stopStages(): Promise<void> {
    const failures: unknown[] = [];
    for (const { withinMs, parts } of [...this.#stages].reverse()) {
      const results = await Promise.allSettled(parts.map((part) => stopWithin(part, withinMs)));
      for (const result of results) if (result.status === "rejected") failures.push(result.reason);
    }
    for (const failure of failures) this.#log.error({ err: failure }, "a part of the process failed to stop");
    if (failures.length > 0) throw new AggregateError(failures, "Not every part of the process stopped");
  }
}

async function stopWithin({ name, stop }: Part, withinMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`did not finish within ${withinMs / 1000} s`)), withinMs);
  });
  try {
    await Promise.race([stop(), late]);
  } catch (cause) {
    throw new Error(`${name} failed to stop: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  } finally {
    clearTimeout(timer);
  }
}
