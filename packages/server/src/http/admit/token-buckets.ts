import { BoundedCache } from "../../base/process/bounded-cache.ts";

/**
 * Token buckets by key, in memory. A bucket fills with time up to its burst, and each request takes one out of it. When there
 * are too many, those that nobody asked for the longest go, which have filled up most: a full bucket is as good as none.
 */
export interface Buckets {
  /** Takes one out. @returns 0, or the seconds until there will be one */
  take(key: string): number;
  /** As `take`, and takes nothing. */
  secondsUntilOne(key: string): number;
  /** Whether something has been taken out of it lately. */
  has(key: string): boolean;
}

interface Bucket {
  tokens: number;
  at: number;
}

const maxBuckets = 20_000;

/**
 * @param name of these buckets in /metrics
 * @param rates asked for each time
 */
export function createBuckets(name: string, rates: () => { requestsPerSecond: number; burst: number }, nowMs: () => number): Buckets {
  const buckets = new BoundedCache<Bucket>(name, { maxEntries: maxBuckets });

  function filled(key: string): Bucket {
    const now = nowMs();
    const { requestsPerSecond, burst } = rates();
    let bucket = buckets.get(key);
    if (bucket === undefined) {
      bucket = { tokens: burst, at: now };
      buckets.set(key, bucket);
    }
    bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) * requestsPerSecond) / 1000);
    bucket.at = now;
    return bucket;
  }

  const wait = ({ tokens }: Bucket) => (tokens >= 1 ? 0 : (1 - tokens) / rates().requestsPerSecond);
  return {
    take(key) {
      const bucket = filled(key);
      const seconds = wait(bucket);
      if (seconds === 0) bucket.tokens -= 1;
      return seconds;
    },
    secondsUntilOne: (key) => (buckets.peek(key) ? wait(filled(key)) : 0),
    has: (key) => buckets.peek(key) !== undefined,
  };
}
