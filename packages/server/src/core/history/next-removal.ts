import type { Retention } from "@millrace/contract/retention.ts";

const dayMs = 86_400_000;

/**
 * From when on the oldest record of a kind is removed: a month at a time, once the whole month is old enough; deliveries by the day. Open
 * or kept records stay longer, and the retention of a team can be shorter.
 * @param days 0 keeps them forever
 */
export function nextRemovalOf(kind: keyof Retention, days: number, oldestAt: Date | null): Date | undefined {
  if (days === 0 || oldestAt === null) return undefined;
  const from = kind === "deliveries" ? oldestAt.getTime() : Date.UTC(oldestAt.getUTCFullYear(), oldestAt.getUTCMonth() + 1, 1);
  return new Date(from + days * dayMs);
}
