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
  { name: "maxWorkflowCount", label: "Workflows", description: "Maximum number of workflows", min: 0 },
  { name: "maxWorkflowRunMonthly", label: "Runs per month", description: "Maximum number of runs submitted in a calendar month", min: 0 },
  { name: "maxConcurrentRuns", label: "Concurrent runs", description: "Further runs are queued. Runs that only wait don't count", min: 0 },
  { name: "maxWaitingRuns", label: "Waiting runs", description: "Runs that started and only wait. Further runs are rejected", min: 0 },
  {
    name: "maxWorkflowRunDuration",
    label: "Active time of a run",
    description: "Waiting doesn't count. Longer runs time out",
    min: 1,
    suffix: " min",
  },
  {
    name: "maxWorkflowStorage",
    label: "Workspace of a workflow",
    description: "Limit of each workspace kept between runs",
    min: 0,
    suffix: " GiB",
  },
  {
    name: "maxWorkflowRunStorage",
    label: "Workspace of a run",
    description: "Limit of each workspace of a single run",
    min: 0,
    suffix: " GiB",
  },
];
