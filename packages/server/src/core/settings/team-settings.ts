import { shippedQuotas } from "../team/quota.ts";
import type { SettingGroup } from "./definition.ts";

const most = 1_000_000_000;

export const teamSettings: SettingGroup = {
  key: "teams",
  name: "Team quotas",
  description: "Quotas of teams without quotas of their own",
  settings: [
    {
      key: "max.workflow.count",
      type: "number",
      minimum: 0,
      maximum: most,
      default: String(shippedQuotas.maxWorkflowCount),
      label: "Workflows",
      description: "Maximum number of workflows of a team. Lowering it deletes no workflows.",
    },
    {
      key: "max.workflowrun.concurrent",
      type: "number",
      minimum: 0,
      maximum: most,
      default: String(shippedQuotas.maxConcurrentRuns),
      label: "Concurrent runs",
      description:
        "Maximum number of active runs of a team; further runs are queued. A run that only waits (for people, events, time, locks or other runs) doesn't count.",
    },
    {
      key: "max.workflowrun.waiting",
      type: "number",
      minimum: 0,
      maximum: most,
      default: String(shippedQuotas.maxWaitingRuns),
      label: "Waiting runs",
      description: "Maximum number of runs of a team that have started and only wait. Further runs are rejected.",
    },
    {
      key: "max.workflowrun.monthly",
      type: "number",
      minimum: 0,
      maximum: most,
      default: String(shippedQuotas.maxWorkflowRunMonthly),
      label: "Runs per month",
      description: "Maximum number of runs that a team can submit in a calendar month (UTC).",
    },
    {
      key: "max.workflowrun.duration",
      type: "number",
      minimum: 1,
      maximum: most,
      default: String(shippedQuotas.maxWorkflowRunDuration),
      label: "Active time of a run (minutes)",
      description: "Maximum active time of a run, in minutes. Time spent waiting doesn't count. Applies to new runs.",
    },
    {
      key: "max.workflow.storage",
      type: "gibibytes",
      maximum: 1_000_000,
      default: `${shippedQuotas.maxWorkflowStorage}Gi`,
      label: "Storage of a workflow",
      description: "Maximum size of each workspace kept between runs.",
    },
    {
      key: "max.workflowrun.storage",
      type: "gibibytes",
      maximum: 1_000_000,
      default: `${shippedQuotas.maxWorkflowRunStorage}Gi`,
      label: "Storage of a run",
      description: "Maximum size of each workspace of a single run.",
    },
  ],
};

export const invitationSettings: SettingGroup = {
  key: "invitations",
  name: "Invitations",
  description: "Who can invite people to this instance",
  settings: [
    {
      key: "by",
      type: "select",
      options: [
        { key: "owners", value: "Owners of teams and administrators" },
        { key: "administrators", value: "Administrators only" },
      ],
      default: "owners",
      label: "Who can invite people",
      description:
        "With `owners`, an owner of a team can invite anyone to that team; `MILLRACE_OIDC_DOMAINS` limits to which domains. " +
        "With `administrators`, owners can only add people who have an account, by their user ID.",
    },
  ],
};
