const firstMs = 5_000;
const longestMs = 3_600_000;

/**
 * The pause after a failed attempt: 5 s, doubled each time, up to an hour. A random part between half and all of it is used, so that
 * deliveries that failed together are not retried together. The receiver may ask for a longer pause.
 *
 * @param attempt the one that failed, from 1
 * @param chance a random number, 0 <= chance < 1
 * @param retryAfterMs requested by the receiver
 */
export function deliveryDelayMs(attempt: number, chance: number, retryAfterMs = 0): number {
  const nominal = Math.min(firstMs * 2 ** (attempt - 1), longestMs);
  return Math.max(Math.round(nominal * (0.5 + chance / 2)), retryAfterMs);
}
