/**
 * Lets a limited number through at a time, the others in their order. Something that takes longer than the patience continues, but its
 * place is given to the next.
 */
export class Gate {
  readonly #waiting: (() => void)[] = [];
  readonly #patienceMs: number;
  #free: number;

  constructor(places: number, patienceMs: number) {
    this.#free = places;
    this.#patienceMs = patienceMs;
  }

  async pass<T>(act: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    let hasPlace = true;
    const leave = (): void => {
      if (!hasPlace) return;
      hasPlace = false;
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free++;
    };
    const timer = setTimeout(leave, this.#patienceMs);
    try {
      return await act();
    } finally {
      clearTimeout(timer);
      leave();
    }
  }
}
