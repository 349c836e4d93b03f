interface Request {
  bytes: number;
  admit(reservation: Reservation): void;
}

/**
 * Memory that many readers share. Each reserves before it takes, so the total stays below the bound however many readers there are.
 * Those that wait are admitted in turns: one of each group, and in a group in the order of asking. So many readers of one team
 * delay those of another by one place only. A reservation shrinks when its holder needs less, and is given back at the end.
 */
export class ByteBudget {
  readonly total: number;
  #used = 0;
  /** By group; the first one is next. */
  readonly #queues = new Map<string, Request[]>();

  constructor(total: number) {
    this.total = total;
  }

  get used(): number {
    return this.#used;
  }

  /** True while someone waits for what others hold. */
  get isShort(): boolean {
    return this.#queues.size > 0;
  }

  /** @returns the reservation, or undefined when `signal` came first */
  reserve(bytes: number, signal?: AbortSignal, group = ""): Promise<Reservation | undefined> {
    // One that is larger than everything would wait forever; alone it may have all.
    const wanted = Math.min(bytes, this.total);
    if (signal?.aborted) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const request = { bytes: wanted, admit };
      const leave = () => {
        this.#leave(group, request);
        resolve(undefined);
        this.#admitNext();
      };
      function admit(reservation: Reservation): void {
        signal?.removeEventListener("abort", leave);
        resolve(reservation);
      }
      signal?.addEventListener("abort", leave, { once: true });
      const queue = this.#queues.get(group);
      if (queue) queue.push(request);
      else this.#queues.set(group, [request]);
      this.#admitNext();
    });
  }

  /** Reserves for as long as `work` takes. */
  async use<T>(bytes: number, work: () => Promise<T>): Promise<T> {
    const reservation = await this.reserve(bytes);
    try {
      return await work();
    } finally {
      reservation?.release();
    }
  }

  /** A request that does not fit is not overtaken: large ones would wait forever. */
  #admitNext(): void {
    for (const [group, [first]] of this.#queues) {
      if (first === undefined || this.#used + first.bytes > this.total) return;
      this.#leave(group, first);
      this.#used += first.bytes;
      first.admit(this.#reservation(first.bytes));
    }
  }

  /** The rest of the group goes behind all other groups. */
  #leave(group: string, request: Request): void {
    const rest = (this.#queues.get(group) ?? []).filter((other) => other !== request);
    this.#queues.delete(group);
    if (rest.length > 0) this.#queues.set(group, rest);
  }

  #reservation(bytes: number): Reservation {
    let held = bytes;
    const shrinkTo = (rest: number) => {
      if (rest >= held) return;
      this.#used -= held - rest;
      held = rest;
      this.#admitNext();
    };
    return { shrinkTo, release: () => shrinkTo(0) };
  }
}

export interface Reservation {
  /** Gives back what is beyond so many bytes; never takes more. */
  shrinkTo(bytes: number): void;
  /** Gives back all. A second call does nothing. */
  release(): void;
}
