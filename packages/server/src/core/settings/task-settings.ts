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
      label: "Run in debug mode by default",
      description:
        "In debug mode each step gets `DEBUG=true` in its environment and logs how it is isolated. Off by default, because `DEBUG` changes the output of many programs. A submission can override it.",
    },
    {
      key: "default.image",
      type: "text",
      maxLength: 500,
      default: "",
      label: "Default image",
      description:
        "Container image for steps without an image. Such tasks then need an executor for images, unless they set `millrace.dev/executor: process`. Set it only if a worker has such an executor. If empty, steps without an image run as processes. Applies to new runs.",
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
        "When to remove pods and containers of finished tasks. Task runs show it in `spec.deletion`. Processes leave nothing behind.",
    },
    {
      key: "edit.verified",
      type: "boolean",
      default: "false",
      label: "Edit verified tasks",
      description:
        "Whether clients let people edit verified tasks (feature `enable.verified.tasks.edit`). This is not enforced by the server.",
    },
    {
      key: "workspace.wait",
      type: "number",
      minimum: 0,
      maximum: 525_600,
      default: "5",
      label: "Wait for a lost workspace (minutes)",
      description:
        "How long a task waits for the worker that has the workspaces of its run, after that worker was last seen. Then the task fails with `WorkspaceLost`. It never starts with an empty workspace instead.",
    },
    {
      key: "default.timeout",
      type: "number",
      minimum: 1,
      maximum: 525_600,
      default: "90",
      label: "Maximum task duration (minutes)",
      description:
        "Maximum duration of one attempt on an executor, in minutes, if the workflow sets none or a longer one. Applies to new runs.",
    },
  ],
};
