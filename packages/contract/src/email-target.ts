import Type from "typebox";
import { named, orNull, stringEnum } from "./schema.ts";

/** To whom a subscription writes e-mails: to addresses, and to people by what they are in the team or to the run. */

/**
 * `owners`, `editors`, `readers`: members of the team with that role. `initiator`: who started the run, or the run it goes back to.
 * `approvers`: who may still vote on the action that the event is about.
 */
export const emailPeople = ["owners", "editors", "readers", "approvers", "initiator"] as const;
export type EmailPeople = (typeof emailPeople)[number];

export const maxEmailAddresses = 50;

export interface EmailTarget {
  to?: string[] | null;
  people?: EmailPeople[] | null;
}
export const emailTarget = named(
  "EmailTarget",
  Type.Object(
    {
      to: orNull(
        Type.Array(Type.String({ minLength: 3, maxLength: 320 }), { maxItems: maxEmailAddresses, description: "E-mail addresses" }),
      ),
      people: orNull(
        Type.Array(stringEnum(emailPeople), {
          maxItems: emailPeople.length,
          description:
            "owners, editors, readers: members with that role; initiator: who started the run; approvers: who may still vote on the action",
        }),
      ),
    },
    { examples: [{ to: ["on-call@example.com"], people: ["approvers"] }] },
  ),
);
