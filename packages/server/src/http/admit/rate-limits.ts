import { AppError } from "../../base/error/app-error.ts";
import { networkOf } from "../../base/network/ip-ranges.ts";
import type { Database } from "../../store/database/database.ts";
import { createBuckets } from "./token-buckets.ts";

/**
 * How often one caller may ask, counted in the memory of this process: with several processes a caller has so much in each.
 *
 * Two buckets count: that of the address, before anything else is done, and that of the credential, once it is known to be good. A
 * third one counts credentials that turned out to be bad, and sign-ins that failed, by address. When that is empty, what the address
 * sends further is refused unseen: credentials that have not been good here lately, and writes that need none (sign-in,
 * activation). Callers behind the same address whose credentials are good go on meanwhile.
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
