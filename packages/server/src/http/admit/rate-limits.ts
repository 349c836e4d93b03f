import type { FastifyRequest } from "fastify";
import { AppError } from "../../base/error/app-error.ts";
import { networkOf } from "../../base/network/ip-ranges.ts";
import { BoundedCache } from "../../base/process/bounded-cache.ts";
import { hasCredential } from "../../policy/allows.ts";
import type { Database } from "../../store/database/database.ts";

/**
 * Limits how many requests a caller may send, counted in the memory of this process: with several processes, each allows that many.
 *
 * Two buckets count: that of the address, before anything else is done, and that of the credential, once it is known to be good. A
 * third one counts credentials that turned out to be bad, and sign-ins that failed, by address. When that is empty, what the address
 * sends further is refused unseen: credentials that have not been good here lately, and writes that need none (sign-in,
 * activation). Callers behind the same address whose credentials are good continue meanwhile.
 *
 * Requests of monitoring systems are never refused.
 */
export interface RateLimits {
  /** Throws TOO_MANY_REQUESTS if the address has sent too many requests. */
  takeAddress(address: string): void;
  /** The same for a valid credential. */
  takeCredential(credential: string): void;
  /** Throws TOO_MANY_REQUESTS if the address failed too often, unless that credential has been valid here lately. */
  checkFailures(address: string, credential: string | undefined): void;
  countFailure(address: string): void;
}

/** Settings, read for each request, so that a change takes effect at once. */
interface Rates {
  requestsPerSecond: number;
  /** How many requests may come at once after a pause. */
  burst: number;
}

const defaultRates: Rates = { requestsPerSecond: 10_000, burst: 20_000 };
/** Invalid credentials and failed sign-ins of one address. */
const defaultFailuresPerMinute = 100;

const exempt: ReadonlySet<string> = new Set(["/health", "/ready", "/metrics"]);

/** @param endpoint path of its route, with `:name` for a parameter */
export function isLimited({ path }: { path: string }): boolean {
  return !exempt.has(path);
}

export interface RateLimitOptions {
  rates?: () => Rates;
  failuresPerMinute?: number;
  /** A monotonic clock, which tests replace. */
  nowMs?: () => number;
}

export function createRateLimits(options: RateLimitOptions = {}): RateLimits {
  const { rates = () => defaultRates, failuresPerMinute = defaultFailuresPerMinute, nowMs = () => performance.now() } = options;
  const addresses = createBuckets("rate-addresses", rates, nowMs);
  const credentials = createBuckets("rate-credentials", rates, nowMs);
  const failures = createBuckets("rate-failures", () => ({ requestsPerSecond: failuresPerMinute / 60, burst: failuresPerMinute }), nowMs);
  return {
    takeAddress: (address) => refuseUntil(addresses.take(networkOf(address))),
    takeCredential: (credential) => refuseUntil(credentials.take(credential)),
    checkFailures(address, credential) {
      if (credential !== undefined && credentials.has(credential)) return;
      refuseUntil(failures.secondsUntilOne(networkOf(address)));
    },
    countFailure: (address) => void failures.take(networkOf(address)),
  };
}

function refuseUntil(seconds: number): void {
  if (seconds <= 0) return;
  const retryAfterSeconds = Math.ceil(seconds);
  throw new AppError("TOO_MANY_REQUESTS", [retryAfterSeconds], { retryAfterSeconds });
}

/** The cache of the settings, as far as it is needed here. */
interface KnownSettings {
  load(db: Database): Promise<{ rateLimit: Rates }>;
}

/**
 * The rates from the settings. No request waits for them: it uses the cached ones, and a change applies from the next request on. While the
 * database is unreachable, the last known rates apply.
 */
export function createLiveRates(settings: KnownSettings, sql: Database): () => Rates {
  let known = defaultRates;
  return () => {
    settings.load(sql).then(
      ({ rateLimit }) => {
        known = rateLimit;
      },
      () => undefined,
    );
    return known;
  };
}

/**
 * Token buckets by key, in memory. A bucket refills over time up to its burst, and each request takes one token. If there are too many
 * buckets, the least recently used ones are dropped. These have refilled most, and a full bucket is as good as none.
 */
interface Buckets {
  /** Takes one token. @returns 0, or the seconds until one is available */
  take(key: string): number;
  /** Like `take`, without taking a token. */
  secondsUntilOne(key: string): number;
  /** Whether a token was taken from it lately. */
  has(key: string): boolean;
}

interface Bucket {
  tokens: number;
  at: number;
}

const maxBuckets = 20_000;

/**
 * @param name of these buckets in /metrics
 * @param rates read for each request
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

/**
 * The key by which a request counts where callers share something. Without a credential it is the address; this includes signed requests,
 * because a signature can only be checked once the body has arrived. All tokens of a team count as one caller, since a team can create any
 * number of them.
 */
export function countedAs({ caller, ip }: FastifyRequest): string {
  if (caller === undefined || !hasCredential(caller.principal)) return networkOf(ip);
  return caller.principal.teamId ?? caller.principal.id;
}
