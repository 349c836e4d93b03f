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
