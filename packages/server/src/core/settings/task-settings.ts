import type { SettingGroup } from "./definition.ts";

export const taskSettings: SettingGroup = {
  key: "task",
  name: "Tasks",
  description: "How tasks are executed",
  settings: [
    {
      key: "debug",
      type: "boolean",
      default: "false",
      label: "Debug new runs",
      description:
        "Whether a run is debugged when its submission does not say. Then each step finds `DEBUG=true` in its environment and logs how it is held. Off as shipped, since `DEBUG` changes what many programs print.",
    },
    {
      key: "default.image",
      type: "text",
      maxLength: 500,
      default: "",
      label: "Default image",
      description:
        "Container image for steps that name none. Such tasks then need an executor for images, unless they say `millrace.dev/executor: process`; set it only where a worker has one. Empty: a step without an image runs as a process. Holds for runs submitted from then on.",
    },
    {
      key: "deletion.policy",
      type: "select",
      options: [
        { key: "Never", value: "Never" },
        { key: "OnSuccess", value: "After success" },
        { key: "Always", value: "Always" },
      ],
      default: "Never",
      label: "Remove finished runners",
      description:
        "When executors that leave something behind (a pod, a container) remove it; task runs show it in `spec.deletion`. Processes leave nothing.",
    },
    {
      key: "edit.verified",
      type: "boolean",
      default: "false",
      label: "Edit verified tasks",
      description:
        "Whether clients offer to edit verified tasks (feature `enable.verified.tasks.edit`). The service itself refuses nothing by it.",
    },
    {
      key: "workspace.wait",
      type: "number",
      minimum: 0,
      maximum: 525_600,
      default: "5",
      label: "Wait for a lost workspace (minutes)",
      description:
        "How long a task waits for the worker that has the workspaces of its run, after that worker was last seen. Then the task fails with `WorkspaceLost`; it never begins with an empty workspace instead.",
    },
    {
      key: "default.timeout",
      type: "number",
      minimum: 1,
      maximum: 525_600,
      default: "90",
      label: "Longest task (minutes)",
      description:
        "Longest time of one attempt on an executor, in minutes, where the workflow asks for none or for more. Holds for runs submitted from then on.",
    },
  ],
};
