import type { components } from "../../api/schema.generated.ts";

export type Quotas = components["schemas"]["CurrentQuotas"];
type QuotaName =
  | "maxWorkflowCount"
  | "maxConcurrentRuns"
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
  { name: "maxWorkflowCount", title: "Workflows", unit: "workflows", hint: "Active or not", used: (quotas) => quotas.currentWorkflowCount },
  {
    name: "maxConcurrentRuns",
    title: "Runs at a time",
    unit: "runs",
    hint: "What comes beyond waits in the queue",
    used: (quotas) => quotas.currentConcurrentRuns,
  },
  {
    name: "maxWorkflowRunMonthly",
    title: "Runs a month",
    unit: "runs",
    hint: "Submitted in a calendar month (UTC), retries too",
    used: (quotas) => quotas.currentRuns,
  },
  { name: "maxWorkflowRunDuration", title: "Duration of a run", unit: "min", hint: "A longer timeout is cut to it" },
  { name: "maxWorkflowStorage", title: "Workspace of a workflow", unit: "GiB", hint: "Each that is kept between runs" },
  { name: "maxWorkflowRunStorage", title: "Workspace of a run", unit: "GiB", hint: "Each that is there for one run" },
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
