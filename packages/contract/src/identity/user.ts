import Type, { type Static } from "typebox";
import { page } from "../page.ts";
import { named, orNull, ref, stringEnum, stringMap } from "../schema.ts";

/** Schemas for people, which the endpoints for users and for the own profile share. */
export const userTypes = ["user", "admin", "operator", "sponsor", "auditor", "author", "partner", "advisor"] as const;
export type UserType = (typeof userTypes)[number];

export const userStatuses = ["active", "inactive", "pending_deletion", "deleted", "archived"] as const;
export type UserStatus = (typeof userStatuses)[number];

/** Roles of a member in a team. */
export const teamRoles = ["owner", "editor", "reader"] as const;
export type TeamRole = (typeof teamRoles)[number];

/** What the browser UI stores for a user. */
export interface UserSettings extends Static<typeof userSettings> {}
export const defaultUserSettings: UserSettings = { isFirstVisit: true, isShowHelp: true, hasConsented: false };
export const userSettings = named(
  "UserSettings",
  Type.Object({
    isFirstVisit: Type.Boolean({ description: "True until the second sign-in of the user" }),
    isShowHelp: Type.Boolean(),
    hasConsented: Type.Boolean(),
  }),
);

/** The identity of a user at an identity provider. */
export interface UserIdentity extends Static<typeof userIdentity> {}
const identityMembers = {
  issuer: Type.String({ minLength: 1, maxLength: 1000, examples: ["https://id.example.com/realms/main"] }),
  subject: Type.String({ minLength: 1, maxLength: 255, examples: ["4f1c0a52-9f0e-4f7e-8d0b-9a1c6d7e2f30"] }),
};
export const userIdentity = named("UserIdentity", Type.Object(identityMembers));

export interface User extends Static<typeof user> {}
/** Members of both the user and the profile. */
export const userMembers = {
  id: Type.String(),
  email: Type.String(),
  name: Type.Optional(Type.String()),
  displayName: Type.Optional(Type.String()),
  type: stringEnum(userTypes),
  creationDate: Type.String({ format: "date-time" }),
  lastLoginDate: Type.Optional(Type.String({ format: "date-time" })),
  status: stringEnum(userStatuses, { description: "Only active users can sign in" }),
  labels: stringMap(),
  settings: ref(userSettings),
};
/** Example of a user, and the first part of the profile's example. */
export const userExample = {
  id: "0198c1de-7d60-7a51-9f22-0c4e6e1f7a10",
  email: "ada@example.com",
  name: "Ada",
  displayName: "Ada of the Hawks",
  type: "user",
  creationDate: "2026-03-01T12:00:00.000Z",
  lastLoginDate: "2026-03-02T08:15:00.000Z",
  status: "active",
  labels: { site: "london" },
  settings: { isFirstVisit: false, isShowHelp: true, hasConsented: true },
};
export const user = named(
  "User",
  Type.Object(
    {
      ...userMembers,
      identity: Type.Optional(
        Type.Unsafe<Static<typeof userIdentity>>({
          ...ref(userIdentity),
          description: "Issuer and subject of the first sign-in by OpenID Connect",
        }),
      ),
      requestedIdentity: Type.Optional(
        Type.Object(
          { ...identityMembers, date: Type.String({ format: "date-time" }) },
          {
            description:
              "Another subject that last tried to sign in with this address, and was rejected. It is accepted when it is written as `identity`",
          },
        ),
      ),
    },
    { examples: [userExample] },
  ),
);

export interface UserRequest extends Static<typeof userRequest> {}
const text = (options: Record<string, unknown> = {}) => orNull(Type.String({ maxLength: 400, ...options }));
const flag = orNull(Type.Boolean());
export const userRequest = named(
  "UserRequest",
  Type.Object(
    {
      id: text({ description: "Ignored: the path identifies the user" }),
      email: text({ description: "Can't be changed here: it comes from the identity provider" }),
      name: text({ description: "Empty: unchanged" }),
      displayName: text({ description: "Empty: unchanged" }),
      type: text({ description: `One of ${userTypes.join(", ")}`, examples: ["operator"] }),
      status: text({ description: `One of ${userStatuses.join(", ")}`, examples: ["inactive"] }),
      labels: orNull(
        Type.Unsafe<Record<string, string | null>>({
          type: "object",
          maxProperties: 200,
          propertyNames: { type: "string", minLength: 1, maxLength: 320 },
          additionalProperties: { type: ["string", "null"], maxLength: 1000 },
          description: "Merged into the existing ones; null removes one",
        }),
      ),
      settings: orNull(Type.Object({ isFirstVisit: flag, isShowHelp: flag, hasConsented: flag })),
      identity: orNull(
        Type.Object(identityMembers, {
          description:
            "Who signs in as this user through OpenID Connect from now on, as given in `requestedIdentity`. Requires an administrator, and ends the sessions of the user",
        }),
      ),
    },
    { examples: [{ displayName: "Ada", labels: { site: "london" } }] },
  ),
);

export const pageUser = page("PageUser", user);
