/** What people mostly want to be notified of, in a word each; a subscription that names some of them gets the filter that lets these through. */
export const notifications = [
  "run-failed",
  "run-succeeded",
  "run-cancelled",
  "approval-needed",
  "approval-reminder",
  "approval-decided",
  "schedule-failed",
] as const;
export type Notification = (typeof notifications)[number];
