import type { Retention } from "@millrace/contract/retention.ts";

const dayMs = 86_400_000;

/**
 * From when on the oldest record of a kind is removed: a month at a time, once all of it is old enough; deliveries to the day. What is open or
 * kept stays longer, and a team's own days can be shorter.
 * @param days 0 keeps it forever
 */
export function nextRemovalOf(kind: keyof Retention, days: number, oldestAt: Date | null): Date | undefined {
  if (days === 0 || oldestAt === null) return undefined;
  const from = kind === "deliveries" ? oldestAt.getTime() : Date.UTC(oldestAt.getUTCFullYear(), oldestAt.getUTCMonth() + 1, 1);
  return new Date(from + days * dayMs);
}
