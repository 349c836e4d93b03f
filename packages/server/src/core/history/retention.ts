import type { Retention, RetentionDays } from "@millrace/contract/retention.ts";

/**
 * For how many days a team's history is kept: the instance's, or its own where that is shorter. 0 is forever.
 * What the instance was given later than the team may be shorter than the team's own.
 */
export function retentionInForce(instance: Retention, team: RetentionDays): Required<RetentionDays> {
  const { runs, logs, deliveries } = team;
  return { runs: shorter(instance.runs, runs), logs: shorter(instance.logs, logs), deliveries: shorter(instance.deliveries, deliveries) };
}

function shorter(instance: number, own: number | undefined): number {
  if (own === undefined) return instance;
  return instance === 0 ? own : Math.min(instance, own);
}

/** A run with the label keep is never removed for its age (store/history/history-holds.ts says the same to the database). */
export function hasKeepLabel(labels: Readonly<Record<string, string>>): boolean {
  return labels["keep"] !== undefined && labels["keep"] !== "false";
}
