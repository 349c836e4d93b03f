import { maxRetentionDays } from "@millrace/contract/retention.ts";
import type { SettingDefinition, SettingGroup } from "./definition.ts";

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
