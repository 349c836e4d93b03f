/**
 * Token buckets by key, in memory. A bucket fills with time up to its burst, and each request takes one out of it. A full bucket is as
 * good as none, so those that have filled up are forgotten when there are too many; if that is not enough, the oldest ones are.
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

/** @param rates asked for each time */
export function createBuckets(rates: () => { requestsPerSecond: number; burst: number }, nowMs: () => number): Buckets {
  const buckets = new Map<string, Bucket>();

  function filled(key: string): Bucket {
    const now = nowMs();
    const { requestsPerSecond, burst } = rates();
    let bucket = buckets.get(key);
    if (bucket === undefined) {
      if (buckets.size >= maxBuckets) forget(now);
      bucket = { tokens: burst, at: now };
      buckets.set(key, bucket);
    }
    bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) * requestsPerSecond) / 1000);
    bucket.at = now;
    return bucket;
  }

  function forget(now: number): void {
    const { requestsPerSecond, burst } = rates();
    for (const [key, { tokens, at }] of buckets) if (tokens + ((now - at) * requestsPerSecond) / 1000 >= burst) buckets.delete(key);
    for (const key of buckets.keys()) {
      if (buckets.size < maxBuckets / 2) break;
      buckets.delete(key);
    }
  }

  const wait = ({ tokens }: Bucket) => (tokens >= 1 ? 0 : (1 - tokens) / rates().requestsPerSecond);
  return {
    take(key) {
      const bucket = filled(key);
      const seconds = wait(bucket);
      if (seconds === 0) bucket.tokens -= 1;
      return seconds;
    },
    secondsUntilOne: (key) => (buckets.has(key) ? wait(filled(key)) : 0),
    has: (key) => buckets.has(key),
  };
}
