import { LRUCache } from "lru-cache";

/**
 * Metrics of the caches of this process, by their name. Several caches may have the same name (one for each server, executor or account):
 * their figures are added up. Hits and misses only grow, even if a cache no longer exists.
 */
interface CacheFigures {
  name: string;
  entries: number;
  /** As estimated by the cache; undefined if the number of entries is limited instead. */
  bytes: number | undefined;
  hits: number;
  misses: number;
}

interface CacheCounts {
  hits: number;
  misses: number;
}

/** Called when the metrics are read. */
interface CountedCache {
  readonly entries: number;
  readonly bytes: number | undefined;
}

interface Named {
  counts: CacheCounts;
  /** Weak, so that a cache is collected with its owner. */
  caches: Set<WeakRef<CountedCache>>;
}

const known = new Map<string, Named>();

/** @returns the counters of the cache */
function countCache(name: string, cache: CountedCache): CacheCounts {
  const named = known.get(name) ?? { counts: { hits: 0, misses: 0 }, caches: new Set() };
  known.set(name, named);
  named.caches.add(new WeakRef(cache));
  return named.counts;
}

export function readCacheFigures(): CacheFigures[] {
  return [...known].map(([name, { counts, caches }]) => {
    const figures: CacheFigures = { name, ...counts, entries: 0, bytes: undefined };
    for (const reference of caches) {
      const cache = reference.deref();
      if (cache === undefined) {
        caches.delete(reference);
        continue;
      }
      figures.entries += cache.entries;
      if (cache.bytes !== undefined) figures.bytes = (figures.bytes ?? 0) + cache.bytes;
    }
    return figures;
  });
}

/** The number of entries is limited if they have about the same size; otherwise the bytes that they use together. */
type CacheBound<Value> = { maxEntries: number } | { maxBytes: number; bytesOf(value: Value, key: string): number };

/**
 * An in-memory cache that evicts the least recently used entries. Its size and hit rate are in /metrics under its name. The owner is
 * responsible for removing entries that become wrong over time.
 */
export class BoundedCache<Value extends NonNullable<unknown>> implements CountedCache {
  readonly #entries: LRUCache<string, Value>;
  readonly #counts: CacheCounts;
  readonly #isInBytes: boolean;

  /** @param name for people, in kebab-case */
  constructor(name: string, bound: CacheBound<Value>) {
    this.#isInBytes = "maxBytes" in bound;
    // A size of one for each entry instead of `max`, which would allocate the memory for all of them at once.
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

  /** @param isGood an existing entry that is no longer good counts as missing */
  get(key: string, isGood?: (value: Value) => boolean): Value | undefined {
    const value = this.#entries.get(key);
    if (value === undefined || isGood?.(value) === false) {
      this.#counts.misses += 1;
      return undefined;
    }
    this.#counts.hits += 1;
    return value;
  }

  /** Like `get`, for secondary uses of the cache: it neither counts nor refreshes the entry. */
  peek(key: string): Value | undefined {
    return this.#entries.peek(key);
  }

  /** An entry that exceeds the limit by itself is not stored, and removes the previous one. */
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
