const firstMs = 5_000;
const longestMs = 3_600_000;

/**
 * The pause after a failed attempt: 5 s, then twice as long each time, at most an hour; of that, a random part between the half and all, so
 * that deliveries that failed together do not come back together. The other side may ask for longer.
 *
 * @param attempt the one that failed, from 1
 * @param chance from 0 up to 1
 * @param retryAfterMs what the other side asked for
 */
export function deliveryDelayMs(attempt: number, chance: number, retryAfterMs = 0): number {
  const nominal = Math.min(firstMs * 2 ** (attempt - 1), longestMs);
  return Math.max(Math.round(nominal * (0.5 + chance / 2)), retryAfterMs);
}
