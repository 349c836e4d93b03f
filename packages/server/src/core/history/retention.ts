import type { Retention, RetentionDays } from "@millrace/contract/retention.ts";

/**
 * For how many days a team's history is kept: as set for the instance, or for the team if that is shorter. 0 is forever. The comparison is
 * needed here, since the instance's setting may have been reduced after the team's was set.
 */
export function retentionInForce(instance: Retention, team: RetentionDays): Required<RetentionDays> {
  const { runs, logs, deliveries } = team;
  return { runs: shorter(instance.runs, runs), logs: shorter(instance.logs, logs), deliveries: shorter(instance.deliveries, deliveries) };
}

function shorter(instance: number, own: number | undefined): number {
  if (own === undefined) return instance;
  return instance === 0 ? own : Math.min(instance, own);
}

/** A run with the label keep is never removed because of its age (store/history/history-holds.ts has the same rule for the database). */
export function hasKeepLabel(labels: Readonly<Record<string, string>>): boolean {
  return labels["keep"] !== undefined && labels["keep"] !== "false";
}

/** When an id was created (the first 48 bits of a UUID of version 7); undefined for any other text. */
export function dateOfId(id: string): Date | undefined {
  const [, high, low] = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/i.exec(id) ?? [];
  return high === undefined ? undefined : new Date(Number.parseInt(`${high}${low}`, 16));
}
