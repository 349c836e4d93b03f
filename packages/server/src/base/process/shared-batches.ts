/**
 * Work that costs little more for many items than for one, such as a statement: the first item is processed at once, and items that arrive
 * in the meantime form the next batch. So nothing waits for a timer, and the more there is to do, the less each item costs. A batch has
 * items of one key; those of different keys don't wait for each other.
 */
export class SharedBatches<Item, Result> {
  readonly #maxItems: number;
  readonly #run: (key: string, items: readonly Item[]) => Promise<readonly Result[]>;
  /** For each key with a batch in progress: the items of the next one. */
  readonly #waiting = new Map<string, Entry<Item, Result>[]>();

  /** @param run processes a batch. Its results are in the order of the items; an error applies to all of them */
  constructor(maxItems: number, run: (key: string, items: readonly Item[]) => Promise<readonly Result[]>) {
    this.#maxItems = maxItems;
    this.#run = run;
  }

  join(key: string, item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      const entry = { item, resolve, reject };
      const waiting = this.#waiting.get(key);
      if (waiting) waiting.push(entry);
      else {
        this.#waiting.set(key, []);
        void this.#go(key, [entry]);
      }
    });
  }

  async #go(key: string, first: readonly Entry<Item, Result>[]): Promise<void> {
    for (let batch = first; batch.length > 0; batch = this.#next(key)) {
      try {
        const results = await this.#run(
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

  #next(key: string): readonly Entry<Item, Result>[] {
    return this.#waiting.get(key)?.splice(0, this.#maxItems) ?? [];
  }
}

interface Entry<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}
