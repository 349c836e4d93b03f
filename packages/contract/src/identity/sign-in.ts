import type { Static } from "typebox";
import Type from "typebox";
import { named, orNull, ref, stringEnum } from "../schema.ts";
import { headerPlatformMessage } from "../settings/system.ts";

/** Ways for people to sign in. */
export const signInMethods = ["oidc", "password", "proxy"] as const;

export interface SignInMethod extends Static<typeof signInMethod> {}
export const signInMethod = named(
  "SignInMethod",
  Type.Object({
    type: stringEnum(signInMethods),
    url: Type.Unsafe<string | null>({
      type: ["string", "null"],
      description: "oidc: where to send the browser. password: where to POST. proxy: nothing to do, the proxy identifies the caller",
    }),
  }),
);

export interface SignInMethods extends Static<typeof signInMethodsAnswer> {}
export const signInMethodsAnswer = named(
  "SignInMethods",
  Type.Object(
    {
      auth: stringEnum(["on", "off"], { description: "off: everyone on the machine is an administrator, nobody signs in" }),
      methods: Type.Array(ref(signInMethod)),
    },
    {
      examples: [
        {
          auth: "on",
          methods: [
            { type: "oidc", url: "/api/v2/auth/oidc/start" },
            { type: "password", url: "/api/v2/auth/password" },
          ],
        },
      ],
    },
  ),
);

const email = Type.String({ minLength: 1, maxLength: 320, examples: ["ada@example.com"] });
/** The same rule as for the first administrator. */
const newPassword = Type.String({ minLength: 8, maxLength: 1000 });
const knownPassword = Type.String({ minLength: 1, maxLength: 1000 });

export const passwordSignIn = named(
  "PasswordSignIn",
  Type.Object({ email, password: knownPassword }, { examples: [{ email: "ada@example.com", password: "correct horse battery" }] }),
);
export const passwordChange = named(
  "PasswordChange",
  Type.Object(
    { current: knownPassword, new: newPassword },
    { examples: [{ current: "correct horse battery", new: "staple with nine rivets" }] },
  ),
);
export const passwordReset = named(
  "PasswordReset",
  Type.Object(
    {
      email,
      code: Type.String({ minLength: 1, maxLength: 100, description: "Created by an administrator" }),
      new: newPassword,
    },
    { examples: [{ email: "ada@example.com", code: "7QK2M-0XW4D-P9T3C-ZB1RH", new: "staple with nine rivets" }] },
  ),
);
export const passwordCode = named(
  "PasswordCode",
  Type.Object(
    {
      code: Type.String({ description: "Sets a new password once, with POST /api/v2/auth/password/reset. Shown only once" }),
      expirationDate: Type.String({ format: "date-time" }),
    },
    { examples: [{ code: "7QK2M-0XW4D-P9T3C-ZB1RH", expirationDate: "2026-03-02T12:00:00.000Z" }] },
  ),
);

/** One browser in which a user is signed in. */
export interface Session extends Static<typeof session> {}
const nullableText = (options: Record<string, unknown> = {}) => Type.Unsafe<string | null>({ type: ["string", "null"], ...options });
export const session = named(
  "Session",
  Type.Object(
    {
      id: Type.String(),
      creationDate: Type.String({ format: "date-time" }),
      lastUsedDate: nullableText({ format: "date-time", description: "To the minute" }),
      expirationDate: nullableText({ format: "date-time", description: "The latest end; it ends earlier if it is not used" }),
      address: nullableText({ description: "From where it was begun" }),
      userAgent: nullableText({ description: "User agent of the browser" }),
      current: Type.Boolean({ description: "Whether it is the session of this request" }),
    },
    {
      examples: [
        {
          id: "0198c1de-7d84-7e2c-87bc-6c5d4e3f2a98",
          creationDate: "2026-03-02T08:15:00.000Z",
          lastUsedDate: "2026-03-02T09:41:00.000Z",
          expirationDate: "2026-03-09T08:15:00.000Z",
          address: "192.0.2.17",
          userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
          current: true,
        },
      ],
    },
  ),
);

/** A team that the caller belongs to, and their permissions there. */
export interface CallerTeam extends Static<typeof callerTeam> {}
export const callerTeam = named(
  "CallerTeam",
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    displayName: Type.String(),
    permissions: Type.Array(Type.String(), { description: "resource/action with ** for any: what the caller can do in this team" }),
  }),
);

/** The caller of a request, for any kind of credential: what a client needs to know to decide which of its buttons will work. */
export interface Caller extends Static<typeof caller> {}
export const caller = named(
  "Caller",
  Type.Object(
    {
      kind: stringEnum(["global", "team", "workflow", "user", "session"], {
        description: "session: a person in a browser; the others: kinds of tokens",
      }),
      id: Type.String({ description: "As in votes and in the audit: user:ID or token:ID" }),
      name: Type.String(),
      email: nullableText(),
      userId: nullableText({ description: "Of the person behind a session or a user's token" }),
      expirationDate: nullableText({ format: "date-time", description: "When the credential expires" }),
      permissions: Type.Array(Type.String(), { description: "resource/action with ** for any: on the instance and in all of its teams" }),
      teams: Type.Array(ref(callerTeam), { description: "Teams of the caller, by name" }),
      platform: Type.Object(
        { name: Type.String(), message: orNull(ref(headerPlatformMessage)) },
        { description: "Name of the instance and what it has to say, as in the context" },
      ),
    },
    {
      examples: [
        {
          kind: "session",
          id: "user:0198c1de-7d84-7e2c-87bc-6c5d4e3f2a98",
          name: "Ada",
          email: "ada@example.com",
          userId: "0198c1de-7d84-7e2c-87bc-6c5d4e3f2a98",
          expirationDate: "2026-03-09T08:15:00.000Z",
          permissions: [],
          teams: [{ id: "0198c1de-7d5c-7c3b-a1f0-2b7f6d2d9b1e", name: "hawks", displayName: "The Hawks", permissions: ["**/read"] }],
          platform: { name: "Millrace", message: null },
        },
      ],
    },
  ),
);

const text = (options: Record<string, unknown>) => Type.Optional(Type.Unsafe<string | null>({ type: ["string", "null"], ...options }));

/** Activates an instance, and names its first administrator. */
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
