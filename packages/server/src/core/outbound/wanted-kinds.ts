import type { EventFilter } from "@millrace/contract/inbound/event-filter.ts";
import { type EventKind, eventKinds, eventStatuses, type Notification } from "@millrace/contract/outbound/subscription.ts";
import { eventType } from "./outbound-event.ts";

/** Whether the filter holds for an event of which only the type is known. */
type Verdict = "yes" | "no" | "maybe";

/**
 * The kinds of events that filters can let through: other changes need not be recorded for the subscription. Only what filters say about
 * the type counts; if that does not decide, the kind is included.
 */
export function wantedKinds(filters: readonly EventFilter[]): EventKind[] {
  return eventKinds.filter((kind) =>
    eventStatuses[kind].some((status) => filters.every((filter) => verdict(filter, eventType(kind, status)) !== "no")),
  );
}

function verdict({ exact, prefix, suffix, all, any, not }: EventFilter, type: string): Verdict {
  if (exact) return ofTexts(exact, (text) => type === text);
  if (prefix) return ofTexts(prefix, (text) => type.startsWith(text));
  if (suffix) return ofTexts(suffix, (text) => type.endsWith(text));
  if (all) return worst(all.map((one) => verdict(one, type)));
  if (any) return opposite(worst(any.map((one) => opposite(verdict(one, type)))));
  if (not) return opposite(verdict(not, type));
  return "maybe";
}

function ofTexts(texts: Readonly<Record<string, string>>, holds: (text: string) => boolean): Verdict {
  const { type, ...others } = texts;
  if (type !== undefined && !holds(type)) return "no";
  return Object.keys(others).length === 0 ? "yes" : "maybe";
}

function worst(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes("no")) return "no";
  return verdicts.includes("maybe") ? "maybe" : "yes";
}

function opposite(one: Verdict): Verdict {
  if (one === "maybe") return one;
  return one === "yes" ? "no" : "yes";
}

/** The changes that each notification stands for: kind and status. */
const changes: Readonly<Record<Notification, readonly (readonly [kind: string, status: string])[]>> = {
  "run-failed": [
    ["workflowrun", "failed"],
    ["workflowrun", "timedout"],
    ["workflowrun", "invalid"],
  ],
  "run-succeeded": [["workflowrun", "succeeded"]],
  "run-cancelled": [["workflowrun", "cancelled"]],
  "approval-needed": [
    ["action", "submitted"],
    ["action", "escalated"],
  ],
  "approval-reminder": [["action", "reminder"]],
  "approval-commented": [["action", "commented"]],
  "approval-delegated": [["action", "delegated"]],
  "approval-decided": [
    ["action", "approved"],
    ["action", "rejected"],
  ],
  "schedule-failed": [["schedule", "error"]],
  "run-late": [["alert", "run_late"]],
  "queue-late": [
    ["alert", "queue_late"],
    ["alert", "queue_recovered"],
  ],
  "schedule-missed": [["alert", "schedule_missed"]],
};

/** One filter that holds exactly for all of them. */
export function notificationFilter(words: readonly Notification[]): EventFilter {
  const types = [...new Set(words)].flatMap((word) => changes[word].map(([kind, status]) => eventType(kind, status)));
  return { any: types.map((type) => ({ exact: { type } })) };
}
