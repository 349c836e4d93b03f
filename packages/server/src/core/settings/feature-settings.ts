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

const shown = "For clients: the service itself refuses nothing by it.";

const texts: Record<FeatureKey, { label: string; description: string }> = {
  activity: { label: "Activity", description: `Whether the navigation leads to the runs of a team. ${shown}` },
  insights: { label: "Insights", description: `Whether the navigation leads to the insights of a team. ${shown}` },
  teamQuotas: {
    label: "Team quotas",
    description:
      "Off: no quota is checked, neither of workflows, nor of runs (monthly, concurrent, duration), nor of storage. They are still shown.",
  },
  workflowTriggers: { label: "Workflow triggers", description: `Whether clients offer to set triggers of workflows. ${shown}` },
  workflowTokens: {
    label: "Workflow tokens",
    description: "Off: no workflow tokens can be made. Those that exist stay good until they are deleted.",
  },
  teamParameters: {
    label: "Team parameters",
    description: "Off: parameters of teams reach no run submitted from then on, and are not offered to designers.",
  },
  globalParameters: {
    label: "Global parameters",
    description: "Off: global parameters reach no run submitted from then on, and are not offered to designers.",
  },
  teamManagement: { label: "Team management", description: `Whether the navigation leads administrators to the teams. ${shown}` },
  userManagement: { label: "User management", description: `Whether the navigation leads administrators to the users. ${shown}` },
  teamTasks: { label: "Team tasks", description: `Whether the navigation leads to the tasks of a team. ${shown}` },
};

export const featureSettings: SettingGroup = {
  key: "features",
  name: "Features",
  description: "What can be switched off",
  settings: featureKeys.map((key): SettingDefinition => ({ key, type: "boolean", default: "true", ...texts[key] })),
};
