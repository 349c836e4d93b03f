// The limits of a team as they apply: its own, those of the instance, or the shipped ones. Quotas, the sizes of workspaces in them, and how
// long history is kept.
import type { Retention, RetentionDays } from "@millrace/contract/retention.ts";

/**
 * The quotas of a team: how many workflows and runs it may have (in total, per month, at a time, waiting), how long a run may be active,
 * and how large a workspace may be. A team's own value overrides the instance's setting, which overrides the shipped default.
 */
export interface Quotas {
  /** Workflows, active or not. */
  maxWorkflowCount: number;
  /** Runs submitted in a calendar month (UTC). */
  maxWorkflowRunMonthly: number;
  /** Gi, of each workspace that is kept per workflow. */
  maxWorkflowStorage: number;
  /** Gi, of each workspace that is kept per run. */
  maxWorkflowRunStorage: number;
  /** Minutes of active time (run-activity.ts). */
  maxWorkflowRunDuration: number;
  /** Runs that are active at the same time. */
  maxConcurrentRuns: number;
  /** Runs that have started and only wait. */
  maxWaitingRuns: number;
}

/** Some of the quotas; null and undefined mean "not set here". */
export type QuotaOverrides = { [Name in keyof Quotas]?: Quotas[Name] | null };

export const shippedQuotas: Readonly<Quotas> = {
  maxWorkflowCount: 1000,
  maxWorkflowRunMonthly: 1_000_000_000,
  maxWorkflowStorage: 2,
  maxWorkflowRunStorage: 2,
  maxWorkflowRunDuration: 1440,
  maxConcurrentRuns: 100,
  maxWaitingRuns: 1_000_000,
};

/** No quota at all. */
export const unlimitedQuotas: Readonly<Quotas> = {
  maxWorkflowCount: Number.POSITIVE_INFINITY,
  maxWorkflowRunMonthly: Number.POSITIVE_INFINITY,
  maxWorkflowStorage: Number.POSITIVE_INFINITY,
  maxWorkflowRunStorage: Number.POSITIVE_INFINITY,
  maxWorkflowRunDuration: Number.POSITIVE_INFINITY,
  maxConcurrentRuns: Number.POSITIVE_INFINITY,
  maxWaitingRuns: Number.POSITIVE_INFINITY,
};

/**
 * The quotas that apply. A duration of 0 means "not set" (a run of 0 minutes makes no sense); any other 0 is a limit.
 *
 * @param team the team's own quotas
 * @param instance the instance's settings, where they differ from the shipped defaults
 */
export function effectiveQuotas(team: QuotaOverrides, instance: QuotaOverrides = {}): Quotas {
  return {
    maxWorkflowCount: team.maxWorkflowCount ?? instance.maxWorkflowCount ?? shippedQuotas.maxWorkflowCount,
    maxWorkflowRunMonthly: team.maxWorkflowRunMonthly ?? instance.maxWorkflowRunMonthly ?? shippedQuotas.maxWorkflowRunMonthly,
    maxWorkflowStorage: team.maxWorkflowStorage ?? instance.maxWorkflowStorage ?? shippedQuotas.maxWorkflowStorage,
    maxWorkflowRunStorage: team.maxWorkflowRunStorage ?? instance.maxWorkflowRunStorage ?? shippedQuotas.maxWorkflowRunStorage,
    maxWorkflowRunDuration: team.maxWorkflowRunDuration || instance.maxWorkflowRunDuration || shippedQuotas.maxWorkflowRunDuration,
    maxConcurrentRuns: team.maxConcurrentRuns ?? instance.maxConcurrentRuns ?? shippedQuotas.maxConcurrentRuns,
    maxWaitingRuns: team.maxWaitingRuns ?? instance.maxWaitingRuns ?? shippedQuotas.maxWaitingRuns,
  };
}

/** Whole minutes of a quota; null if there is no limit. */
export function quotaMinutes(quota: number): number | null {
  return Number.isFinite(quota) ? quota : null;
}

/** What settings of the instance (core/settings/instance-settings.ts) say about quotas. */
interface QuotaSettings {
  quotas: Quotas;
  features: { readonly teamQuotas: boolean };
}

/** The quotas that apply to a team: none at all if the feature is off. */
export function quotasInForce(team: QuotaOverrides, settings: QuotaSettings): Quotas {
  return settings.features.teamQuotas ? effectiveQuotas(team, settings.quotas) : unlimitedQuotas;
}

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

const units: Readonly<Record<string, number>> = { Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40 };

/** The size of a workspace in bytes: `2`, `2Gi` (a number alone means Gi), `512Mi`. Undefined if it is none of these, or empty. */
export function workspaceBytes(size: unknown): number | undefined {
  const [, digits, unit = "Gi"] = /^\s*(\d{1,9}(?:\.\d{1,3})?)\s*([KMGT]i)?\s*$/.exec(String(size)) ?? [];
  const bytes = Math.ceil(Number(digits) * (units[unit] ?? 0));
  return Number.isSafeInteger(bytes) && bytes > 0 ? bytes : undefined;
}

/** The size as text, in whole Gi or otherwise in whole Mi, rounded down; at least 1Mi. @param bytes a finite number */
export function workspaceSize(bytes: number): string {
  const mebibytes = Math.max(1, Math.floor(bytes / 2 ** 20));
  return mebibytes % 1024 === 0 ? `${mebibytes / 1024}Gi` : `${mebibytes}Mi`;
}
