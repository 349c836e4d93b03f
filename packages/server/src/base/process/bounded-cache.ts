import { LRUCache } from "lru-cache";
import { type CacheCounts, type CountedCache, countCache } from "./cache-figures.ts";

/** Entries of about one size are bounded by their number, others by the bytes that they take together. */
export type CacheBound<Value> = { maxEntries: number } | { maxBytes: number; bytesOf(value: Value, key: string): number };

/**
 * What this process keeps in memory to spare itself a question: what was used longest ago goes first. How full it is and how often it
 * helps stands in /metrics under its name. What becomes wrong with time is for the owner to know.
 */
export class BoundedCache<Value extends NonNullable<unknown>> implements CountedCache {
  readonly #entries: LRUCache<string, Value>;
  readonly #counts: CacheCounts;
  readonly #isInBytes: boolean;

  /** @param name for people, in kebab-case */
  constructor(name: string, bound: CacheBound<Value>) {
    this.#isInBytes = "maxBytes" in bound;
    // A size of one for each entry instead of `max`, which would take the memory for all of them at once.
    this.#entries = new LRUCache<string, Value>(
      "maxBytes" in bound
        ? { maxSize: bound.maxBytes, sizeCalculation: (value, key) => Math.max(1, Math.ceil(bound.bytesOf(value, key))) }
        : { maxSize: bound.maxEntries, sizeCalculation: () => 1 },
    );
    this.#counts = countCache(name, this);
  }

  get entries(): number {
    return this.#entries.size;
  }

  get bytes(): number | undefined {
    return this.#isInBytes ? this.#entries.calculatedSize : undefined;
  }

  /** @param isGood what is there and no longer good counts as missing */
  get(key: string, isGood?: (value: Value) => boolean): Value | undefined {
    const value = this.#entries.get(key);
    if (value === undefined || isGood?.(value) === false) {
      this.#counts.misses += 1;
      return undefined;
    }
    this.#counts.hits += 1;
    return value;
  }

  /** As `get`, for what is not the question that the cache is for: it neither counts nor makes the entry younger. */
  peek(key: string): Value | undefined {
    return this.#entries.peek(key);
  }

  /** One that alone takes more than all may have is not kept, nor what was there before. */
  set(key: string, value: Value): void {
    this.#entries.set(key, value);
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }

  keys(): Iterable<string> {
    return this.#entries.keys();
  }
}
