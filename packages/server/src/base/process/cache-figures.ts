/**
 * What /metrics tells of the caches of this process, by their name. Several caches may have one name (one for each server, executor
 * or account): their figures are added up. Hits and misses only grow, also when a cache is gone.
 */
export interface CacheFigures {
  name: string;
  entries: number;
  /** As estimated by the cache; undefined where the number of entries is what is bounded. */
  bytes: number | undefined;
  hits: number;
  misses: number;
}

export interface CacheCounts {
  hits: number;
  misses: number;
}

/** What is asked of a cache when someone wants to know. */
export interface CountedCache {
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
export function countCache(name: string, cache: CountedCache): CacheCounts {
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
