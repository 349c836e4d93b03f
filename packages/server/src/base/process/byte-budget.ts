interface Request {
  bytes: number;
  admit(reservation: Reservation): void;
}

/**
 * Memory that many readers share. Each reserves before it allocates, so the total stays below the limit however many readers there are.
 * Waiting readers are admitted round-robin: one of each group, and within a group in order. So many readers of one team delay those of
 * another by one position only. A reservation shrinks when its holder needs less, and is released at the end.
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

  /** True while someone waits for memory that others hold. */
  get isShort(): boolean {
    return this.#queues.size > 0;
  }

  /** @returns the reservation, or undefined if `signal` was aborted first */
  reserve(bytes: number, signal?: AbortSignal, group = ""): Promise<Reservation | undefined> {
    // A request larger than the whole budget would wait forever; it gets all of it when nobody else holds any.
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

  /** Reserves while `work` runs. */
  async use<T>(bytes: number, work: () => Promise<T>): Promise<T> {
    const reservation = await this.reserve(bytes);
    try {
      return await work();
    } finally {
      reservation?.release();
    }
  }

  /** A request that does not fit is not overtaken, otherwise large ones would wait forever. */
  #admitNext(): void {
    for (const [group, [first]] of this.#queues) {
      if (first === undefined || this.#used + first.bytes > this.total) return;
      this.#leave(group, first);
      this.#used += first.bytes;
      first.admit(this.#reservation(first.bytes));
    }
  }

  /** The rest of the group is queued behind all other groups. */
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
  /** Releases what exceeds so many bytes; never reserves more. */
  shrinkTo(bytes: number): void;
  /** Releases everything. A second call does nothing. */
  release(): void;
}
