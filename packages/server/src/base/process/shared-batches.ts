/**
 * Work that costs little more for many than for one, such as a statement: what comes first goes at once, and what comes while it is under
 * way is the next batch. So nothing waits for a timer, and the more there is to do, the less each of it costs. Batches are of one key; those of
 * different keys don't wait for each other.
 */
export class SharedBatches<Item, Result> {
  readonly #maxItems: number;
  readonly #travel: (key: string, items: readonly Item[]) => Promise<readonly Result[]>;
  /** Of each key that has a batch under way: what waits for the next one. */
  readonly #waiting = new Map<string, Passenger<Item, Result>[]>();

  /** @param travel does the work of a batch. Its results are in the order of the items; an error is that of all of them */
  constructor(maxItems: number, travel: (key: string, items: readonly Item[]) => Promise<readonly Result[]>) {
    this.#maxItems = maxItems;
    this.#travel = travel;
  }

  join(key: string, item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      const passenger = { item, resolve, reject };
      const waiting = this.#waiting.get(key);
      if (waiting) waiting.push(passenger);
      else {
        this.#waiting.set(key, []);
        void this.#go(key, [passenger]);
      }
    });
  }

  async #go(key: string, first: readonly Passenger<Item, Result>[]): Promise<void> {
    for (let batch = first; batch.length > 0; batch = this.#next(key)) {
      try {
        const results = await this.#travel(
          key,
          batch.map(({ item }) => item),
        );
        for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#waiting.delete(key);
  }

  #next(key: string): readonly Passenger<Item, Result>[] {
    return this.#waiting.get(key)?.splice(0, this.#maxItems) ?? [];
  }
}

interface Passenger<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}
