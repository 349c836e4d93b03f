import type { components } from "../../../api/schema.generated.ts";
import { t } from "../../../texts/administration.ts";

export type QuotaName = keyof components["schemas"]["Quotas"];

interface QuotaField {
  name: QuotaName;
  label: string;
  description: string;
  min: number;
  suffix?: string;
}

/** The limits of a team in words. */
export const quotaFields: readonly QuotaField[] = [
  { name: "maxWorkflowCount", label: t("quotaFields.workflows"), description: t("quotaFields.maximumNumberWorkflows"), min: 0 },
  { name: "maxWorkflowRunMonthly", label: t("quotaFields.runsPerMonth"), description: t("quotaFields.maximumNumberRunsSubmitted"), min: 0 },
  { name: "maxConcurrentRuns", label: t("quotaFields.concurrentRuns"), description: t("quotaFields.furtherRunsQueuedRuns"), min: 0 },
  { name: "maxWaitingRuns", label: t("quotaFields.waitingRuns"), description: t("quotaFields.runsStartedOnlyWait"), min: 0 },
  {
    name: "maxWorkflowRunDuration",
    label: t("quotaFields.activeTimeRun"),
    description: t("quotaFields.waitingDoesntCountLonger"),
    min: 1,
    suffix: ` ${t("quotaFields.min")}`,
  },
  {
    name: "maxWorkflowStorage",
    label: t("quotaFields.workspaceWorkflow"),
    description: t("quotaFields.limitEachWorkspaceKept"),
    min: 0,
    suffix: ` ${t("quotaFields.gib")}`,
  },
  {
    name: "maxWorkflowRunStorage",
    label: t("quotaFields.workspaceRun"),
    description: t("quotaFields.limitEachWorkspaceSingle"),
    min: 0,
    suffix: ` ${t("quotaFields.gib")}`,
  },
];
