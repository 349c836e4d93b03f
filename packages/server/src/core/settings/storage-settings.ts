import { maxRetentionDays } from "@millrace/contract/retention.ts";
import type { SettingDefinition, SettingGroup } from "./definition.ts";

/** The two kinds of workspaces have the same settings. */
function storageSettings(what: string): readonly SettingDefinition[] {
  return [
    {
      key: "storage.size",
      type: "size",
      default: "1Gi",
      label: "Default size",
      description: `Size of a workspace of ${what} if the workflow sets none, within the team's quota and \`max.storage.size\`.`,
    },
    {
      key: "storage.class",
      type: "text",
      maxLength: 250,
      default: "",
      label: "Storage class",
      description:
        "For executors on a cluster: storage class of the volume if the workflow sets none. Leave empty for the cluster's default.",
    },
    {
      key: "storage.accessMode",
      type: "select",
      options: ["ReadWriteMany", "ReadWriteOnce", "ReadOnlyMany"].map((key) => ({ key, value: key })),
      default: "ReadWriteMany",
      label: "Access mode",
      description: "For executors on a cluster: access mode of the volume if the workflow sets none.",
    },
    {
      key: "max.storage.size",
      type: "size",
      default: "5Gi",
      label: "Maximum size",
      description: `Maximum size of a workspace of ${what}, whatever the quota of its team. A workflow that asks for more can't be saved.`,
    },
  ];
}

export const workflowRunSettings: SettingGroup = {
  key: "workflowrun",
  name: "Workspaces of runs",
  description: "Storage for a single run",
  settings: storageSettings("a run"),
};

export const workflowSettings: SettingGroup = {
  key: "workflow",
  name: "Workspaces of workflows",
  description: "Storage kept between runs",
  settings: storageSettings("a workflow"),
};

const days = (key: string, label: string, standard: string, description: string): SettingDefinition => ({
  key,
  type: "number",
  minimum: 0,
  maximum: maxRetentionDays,
  default: standard,
  label,
  description: `${description} 0 keeps them forever.`,
});

export const historySettings: SettingGroup = {
  key: "history",
  name: "History",
  description:
    "For how many days history is kept. Most of it is removed a calendar month at a time, so it may stay for up to a month longer.",
  settings: [
    days(
      "runs",
      "Runs (days)",
      "180",
      "Runs with their tasks, logs and actions, counted from their end. Open runs, runs with the label keep and runs of the current month are kept. A team can set fewer days.",
    ),
    days(
      "logs",
      "Logs (days)",
      "30",
      "Logs, counted from the end of their run, unless the run has the label keep. A team can set fewer days.",
    ),
    days(
      "deliveries",
      "Deliveries (days)",
      "30",
      "Deliveries to subscriptions, including failed ones, and their events. A team can set fewer days.",
    ),
    days("audit", "Audit records (days)", "400", "The audit log of all teams and of the instance."),
  ],
};
