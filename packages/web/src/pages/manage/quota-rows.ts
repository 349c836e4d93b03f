import type { components } from "@millrace/client/schema.generated.ts";
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

/** What a quota limits, in words, and where to read its current use. */
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
    unit: t("quotaRows.unitWorkflows"),
    hint: t("quotaRows.activeInactive"),
    used: (quotas) => quotas.currentWorkflowCount,
  },
  {
    name: "maxConcurrentRuns",
    title: t("quotaRows.concurrentRuns"),
    unit: t("quotaRows.unitRuns"),
    hint: t("quotaRows.furtherRunsQueuedRuns"),
    used: (quotas) => quotas.currentConcurrentRuns,
  },
  {
    name: "maxWaitingRuns",
    title: t("quotaRows.waitingRuns"),
    unit: t("quotaRows.unitRuns"),
    hint: t("quotaRows.waitingPeopleEventsTime"),
    used: (quotas) => quotas.currentWaitingRuns,
  },
  {
    name: "maxWorkflowRunMonthly",
    title: t("quotaRows.runsPerMonth"),
    unit: t("quotaRows.unitRuns"),
    hint: t("quotaRows.submittedCalendarMonthUtc"),
    used: (quotas) => quotas.currentRuns,
  },
  {
    name: "maxWorkflowRunDuration",
    title: t("quotaRows.activeTimeRun"),
    unit: t("quotaRows.unitMinutes"),
    hint: t("quotaRows.longerRunsTimeOut"),
  },
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

/** How full a quota is, as a number, a word and a tone. @param limit the maximum */
export function quotaUse(used: number, limit: number): QuotaUse {
  const share = limit === 0 ? 1 : Math.min(used / limit, 1);
  if (used > limit) return { used, share, word: t("quotaRows.overLimit"), tone: "failed" };
  if (used >= limit) return { used, share, word: t("quotaRows.usedUp"), tone: "failed" };
  return share >= 0.8
    ? { used, share, word: t("quotaRows.nearlyUsedUp"), tone: "waiting" }
    : { used, share, word: t("quotaRows.use"), tone: "succeeded" };
}

/** A row of the label table while it is edited. */
export interface Label {
  /** Stays the same while the user types in the row. */
  row: number;
  key: string;
  value: string;
}

export function toLabels(labels: Readonly<Record<string, string>>): Label[] {
  return Object.entries(labels).map(([key, value], row) => ({ row, key, value }));
}

/** The labels to send: the service merges them, so deleted ones are set to null. Rows without a key are ignored. */
export function labelChange(before: Readonly<Record<string, string>>, after: readonly Label[]): Record<string, string | null> {
  const wanted = Object.fromEntries(after.filter(({ key }) => key.trim() !== "").map(({ key, value }) => [key.trim(), value]));
  const gone = Object.keys(before).filter((key) => !(key in wanted));
  const changed = Object.entries(wanted).filter(([key, value]) => before[key] !== value);
  return Object.fromEntries([...gone.map((key) => [key, null] as const), ...changed]);
}

export type Team = components["schemas"]["Team"];
export type ApproverGroup = components["schemas"]["ApproverGroup"];
