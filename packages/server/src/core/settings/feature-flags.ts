import type { InstanceSettings } from "./instance-settings.ts";

/** The feature flags by their names in the API. */
export function featureFlags({ features, task }: InstanceSettings): Record<string, boolean> {
  return {
    "enable.verified.tasks.edit": task.areVerifiedEditable,
    "team.quotas": features.teamQuotas,
    // Its name for older clients.
    "workflow.quotas": features.teamQuotas,
    "workflow.triggers": features.workflowTriggers,
    "workflow.tokens": features.workflowTokens,
    "team.parameters": features.teamParameters,
    "global.parameters": features.globalParameters,
    "team.management": features.teamManagement,
    "user.management": features.userManagement,
    activity: features.activity,
    insights: features.insights,
    "team.tasks": features.teamTasks,
  };
}
