import type { EventFilter } from "@millrace/contract/event-filter.ts";
import type { Notification } from "@millrace/contract/notification.ts";
import { eventType } from "./outbound-event.ts";

/** The changes that each word stands for: kind and status. */
const changes: Readonly<Record<Notification, readonly (readonly [kind: string, status: string])[]>> = {
  "run-failed": [
    ["workflowrun", "failed"],
    ["workflowrun", "timedout"],
    ["workflowrun", "invalid"],
  ],
  "run-succeeded": [["workflowrun", "succeeded"]],
  "run-cancelled": [["workflowrun", "cancelled"]],
  "approval-needed": [["action", "submitted"]],
  "approval-reminder": [["action", "reminder"]],
  "approval-decided": [
    ["action", "approved"],
    ["action", "rejected"],
  ],
  "schedule-failed": [["schedule", "error"]],
};

/** One filter that holds for all of them, and for nothing else. */
export function notificationFilter(words: readonly Notification[]): EventFilter {
  const types = [...new Set(words)].flatMap((word) => changes[word].map(([kind, status]) => eventType(kind, status)));
  return { any: types.map((type) => ({ exact: { type } })) };
}
