import Type, { type Static } from "typebox";
import { named } from "./schema.ts";

/** What a cron expression is worth, for someone who is typing it. */
export interface CronValidationResponse extends Static<typeof cronValidationResponse> {}
export const cronValidationResponse = named(
  "CronValidationResponse",
  Type.Object(
    {
      valid: Type.Boolean(),
      message: Type.Optional(
        Type.String({ description: "Only if not valid: what is wrong, where (the first character is 1), and what would be valid" }),
      ),
      next: Type.Optional(
        Type.Array(Type.String({ format: "date-time" }), {
          maxItems: 10,
          description: "Only if valid: the next firing times, at most ten",
        }),
      ),
    },
    {
      examples: [
        { valid: true, next: ["2026-03-02T08:00:00.000Z", "2026-03-03T08:00:00.000Z"] },
        { valid: false, message: "minute 61 is out of range; it can be 0 to 59 (at character 1)" },
      ],
    },
  ),
);
