import type { components } from "../../api/schema.generated.ts";
import { t } from "../../texts/team.ts";

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
    title: t("quotaRows.workflows"),
    unit: "workflows",
    hint: t("quotaRows.activeInactive"),
    used: (quotas) => quotas.currentWorkflowCount,
  },
  {
    name: "maxConcurrentRuns",
    title: t("quotaRows.concurrentRuns"),
    unit: "runs",
    hint: t("quotaRows.furtherRunsQueuedRuns"),
    used: (quotas) => quotas.currentConcurrentRuns,
  },
  {
    name: "maxWaitingRuns",
    title: t("quotaRows.waitingRuns"),
    unit: "runs",
    hint: t("quotaRows.waitingPeopleEventsTime"),
    used: (quotas) => quotas.currentWaitingRuns,
  },
  {
    name: "maxWorkflowRunMonthly",
    title: t("quotaRows.runsPerMonth"),
    unit: "runs",
    hint: t("quotaRows.submittedCalendarMonthUtc"),
    used: (quotas) => quotas.currentRuns,
  },
  { name: "maxWorkflowRunDuration", title: t("quotaRows.activeTimeRun"), unit: "min", hint: t("quotaRows.longerRunsTimeOut") },
  {
    name: "maxWorkflowStorage",
    title: t("quotaRows.workspaceWorkflow"),
    unit: t("quotaRows.gib"),
    hint: t("quotaRows.limitEachWorkspaceKept"),
  },
  {
    name: "maxWorkflowRunStorage",
    title: t("quotaRows.workspaceRun"),
    unit: t("quotaRows.gib"),
    hint: t("quotaRows.limitEachWorkspaceSingle"),
  },
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
  if (used > limit) return { used, share, word: t("quotaRows.overLimit"), tone: "failed" };
  if (used >= limit) return { used, share, word: t("quotaRows.usedUp"), tone: "failed" };
  return share >= 0.8
    ? { used, share, word: t("quotaRows.nearlyUsedUp"), tone: "waiting" }
    : { used, share, word: t("quotaRows.use"), tone: "succeeded" };
}
