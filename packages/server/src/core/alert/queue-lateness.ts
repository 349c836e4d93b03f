/**
 * A queue is late from the moment at which its oldest task run has waited for the limit. It has recovered when the oldest one has waited
 * for less than half of that: a queue that stays near its limit would otherwise alert again and again.
 *
 * @param oldestAt since when the oldest task run waits; null: none does
 * @param isLate this was reported, and the queue has not recovered since
 */
export function queueChange(oldestAt: Date | null, isLate: boolean, limitMinutes: number, now: Date): "late" | "recovered" | undefined {
  const waitedMs = oldestAt === null ? 0 : now.getTime() - oldestAt.getTime();
  const limitMs = limitMinutes * 60_000;
  if (isLate) return waitedMs < limitMs / 2 ? "recovered" : undefined;
  return oldestAt !== null && waitedMs >= limitMs ? "late" : undefined;
}
