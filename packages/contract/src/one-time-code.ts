import Type, { type Static } from "typebox";
import { named } from "./schema.ts";

const text = (options: Record<string, unknown>) => Type.Optional(Type.Unsafe<string | null>({ type: ["string", "null"], ...options }));

/** What activates an instance, and who its first administrator is. */
export interface OneTimeCode extends Static<typeof oneTimeCode> {}
export const oneTimeCode = named(
  "OneTimeCode",
  Type.Object(
    {
      otc: text({ maxLength: 100, description: "The code that the first start wrote to `one-time-code` in the data folder" }),
      email: text({
        maxLength: 320,
        pattern: "^[^\\s@]+@[^\\s@]+$",
        description: "Of the first administrator; goes together with `password`",
      }),
      password: text({ minLength: 8, maxLength: 1000, description: "Of the first administrator" }),
    },
    { examples: [{ otc: "7QK2M-0XW4D-P9T3C-ZB1RH", email: "admin@example.com", password: "correct horse battery" }] },
  ),
);
