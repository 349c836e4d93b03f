import { LRUCache } from "lru-cache";

/**
 * What /metrics tells of the caches of this process, by their name. Several caches may have one name (one for each server, executor
 * or account): their figures are added up. Hits and misses only grow, also when a cache is gone.
 */
interface CacheFigures {
  name: string;
  entries: number;
  /** As estimated by the cache; undefined where the number of entries is what is bounded. */
  bytes: number | undefined;
  hits: number;
  misses: number;
}

interface CacheCounts {
  hits: number;
  misses: number;
}

/** What is asked of a cache when someone wants to know. */
interface CountedCache {
  readonly entries: number;
  readonly bytes: number | undefined;
}

interface Named {
  counts: CacheCounts;
  /** Weak, so that a cache goes with its owner. */
  caches: Set<WeakRef<CountedCache>>;
}

const known = new Map<string, Named>();

/** @returns where the cache counts */
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

/** Entries of about one size are bounded by their number, others by the bytes that they take together. */
type CacheBound<Value> = { maxEntries: number } | { maxBytes: number; bytesOf(value: Value, key: string): number };

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
