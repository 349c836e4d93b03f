import { shippedQuotas } from "../quota.ts";
import type { SettingGroup } from "./definition.ts";

const most = 1_000_000_000;

export const teamSettings: SettingGroup = {
  key: "teams",
  name: "Team quotas",
  description: "Quotas of teams that have none of their own",
  settings: [
    {
      key: "max.workflow.count",
      type: "number",
      minimum: 0,
      maximum: most,
      default: String(shippedQuotas.maxWorkflowCount),
      label: "Workflows",
      description: "How many workflows a team may have. Those beyond a lowered quota stay.",
    },
    {
      key: "max.workflowrun.concurrent",
      type: "number",
      minimum: 0,
      maximum: most,
      default: String(shippedQuotas.maxConcurrentRuns),
      label: "Concurrent runs",
      description: "How many runs of a team may be running at the same time; others wait in the queue.",
    },
    {
      key: "max.workflowrun.monthly",
      type: "number",
      minimum: 0,
      maximum: most,
      default: String(shippedQuotas.maxWorkflowRunMonthly),
      label: "Runs a month",
      description: "How many runs a team may submit in a calendar month (UTC).",
    },
    {
      key: "max.workflowrun.duration",
      type: "number",
      minimum: 1,
      maximum: most,
      default: String(shippedQuotas.maxWorkflowRunDuration),
      label: "Duration of a run (minutes)",
      description: "How long a run may take, in minutes. Holds for runs submitted from then on.",
    },
    {
      key: "max.workflow.storage",
      type: "gibibytes",
      maximum: 1_000_000,
      default: `${shippedQuotas.maxWorkflowStorage}Gi`,
      label: "Storage of a workflow",
      description: "How large each workspace may be that is kept per workflow.",
    },
    {
      key: "max.workflowrun.storage",
      type: "gibibytes",
      maximum: 1_000_000,
      default: `${shippedQuotas.maxWorkflowRunStorage}Gi`,
      label: "Storage of a run",
      description: "How large each workspace may be that is kept per run.",
    },
  ],
};
