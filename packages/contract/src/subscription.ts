import Type from "typebox";
import "./page.ts";
import { type EmailPeople, emailPeople } from "./email-target.ts";
import { type EventFilter, eventFilters } from "./event-filter.ts";
import { type Notification, notifications } from "./notification.ts";
import { named, orNull, page, ref, stringEnum } from "./schema.ts";
import { statuses } from "./status.ts";

/** Who hears of changes, and how: subscriptions, and what became of each delivery. */

/** How events leave. `codehost` has no subscriptions: the runs of its events are reported by themselves. */
export const deliveryChannels = ["webhook", "email", "chat", "codehost"] as const;
export type DeliveryChannel = (typeof deliveryChannels)[number];

export const subscriptionChannels = ["webhook", "email", "chat"] as const;
export type SubscriptionChannel = (typeof subscriptionChannels)[number];

/** What changes: the kinds of events. */
export const eventKinds = ["workflowrun", "taskrun", "action", "schedule"] as const;
export type EventKind = (typeof eventKinds)[number];

/** The statuses that each kind can take, the last part of an event's type. */
export const eventStatuses: Readonly<Record<EventKind, readonly string[]>> = {
  workflowrun: statuses,
  taskrun: statuses,
  action: ["submitted", "reminder", "approved", "rejected", "cancelled"],
  schedule: ["active", "archived", "inactive", "trigger_disabled", "error", "completed"],
};

/** `waiting`: behind another of the same run; `pending`: to be tried; `dead`: given up. */
export const deliveryStatuses = ["waiting", "pending", "delivered", "dead"] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

export const subscriptionLimits = { perScope: 50, nameLength: 100, urlLength: 2000 } as const;

/** To whom, by channel; other members are refused. */
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
  /** chat: addresses of people of the workspace. */
  emails?: string[];
  [member: string]: unknown;
}

export interface SubscriptionInput {
  name?: string | null;
  channel?: SubscriptionChannel | null;
  isActive?: boolean | null;
  filters?: EventFilter[] | null;
  /** Becomes a filter; without filters of its own the body's words replace those that were there. */
  notify?: Notification[] | null;
  target?: SubscriptionTarget | null;
  secret?: string | null;
}

const target = Type.Unsafe<SubscriptionTarget>({
  type: "object",
  maxProperties: 20,
  additionalProperties: true,
  description:
    "To whom, by channel. webhook: `url`, http or https, without user name and password. email: `to`, up to 50 addresses, and `people`, " +
    `some of ${emailPeople.join(", ")}. chat: \`workspace\`, with \`channel\` or \`emails\` (up to ten addresses)`,
  examples: [{ url: "https://example.com/hooks/millrace" }],
});

const inputMembers = {
  name: orNull(
    Type.String({
      minLength: 1,
      maxLength: subscriptionLimits.nameLength,
      pattern: "^\\S(.*\\S)?$",
      description: "One of a kind in its team",
    }),
  ),
  isActive: orNull(Type.Boolean({ description: "Default true. While it is false nothing is recorded for it, and what is queued waits" })),
  filters: orNull(eventFilters("Which events; all must hold. Default: all events")),
  notify: orNull(
    Type.Array(stringEnum(notifications), {
      maxItems: notifications.length,
      description:
        "Words for the filter that lets these events through; it is added to the filters of the body, or replaces those that were there",
    }),
  ),
  target: orNull(target),
};

export const subscriptionInput = named(
  "SubscriptionInput",
  Type.Object(
    {
      ...inputMembers,
      channel: orNull(stringEnum(subscriptionChannels, { description: "Default webhook. It never changes" })),
      secret: orNull(
        Type.String({
          maxLength: 200,
          description: "Signs each webhook: `whsec_` and the base64 of 24 to 64 bytes. One is made when it is left out",
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
  Type.Object(inputMembers, { examples: [{ isActive: false }], description: "What is left out stays as it is" }),
);
export type SubscriptionChange = Omit<SubscriptionInput, "channel" | "secret">;

export interface Subscription {
  id: string;
  name: string;
  channel: SubscriptionChannel;
  isActive: boolean;
  statusMessage?: string;
  filters: EventFilter[];
  target: SubscriptionTarget;
  secret?: string;
  hiddenValue?: boolean;
  oldSecretUntil?: string;
  creationDate: string;
  changeDate: string;
}
export const subscription = named(
  "Subscription",
  Type.Object(
    {
      id: Type.String(),
      name: Type.String(),
      channel: stringEnum(subscriptionChannels),
      isActive: Type.Boolean(),
      statusMessage: Type.Optional(Type.String({ description: "Why it was paused by itself" })),
      filters: Type.Array(ref<EventFilter>("EventFilter")),
      target,
      secret: Type.Optional(Type.String({ description: "In clear in the answer that made it, and empty ever after" })),
      hiddenValue: Type.Optional(Type.Boolean({ description: "There is a secret that is not shown" })),
      oldSecretUntil: Type.Optional(Type.String({ description: "Until then the secret before signs, too" })),
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
export const subscriptionPage = page("PageSubscription", "Subscription");

export const subscriptionSecret = named(
  "SubscriptionSecret",
  Type.Object(
    { secret: orNull(Type.String({ maxLength: 200, description: "`whsec_` and the base64 of 24 to 64 bytes; made when it is left out" })) },
    { examples: [{ secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" }] },
  ),
);

export interface Delivery {
  id: string;
  channel: DeliveryChannel;
  status: DeliveryStatus;
  attempts: number;
  creationDate: string;
  attemptDate?: string;
  nextAttemptDate?: string;
  endDate?: string;
  answerStatus?: number;
  answer?: string;
  error?: string;
  event: Record<string, unknown>;
}
export const delivery = named(
  "Delivery",
  Type.Object(
    {
      id: Type.String({ description: "Header `webhook-id`: the same in each attempt" }),
      channel: stringEnum(deliveryChannels),
      status: stringEnum(deliveryStatuses, {
        description: "pending: to be tried; waiting: behind another one of the same run; delivered; dead: given up, can be replayed",
      }),
      attempts: Type.Integer({ minimum: 0 }),
      creationDate: Type.String(),
      attemptDate: Type.Optional(Type.String({ description: "When the last attempt began" })),
      nextAttemptDate: Type.Optional(
        Type.String({ description: "When it is tried next; while it is tried, when that attempt is given up" }),
      ),
      endDate: Type.Optional(Type.String({ description: "When it was delivered or given up" })),
      answerStatus: Type.Optional(Type.Integer({ description: "Status code of the last answer" })),
      answer: Type.Optional(Type.String({ description: "The first 1 KiB of the last answer, secrets masked" })),
      error: Type.Optional(Type.String({ description: "Why the last attempt failed" })),
      event: Type.Record(Type.String(), Type.Unknown(), { description: "The CloudEvent" }),
    },
    {
      examples: [
        {
          id: "0198c1de-7d96-7b23-9e54-5a6b7c8d9e01",
          channel: "webhook",
          status: "delivered",
          attempts: 1,
          creationDate: "2026-03-01T12:00:00.000Z",
          attemptDate: "2026-03-01T12:00:00.100Z",
          endDate: "2026-03-01T12:00:00.150Z",
          answerStatus: 204,
          answer: "",
          event: {
            specversion: "1.0",
            id: "0198c1de-7d93-7c35-af66-6b7c8d9e0f12",
            source: "/api/v2/team/0198c1de-7d5c-7c3b-a1f0-2b7f6d2d9b1e",
            type: "dev.millrace.workflowrun.failed",
            subject: "/workflowrun/0198c1de-7d71-7e12-8a68-7c5b4d3e2f54/status/failed",
            time: "2026-03-01T12:00:00.000Z",
            datacontenttype: "application/json",
            team: "hawks",
            workflow: "welcome",
            data: { id: "0198c1de-7d71-7e12-8a68-7c5b4d3e2f54", status: "failed", phase: "completed" },
          },
        },
      ],
    },
  ),
);
export const deliveryPage = page("PageDelivery", "Delivery");

export const replayCount = named(
  "ReplayCount",
  Type.Object({ count: Type.Integer({ minimum: 0, description: "Deliveries that are sent again" }) }, { examples: [{ count: 3 }] }),
);
