import Type, { type Static } from "typebox";
import { named, orNull } from "./schema.ts";

/** The secret with which senders sign webhooks for one workflow. */
export interface WebhookSecret extends Static<typeof webhookSecret> {}
export const webhookSecret = named(
  "WebhookSecret",
  Type.Object(
    {
      isSet: Type.Boolean(),
      secret: orNull(Type.String({ description: "Returned once, when it is created; whsec_ and base64" })),
      creationDate: orNull(Type.String({ format: "date-time" })),
      previousValidUntil: orNull(Type.String({ format: "date-time", description: "Until then the previous secret is valid too" })),
    },
    { examples: [{ isSet: true, creationDate: "2026-03-01T12:00:00.000Z", previousValidUntil: "2026-03-02T12:00:00.000Z" }] },
  ),
);
