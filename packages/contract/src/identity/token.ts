import Type, { type Static } from "typebox";
import { page } from "../page.ts";
import { named, ref, stringEnum } from "../schema.ts";

/** Kinds of tokens, by whom they act as. Sessions are created only by signing in. */
export const tokenTypes = ["session", "user", "team", "workflow", "global"] as const;
export type TokenType = (typeof tokenTypes)[number];

/** The permissions of a token, and where they apply. */
export interface ResolvedPermissions extends Static<typeof resolvedPermissions> {}
export const resolvedPermissions = named(
  "ResolvedPermissions",
  Type.Object({
    scope: stringEnum(tokenTypes),
    principal: Type.String({ description: "ID of the team, workflow or user; ** for all" }),
    actions: Type.Array(Type.String(), { description: "Permissions, resource/action", examples: [["workflow/read", "workflow/action"]] }),
  }),
);

export interface Token extends Static<typeof token> {}
const nullableText = (options: Record<string, unknown> = {}) => Type.Unsafe<string | null>({ type: ["string", "null"], ...options });
export const token = named(
  "Token",
  Type.Object({
    id: Type.String(),
    type: stringEnum(tokenTypes),
    name: Type.String(),
    description: nullableText(),
    creationDate: Type.String({ format: "date-time" }),
    expirationDate: nullableText({ format: "date-time" }),
    lastUsedDate: nullableText({ format: "date-time", description: "To the minute" }),
    valid: Type.Boolean({ description: "False if it has expired" }),
    principal: Type.String({ description: "ID of the team, workflow or user; ** for a global token" }),
    permissions: Type.Array(ref(resolvedPermissions)),
    tasks: Type.Optional(Type.Array(Type.String(), { description: "External tasks that it may claim; * for all. Absent: none" })),
  }),
);

export interface TokenCreateRequest extends Static<typeof tokenCreateRequest> {}
export const tokenCreateRequest = named(
  "TokenCreateRequest",
  Type.Object(
    {
      type: Type.String({ description: "user, team, workflow or global", examples: ["team"] }),
      name: Type.String({ minLength: 1, maxLength: 200, pattern: "\\S" }),
      principal: Type.Optional(
        nullableText({
          maxLength: 400,
          description:
            "Team: its name or ID. Workflow: its ID, or team/name. User: ID or email address, by default the caller. Global: none",
        }),
      ),
      description: Type.Optional(nullableText({ maxLength: 2000 })),
      expirationDate: Type.Optional(
        Type.Unsafe<string | number | null>({ type: ["string", "integer", "null"], description: "ISO 8601, or epoch milliseconds" }),
      ),
      permissions: Type.Optional(
        Type.Unsafe<string[] | null>({
          type: ["array", "null"],
          maxItems: 100,
          items: { type: "string", maxLength: 100 },
          description: "resource/action, ** for any. Required unless the type is user, whose token has the permissions of the user",
        }),
      ),
      tasks: Type.Optional(
        Type.Unsafe<string[] | null>({
          type: ["array", "null"],
          maxItems: 100,
          items: { type: "string", pattern: "^(\\*|[0-9A-Za-z-]{1,200})$" },
          description:
            "Names of the external tasks that the token may claim, * for all; with the permission externaltask/action. Without it, it claims none",
        }),
      ),
      role: Type.Optional(nullableText({ description: "Not used" })),
    },
    { examples: [{ type: "team", name: "pipeline", principal: "hawks", permissions: ["workflow/read", "workflow/action"] }] },
  ),
);

export interface TokenCreateResponse extends Static<typeof tokenCreateResponse> {}
export const tokenCreateResponse = named(
  "TokenCreateResponse",
  Type.Object({
    id: Type.String(),
    type: stringEnum(tokenTypes),
    token: Type.String({ description: "The token itself. Shown only once: Millrace keeps only its hash" }),
    expirationDate: nullableText({ format: "date-time" }),
  }),
);

export const pageToken = page("PageToken", token);
