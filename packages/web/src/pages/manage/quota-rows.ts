import type { components } from "../../api/schema.generated.ts";

export type Quotas = components["schemas"]["CurrentQuotas"];
type QuotaName =
  | "maxWorkflowCount"
  | "maxConcurrentRuns"
  | "maxWaitingRuns"
  | "maxWorkflowRunMonthly"
  | "maxWorkflowRunDuration"
  | "maxWorkflowStorage"
  | "maxWorkflowRunStorage";

/** What a quota bounds, in words, and where its use is told. */
export interface QuotaRow {
  name: QuotaName;
  title: string;
  unit: string;
  hint: string;
  used?: (quotas: Quotas) => number;
}

export const quotaRows: readonly QuotaRow[] = [
  {
    name: "maxWorkflowCount",
    title: "Workflows",
    unit: "workflows",
    hint: "Active and inactive",
    used: (quotas) => quotas.currentWorkflowCount,
  },
  {
    name: "maxConcurrentRuns",
    title: "Concurrent runs",
    unit: "runs",
    hint: "Further runs are queued. Runs that only wait don't count",
    used: (quotas) => quotas.currentConcurrentRuns,
  },
  {
    name: "maxWaitingRuns",
    title: "Waiting runs",
    unit: "runs",
    hint: "Waiting for people, events, time, locks or other runs",
    used: (quotas) => quotas.currentWaitingRuns,
  },
  {
    name: "maxWorkflowRunMonthly",
    title: "Runs per month",
    unit: "runs",
    hint: "Submitted in a calendar month (UTC), including retries",
    used: (quotas) => quotas.currentRuns,
  },
  { name: "maxWorkflowRunDuration", title: "Active time of a run", unit: "min", hint: "Longer runs time out. Waiting doesn't count" },
  { name: "maxWorkflowStorage", title: "Workspace of a workflow", unit: "GiB", hint: "Limit of each workspace kept between runs" },
  { name: "maxWorkflowRunStorage", title: "Workspace of a run", unit: "GiB", hint: "Limit of each workspace of a single run" },
];

interface QuotaUse {
  used: number;
  share: number;
  word: string;
  tone: "succeeded" | "waiting" | "failed";
}

/** How full a quota is, in a number, a word and a tone. @param limit what there may be */
export function quotaUse(used: number, limit: number): QuotaUse {
  const share = limit === 0 ? 1 : Math.min(used / limit, 1);
  if (used > limit) return { used, share, word: "over the limit", tone: "failed" };
  if (used >= limit) return { used, share, word: "used up", tone: "failed" };
  return share >= 0.8 ? { used, share, word: "nearly used up", tone: "waiting" } : { used, share, word: "in use", tone: "succeeded" };
}
