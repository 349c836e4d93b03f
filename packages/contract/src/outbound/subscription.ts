import type { Static } from "typebox";
import Type from "typebox";
import { eventFilter, eventFilters } from "../inbound/event-filter.ts";
import { page } from "../page.ts";
import { named, orNull, ref, stringEnum } from "../schema.ts";
import { statuses } from "../status.ts";

/** The recipients of a subscription by email: addresses, and people by their role in the team or for the run. */

/**
 * `owners`, `editors`, `readers`: members of the team with that role. `initiator`: the person who started the run, or the run from which it
 * was started. `approvers`: people who may still vote on the action that the event is about.
 */
export const emailPeople = ["owners", "editors", "readers", "approvers", "initiator"] as const;
export type EmailPeople = (typeof emailPeople)[number];

export const maxEmailAddresses = 50;

export interface EmailTarget {
  to?: string[] | null;
  people?: EmailPeople[] | null;
}

/** Short words for what people most often want to be notified of; a subscription that names some of them gets a matching filter. */
export const notifications = [
  "run-failed",
  "run-succeeded",
  "run-cancelled",
  "approval-needed",
  "approval-reminder",
  "approval-commented",
  "approval-delegated",
  "approval-decided",
  "schedule-failed",
  "run-late",
  "queue-late",
  "schedule-missed",
] as const;
export type Notification = (typeof notifications)[number];

/** The ways to notify receivers of changes. */

export const subscriptionChannels = ["webhook", "email", "chat"] as const;
export type SubscriptionChannel = (typeof subscriptionChannels)[number];

/** The kinds of events, by what changes. */
export const eventKinds = ["workflowrun", "taskrun", "action", "schedule", "alert"] as const;
export type EventKind = (typeof eventKinds)[number];

/** The statuses of each kind, which are the last part of an event's type. */
export const eventStatuses: Readonly<Record<EventKind, readonly string[]>> = {
  workflowrun: statuses,
  taskrun: statuses,
  action: ["submitted", "reminder", "escalated", "commented", "delegated", "approved", "rejected", "cancelled"],
  schedule: ["active", "archived", "inactive", "trigger_disabled", "error", "completed"],
  alert: ["run_late", "queue_late", "queue_recovered", "schedule_missed", "schedule_skipped"],
};

export const subscriptionLimits = { perScope: 50, nameLength: 100, urlLength: 2000 } as const;

/**
 * The receivers, by channel; other members are refused. Written manually: the schema accepts anything, so that each channel can say what is
 * wrong with its members.
 */
export interface SubscriptionTarget {
  /** webhook */
  url?: string;
  /** email: addresses. */
  to?: string[];
  /** email */
  people?: EmailPeople[];
  /** chat: id of the workspace, with `channel` or `emails`. */
  workspace?: string;
  /** chat: id of a channel. */
  channel?: string;
  /** chat: email addresses of people in the workspace. */
  emails?: string[];
  [member: string]: unknown;
}

export interface SubscriptionInput extends Static<typeof subscriptionInput> {}

const target = Type.Unsafe<SubscriptionTarget>({
  type: "object",
  maxProperties: 20,
  additionalProperties: true,
  description:
    "Receivers, by channel. webhook: `url`, http or https, without user name and password. email: `to`, up to 50 addresses, and `people`, " +
    `some of ${emailPeople.join(", ")}. chat: \`workspace\`, with \`channel\` or \`emails\` (up to ten addresses)`,
  examples: [{ url: "https://example.com/hooks/millrace" }],
});

const inputMembers = {
  name: orNull(
    Type.String({
      minLength: 1,
      maxLength: subscriptionLimits.nameLength,
      pattern: "^\\S(.*\\S)?$",
      description: "Unique in its team",
    }),
  ),
  isActive: orNull(Type.Boolean({ description: "Default true. If false, no events are recorded for it, and queued deliveries wait" })),
  filters: orNull(eventFilters("Which events; all must match. Default: all events")),
  notify: orNull(
    Type.Array(stringEnum(notifications), {
      maxItems: notifications.length,
      description: "Names for the filter that matches these events; it is added to the filters of the body, or to the existing ones",
    }),
  ),
  target: orNull(target),
};

export const subscriptionInput = named(
  "SubscriptionInput",
  Type.Object(
    {
      ...inputMembers,
      channel: orNull(stringEnum(subscriptionChannels, { description: "Default webhook. Can't be changed" })),
      secret: orNull(
        Type.String({
          maxLength: 200,
          description: "Signs each webhook: `whsec_` and the base64 of 24 to 64 bytes. Generated if left out",
          examples: ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
        }),
      ),
    },
    {
      examples: [
        {
          name: "failed runs",
          channel: "webhook",
          filters: [{ exact: { type: "dev.millrace.workflowrun.failed" } }],
          target: { url: "https://example.com/hooks/millrace" },
        },
      ],
    },
  ),
);

export const subscriptionChange = named(
  "SubscriptionChange",
  Type.Object(
    {
      ...inputMembers,
      secret: orNull(
        Type.String({
          maxLength: 200,
          description: "Required with another `target.url`, and only then: the stored secret is never used for another address",
        }),
      ),
    },
    { examples: [{ isActive: false }], description: "Members that are left out don't change" },
  ),
);
export interface SubscriptionChange extends Static<typeof subscriptionChange> {}

export interface Subscription extends Static<typeof subscription> {}
export const subscription = named(
  "Subscription",
  Type.Object(
    {
      id: Type.String(),
      name: Type.String(),
      channel: stringEnum(subscriptionChannels),
      isActive: Type.Boolean(),
      statusMessage: Type.Optional(Type.String({ description: "Why it was paused automatically" })),
      filters: Type.Array(ref(eventFilter)),
      target,
      secret: Type.Optional(Type.String({ description: "Returned in clear once, when it is created, and empty afterwards" })),
      hiddenValue: Type.Optional(Type.Boolean({ description: "A secret is stored; reads never return it" })),
      oldSecretUntil: Type.Optional(Type.String({ description: "Until then the previous secret also signs" })),
      creationDate: Type.String(),
      changeDate: Type.String(),
    },
    {
      examples: [
        {
          id: "0198c1de-7d90-7a11-8d42-4f5e6a7b8c90",
          name: "failed runs",
          channel: "webhook",
          isActive: true,
          filters: [{ exact: { type: "dev.millrace.workflowrun.failed" } }],
          target: { url: "https://example.com/hooks/millrace" },
          secret: "",
          hiddenValue: true,
          creationDate: "2026-03-01T12:00:00.000Z",
          changeDate: "2026-03-01T12:00:00.000Z",
        },
      ],
    },
  ),
);
export const subscriptionPage = page("PageSubscription", subscription);

export const subscriptionSecret = named(
  "SubscriptionSecret",
  Type.Object(
    { secret: orNull(Type.String({ maxLength: 200, description: "`whsec_` and the base64 of 24 to 64 bytes; generated if left out" })) },
    { examples: [{ secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" }] },
  ),
);
