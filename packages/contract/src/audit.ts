import type { Static } from "typebox";
import Type from "typebox";
import { page } from "./page.ts";
import { named } from "./schema.ts";

/** One write, recorded in the same transaction: who, with which token, what, when, and the state before and after. */
export interface AuditEntry extends Static<typeof auditEntry> {}

const textOrNull = (description: string) => Type.Unsafe<string | null>({ type: ["string", "null"], description });

export const auditEntry = named(
  "AuditEntry",
  Type.Object(
    {
      id: Type.String(),
      date: Type.String({ description: "ISO 8601 in UTC" }),
      team: Type.Unsafe<{ id: string; name: string | null } | null>({
        type: ["object", "null"],
        required: ["id", "name"],
        properties: { id: { type: "string" }, name: { type: ["string", "null"] } },
        description: "Null for changes of the instance; the name is null if the team was deleted",
      }),
      actor: Type.Object({
        principal: Type.String({ description: "`user:ID` or `token:ID`" }),
        type: Type.String({ examples: ["user", "session", "team", "workflow", "global"] }),
        name: textOrNull("At that time"),
        tokenRef: textOrNull("ID of the token that was used"),
      }),
      action: Type.String({ description: "The permission used: resource/action", examples: ["workflow/write"] }),
      object: Type.Object({
        kind: Type.String({ examples: ["workflow"] }),
        id: textOrNull("Null if it is addressed only by name"),
        name: textOrNull("At that time"),
      }),
      requestId: textOrNull("That of the header x-request-id"),
      before: Type.Unknown({ description: "Null if it didn't exist before; secrets masked" }),
      after: Type.Unknown({ description: "Null if it doesn't exist any more; secrets masked" }),
      truncated: Type.Optional(Type.Boolean({ description: "before and after are too large for the list; read the entry by itself" })),
    },
    {
      examples: [
        {
          id: "0198c1de-7d96-7b5f-baef-9f807b6c5dcb",
          date: "2026-03-01T12:00:00.000Z",
          team: { id: "0198c1de-7d5c-7c3b-a1f0-2b7f6d2d9b1e", name: "hawks" },
          actor: {
            principal: "user:0198c1de-7d60-7a51-9f22-0c4e6e1f7a10",
            type: "user",
            name: "ada@example.com",
            tokenRef: "0198c1de-7d84-7e2c-87bc-6c5d4e3f2a98",
          },
          action: "team/write",
          object: { kind: "team", id: "0198c1de-7d5c-7c3b-a1f0-2b7f6d2d9b1e", name: "hawks" },
          requestId: "0198c1de-7d90-7a4e-a9de-8e7f6a5b4cba",
          before: { name: "hawks", displayName: "Hawks" },
          after: { name: "hawks", displayName: "The Hawks" },
        },
      ],
    },
  ),
);

export const pageAuditEntry = page("PageAuditEntry", auditEntry);

/** Similar failed sign-ins of one hour. */
export interface FailedSignInEntry extends Static<typeof failedSignIn> {}

const moment = () => Type.String({ format: "date-time" });
const example = {
  hour: "2026-03-01T12:00:00.000Z",
  network: "203.0.113.7",
  way: "password",
  reason: "wrong-password",
  account: "ada@example.com",
  count: 10,
  firstDate: "2026-03-01T12:04:11.000Z",
  lastDate: "2026-03-01T12:09:58.000Z",
};

export const failedSignIn = named(
  "FailedSignIn",
  Type.Object(
    {
      hour: moment(),
      network: Type.String({
        description: "Address, or the /64 network of an IPv6 one; * for all those beyond the first 500 rows of the hour",
      }),
      way: Type.String({
        description: "password, password-code, activation, oidc, token or proxy; * for all those beyond the first 20 of the network",
      }),
      reason: Type.String(),
      account: Type.Unsafe<string | null>({
        type: ["string", "null"],
        description: "Address of the user it was tried for; null where there is no such user, or none was named",
      }),
      count: Type.Integer(),
      firstDate: moment(),
      lastDate: moment(),
    },
    { examples: [example] },
  ),
);

export const pageFailedSignIn = page("PageFailedSignIn", failedSignIn);
