import type { SettingGroup } from "./definition.ts";

/** A week. */
const mostMinutes = 10_080;

export const alertSettings: SettingGroup = {
  key: "alerts",
  name: "Alerts",
  description: "When runs, queues and schedules are late. Subscriptions say who is notified.",
  settings: [
    {
      key: "run.percent",
      type: "number",
      minimum: 101,
      maximum: 10_000,
      default: "150",
      label: "Late run (percent)",
      description:
        "A run without a deadline is late when it has been running for longer than this share of its usual duration: " +
        "of what 95 of 100 recent successful runs of its workflow needed at most.",
    },
    {
      key: "run.minutes",
      type: "number",
      minimum: 1,
      maximum: mostMinutes,
      default: "10",
      label: "Late run, at least (minutes)",
      description: "A run without a deadline is not late before it has been running for so many minutes.",
    },
    {
      key: "queue.minutes",
      type: "number",
      minimum: 1,
      maximum: mostMinutes,
      default: "15",
      label: "Late queue (minutes)",
      description: "The queue of a team is late when its oldest task run has been waiting for a worker for so many minutes.",
    },
    {
      key: "schedule.minutes",
      type: "number",
      minimum: 1,
      maximum: mostMinutes,
      default: "5",
      label: "Missed schedule (minutes)",
      description: "A scheduled time counts as missed when its run has not started within so many minutes.",
    },
  ],
};
