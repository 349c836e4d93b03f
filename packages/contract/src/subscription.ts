/** Who hears of changes, and how: subscriptions, and what became of each delivery. */

/** How events leave. `codehost` has no subscriptions: the runs of its events are reported by themselves. */
export const deliveryChannels = ["webhook", "email", "chat", "codehost"] as const;
export type DeliveryChannel = (typeof deliveryChannels)[number];

export const subscriptionChannels = ["webhook", "email", "chat"] as const;
export type SubscriptionChannel = (typeof subscriptionChannels)[number];

/** What changes: the kinds of events. */
export const eventKinds = ["workflowrun", "taskrun", "action", "schedule"] as const;
export type EventKind = (typeof eventKinds)[number];

/** `waiting`: behind another of the same run; `pending`: to be tried; `dead`: given up. */
export const deliveryStatuses = ["waiting", "pending", "delivered", "dead"] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];
