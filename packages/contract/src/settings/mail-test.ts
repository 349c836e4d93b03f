import Type, { type Static } from "typebox";
import { named } from "../schema.ts";

export interface MailTestRequest extends Static<typeof mailTestRequest> {}
export const mailTestRequest = named(
  "MailTestRequest",
  Type.Object(
    { to: Type.Optional(Type.String({ maxLength: 320, description: "An email address. Left out: yours" })) },
    { examples: [{ to: "kim@example.com" }] },
  ),
);

export interface MailTest extends Static<typeof mailTest> {}
export const mailTest = named(
  "MailTest",
  Type.Object(
    {
      sent: Type.Boolean({ description: "Whether the mail server has taken it" }),
      to: Type.String(),
      server: Type.String({ description: "Host and port" }),
      code: Type.Optional(Type.Integer({ description: "The SMTP code, if there was an answer" })),
      answer: Type.String({ description: "What the mail server said, or why there was no answer" }),
    },
    { examples: [{ sent: false, to: "kim@example.com", server: "mail.example.com:587", code: 535, answer: "535 Authentication failed" }] },
  ),
);
