import Type, { type Static } from "typebox";
import { page } from "../page.ts";
import { named, stringEnum } from "../schema.ts";

/** The outcome of each event for each receiver. */

/** How events are sent. `codehost` has no subscriptions: runs started by its events report to it automatically. */
export const deliveryChannels = ["webhook", "email", "chat", "codehost"] as const;
export type DeliveryChannel = (typeof deliveryChannels)[number];

/** `waiting`: another one of the same run comes first; `pending`: will be tried; `dead`: given up. */
export const deliveryStatuses = ["waiting", "pending", "delivered", "dead"] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

export interface Delivery extends Static<typeof delivery> {}
export const delivery = named(
  "Delivery",
  Type.Object(
    {
      id: Type.String({ description: "Header `webhook-id`: the same in each attempt" }),
      channel: stringEnum(deliveryChannels),
      status: stringEnum(deliveryStatuses, {
        description:
          "pending: will be attempted; waiting: queued behind another delivery of the same run; delivered; dead: given up, can be replayed",
      }),
      attempts: Type.Integer({ minimum: 0 }),
      creationDate: Type.String(),
      attemptDate: Type.Optional(Type.String({ description: "When the last attempt started" })),
      nextAttemptDate: Type.Optional(Type.String({ description: "When the next attempt starts; during an attempt, when it times out" })),
      endDate: Type.Optional(Type.String({ description: "When it was delivered or given up" })),
      answerStatus: Type.Optional(Type.Integer({ description: "Status code of the last response" })),
      answer: Type.Optional(Type.String({ description: "The first 1 KiB of the last response, secrets masked" })),
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
export const deliveryPage = page("PageDelivery", delivery);

export const replayCount = named(
  "ReplayCount",
  Type.Object({ count: Type.Integer({ minimum: 0, description: "Deliveries that are sent again" }) }, { examples: [{ count: 3 }] }),
);
