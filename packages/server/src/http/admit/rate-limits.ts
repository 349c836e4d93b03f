import type { FastifyRequest } from "fastify";
import { AppError } from "../../base/error/app-error.ts";
import { networkOf } from "../../base/network/ip-ranges.ts";
import { BoundedCache } from "../../base/process/bounded-cache.ts";
import { hasCredential } from "../../policy/allows.ts";
import type { Database } from "../../store/database/database.ts";

/**
 * How often one caller may ask, counted in the memory of this process: with several processes a caller has so much in each.
 *
 * Two buckets count: that of the address, before anything else is done, and that of the credential, once it is known to be good. A
 * third one counts credentials that turned out to be bad, and sign-ins that failed, by address. When that is empty, what the address
 * sends further is refused unseen: credentials that have not been good here lately, and writes that need none (sign-in,
 * activation). Callers behind the same address whose credentials are good continue meanwhile.
 *
 * What a monitor asks is never refused.
 */
export interface RateLimits {
  /** Throws TOO_MANY_REQUESTS when the address has asked too often. */
  takeAddress(address: string): void;
  /** As above, for a credential that is good. */
  takeCredential(credential: string): void;
  /** Throws TOO_MANY_REQUESTS when the address failed too often, unless that credential has been good here lately. */
  checkFailures(address: string, credential: string | undefined): void;
  countFailure(address: string): void;
}

/** Settings: they are asked for at each request, so a change counts at once. */
interface Rates {
  requestsPerSecond: number;
  /** How many may come at once after a pause. */
  burst: number;
}

const defaultRates: Rates = { requestsPerSecond: 10_000, burst: 20_000 };
/** Bad credentials and failed sign-ins of one address. */
const defaultFailuresPerMinute = 100;

const exempt: ReadonlySet<string> = new Set(["/health", "/ready", "/metrics"]);

/** @param endpoint its route's path, with `:name` for a parameter */
export function isLimited({ path }: { path: string }): boolean {
  return !exempt.has(path);
}

export interface RateLimitOptions {
  rates?: () => Rates;
  failuresPerMinute?: number;
  /** A clock that only goes forward; tests bring their own. */
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

/** What keeps the settings in memory, as far as it is needed here. */
interface KnownSettings {
  load(db: Database): Promise<{ rateLimit: Rates }>;
}

/**
 * The rates that the settings name. No request waits for them: it goes by what is known, and what has changed counts from the next one on.
 * While the database is away the last ones hold.
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
 * Token buckets by key, in memory. A bucket fills with time up to its burst, and each request takes one out of it. When there
 * are too many, those that nobody asked for the longest go, which have filled up most: a full bucket is as good as none.
 */
interface Buckets {
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

/**
 * As whom a request counts where callers share something. Without a credential the address, also for a signature, which is checked only
 * when the body is there. All tokens of a team are one caller, since a team makes as many as it likes.
 */
export function countedAs({ caller, ip }: FastifyRequest): string {
  if (caller === undefined || !hasCredential(caller.principal)) return networkOf(ip);
  return caller.principal.teamId ?? caller.principal.id;
}
