interface Pull {
  done: Promise<void>;
  controller: AbortController;
  waiting: number;
}

/** Pulls that are under way: each once at a time, however many attempts wait for it, and ended when none waits any more. */
export class SharedPulls {
  readonly #pulls = new Map<string, Pull>();

  /** @param key says what is pulled and with which credentials: nobody gets the answer that someone else's credentials got */
  async join(key: string, signal: AbortSignal, begin: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const pull = this.#pulls.get(key) ?? this.#begin(key, begin);
    pull.waiting++;
    try {
      await Promise.race([pull.done, aborted(signal)]);
    } finally {
      if (--pull.waiting === 0) pull.controller.abort();
    }
  }

  #begin(key: string, begin: (signal: AbortSignal) => Promise<void>): Pull {
    const controller = new AbortController();
    const done = begin(controller.signal).finally(() => this.#pulls.delete(key));
    done.catch(() => undefined);
    const pull = { done, controller, waiting: 0 };
    this.#pulls.set(key, pull);
    return pull;
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
