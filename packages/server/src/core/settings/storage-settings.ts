import type { SettingDefinition, SettingGroup } from "./definition.ts";

/** The two kinds of workspaces have the same settings. */
function storageSettings(what: string): readonly SettingDefinition[] {
  return [
    {
      key: "storage.size",
      type: "size",
      default: "1Gi",
      label: "Default size",
      description: `How large a workspace of ${what} may become when the workflow names no size, within the team's quota and \`max.storage.size\`.`,
    },
    {
      key: "storage.class",
      type: "text",
      maxLength: 250,
      default: "",
      label: "Storage class",
      description: "For executors on a cluster: the class of the volume when the workflow names none. Empty: the cluster's own default.",
    },
    {
      key: "storage.accessMode",
      type: "select",
      options: ["ReadWriteMany", "ReadWriteOnce", "ReadOnlyMany"].map((key) => ({ key, value: key })),
      default: "ReadWriteMany",
      label: "Access mode",
      description: "For executors on a cluster: the access mode of the volume when the workflow names none.",
    },
    {
      key: "max.storage.size",
      type: "size",
      default: "5Gi",
      label: "Largest size",
      description: `What no workspace of ${what} may exceed, whatever the quota of its team. A workflow that asks for more can't be saved.`,
    },
  ];
}

export const workflowRunSettings: SettingGroup = {
  key: "workflowrun",
  name: "Workspaces of runs",
  description: "Storage that is kept per run",
  settings: storageSettings("a run"),
};

export const workflowSettings: SettingGroup = {
  key: "workflow",
  name: "Workspaces of workflows",
  description: "Storage that is kept per workflow, from run to run",
  settings: storageSettings("a workflow"),
};
