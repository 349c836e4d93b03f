/**
 * A queue becomes late when its oldest task run has waited as long as the limit. It recovers when the oldest one has waited less than half
 * of that: otherwise a queue near its limit would cause alerts again and again.
 *
 * @param oldestAt since when the oldest task run has been waiting; null: none waits
 * @param isLate an alert was sent, and the queue has not recovered since
 */
export function queueChange(oldestAt: Date | null, isLate: boolean, limitMinutes: number, now: Date): "late" | "recovered" | undefined {
  const waitedMs = oldestAt === null ? 0 : now.getTime() - oldestAt.getTime();
  const limitMs = limitMinutes * 60_000;
  if (isLate) return waitedMs < limitMs / 2 ? "recovered" : undefined;
  return oldestAt !== null && waitedMs >= limitMs ? "late" : undefined;
}
