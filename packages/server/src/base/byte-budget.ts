/**
 * Memory that many readers share. Each reserves before it takes, in the order of asking, so that the total stays below the bound however
 * many readers there are, and nobody is overtaken. A reservation shrinks when its holder needs less, and is given back at the end.
 */
export class ByteBudget {
  readonly total: number;
  #used = 0;
  readonly #queue: { bytes: number; admit(reservation: Reservation): void }[] = [];

  constructor(total: number) {
    this.total = total;
  }

  get used(): number {
    return this.#used;
  }

  /** True while somebody waits for what others hold. */
  get isShort(): boolean {
    return this.#queue.length > 0;
  }

  /** @returns the reservation, or undefined when `signal` came first */
  reserve(bytes: number, signal?: AbortSignal): Promise<Reservation | undefined> {
    // One that is larger than everything would wait for ever; alone it may have all.
    const wanted = Math.min(bytes, this.total);
    if (signal?.aborted) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const request = { bytes: wanted, admit };
      const leave = () => {
        this.#queue.splice(this.#queue.indexOf(request), 1);
        resolve(undefined);
        this.#admitNext();
      };
      function admit(reservation: Reservation): void {
        signal?.removeEventListener("abort", leave);
        resolve(reservation);
      }
      signal?.addEventListener("abort", leave, { once: true });
      this.#queue.push(request);
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

  #admitNext(): void {
    for (let first = this.#queue[0]; first !== undefined && this.#used + first.bytes <= this.total; first = this.#queue[0]) {
      this.#queue.shift();
      this.#used += first.bytes;
      first.admit(this.#reservation(first.bytes));
    }
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
