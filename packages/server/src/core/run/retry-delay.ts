/** The delay before a retry. All in milliseconds. */
export interface Backoff {
  backoffMs: number;
  factor: number;
  maxBackoffMs: number;
}

/** Retries of many task runs that failed together are spread by up to this share of the delay, in both directions. */
const jitter = 0.25;

/**
 * The pause before a retry: `backoffMs x factor^retriesUsed`, at most `maxBackoffMs`, with a jitter of a quarter. The jitter comes from a
 * hash instead of a random number, so every process computes the same delay for a retry.
 * @param retriesUsed 0 for the first retry
 * @returns whole milliseconds, 0 .. maxBackoffMs
 */
export function retryDelayMs(backoff: Backoff, retriesUsed: number, id: string): number {
  const nominal = Math.min(backoff.backoffMs * backoff.factor ** retriesUsed, backoff.maxBackoffMs);
  const spread = 1 - jitter + 2 * jitter * fraction(`${id}#${retriesUsed}`);
  return Math.round(Math.max(0, Math.min(nominal * spread, backoff.maxBackoffMs)));
}

/** A number from 0 up to 1 that looks random: FNV-1a over the characters, then the final mix of MurmurHash3. */
function fraction(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
