import type { SettingDefinition, SettingGroup } from "./definition.ts";

export const featureKeys = [
  "activity",
  "insights",
  "teamQuotas",
  "workflowTriggers",
  "workflowTokens",
  "teamParameters",
  "globalParameters",
  "teamManagement",
  "userManagement",
  "teamTasks",
] as const;
export type FeatureKey = (typeof featureKeys)[number];

const shown = "This is not enforced by the server.";

const texts: Record<FeatureKey, { label: string; description: string }> = {
  activity: { label: "Activity", description: `Whether the navigation shows the runs of a team. ${shown}` },
  insights: { label: "Insights", description: `Whether the navigation shows the insights of a team. ${shown}` },
  teamQuotas: {
    label: "Team quotas",
    description: "If off, no quota is enforced: workflows, runs (monthly, concurrent, duration) and storage. Quotas are still shown.",
  },
  workflowTriggers: { label: "Workflow triggers", description: `Whether clients let people edit the triggers of workflows. ${shown}` },
  workflowTokens: {
    label: "Workflow tokens",
    description: "If off, no workflow tokens can be created. Existing tokens stay valid until they are deleted.",
  },
  teamParameters: {
    label: "Team parameters",
    description: "If off, new runs don't get the parameters of their team, and the designer doesn't offer them.",
  },
  globalParameters: {
    label: "Global parameters",
    description: "If off, new runs don't get global parameters, and the designer doesn't offer them.",
  },
  teamManagement: { label: "Team management", description: `Whether the navigation shows the teams to administrators. ${shown}` },
  userManagement: { label: "User management", description: `Whether the navigation shows the users to administrators. ${shown}` },
  teamTasks: { label: "Team tasks", description: `Whether the navigation shows the tasks of a team. ${shown}` },
};

export const featureSettings: SettingGroup = {
  key: "features",
  name: "Features",
  description: "Features that can be turned off",
  settings: featureKeys.map((key): SettingDefinition => ({ key, type: "boolean", default: "true", ...texts[key] })),
};
