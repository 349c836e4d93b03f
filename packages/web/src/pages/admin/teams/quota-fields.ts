import type { components } from "../../../api/schema.generated.ts";

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
  { name: "maxWorkflowCount", label: "Workflows", description: "That the team may have", min: 0 },
  { name: "maxWorkflowRunMonthly", label: "Runs a month", description: "That it may submit", min: 0 },
  { name: "maxConcurrentRuns", label: "Runs at a time", description: "What comes beyond waits in the queue", min: 0 },
  { name: "maxWorkflowRunDuration", label: "Duration of a run", description: "Longer ones are timed out", min: 1, suffix: " min" },
  { name: "maxWorkflowStorage", label: "Workspace of a workflow", description: "Each that is kept between runs", min: 0, suffix: " GiB" },
  { name: "maxWorkflowRunStorage", label: "Workspace of a run", description: "Each that is there for one run", min: 0, suffix: " GiB" },
];
