import Type, { type Static, type TSchema } from "typebox";
import { abstractParam } from "../common.ts";
import { teamRoles } from "../identity/user.ts";
import { page } from "../page.ts";
import { retentionInForce, teamRetention } from "../retention.ts";
import { labelLimits, named, orNull, ref, stringEnum, stringMap } from "../schema.ts";
import { currentQuotas, quotas } from "./quota.ts";

export const teamStatuses = ["active", "inactive"] as const;
export type TeamStatus = (typeof teamStatuses)[number];

export const teamTypes = ["personal", "hobby", "pro", "enterprise", "system"] as const;
export type TeamType = (typeof teamTypes)[number];

/**
 * Names that a team can't have, since paths of the API or pages of the user interface use them. An older team with such a name is reached
 * by its id.
 */
export const reservedTeamNames = [
  ...["home", "admin", "system", "profile", "connect", "query", "roles", "quotas", "validate-name", "docs"],
  ...["sign-in", "activate", "kit", "api", "assets", "health", "ready", "metrics"],
];

/**
 * How many of these a team may have, and how many of its members the team itself shows. Each submission and each response about the team
 * contains all of its parameters, so their size is limited, too.
 */
export const teamLimits = { parameters: 1000, parameterBytes: 1_048_576, approverGroups: 200, membersShown: 100 } as const;

/** A member. In a request, the person is identified by `id` or otherwise by `email`; `role` is required where members are set. */
export interface TeamMember extends Static<typeof teamMember> {}
const optionalText = (options: Record<string, unknown> = {}) =>
  Type.Optional(Type.Unsafe<string | null>({ type: ["string", "null"], maxLength: 400, ...options }));
export const teamMember = named(
  "TeamMember",
  Type.Object({
    id: optionalText(),
    email: optionalText(),
    name: optionalText(),
    role: optionalText({ description: `One of ${teamRoles.join(", ")}`, examples: ["editor"] }),
  }),
);

/** People who decide approvals together. */
export interface ApproverGroup extends Static<typeof approverGroup> {}
export const approverGroup = named(
  "ApproverGroup",
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    creationDate: Type.String({ format: "date-time" }),
    approvers: Type.Array(ref(teamMember)),
  }),
);

export interface ApproverGroupRequest extends Static<typeof approverGroupRequest> {}
export const approverGroupRequest = named(
  "ApproverGroupRequest",
  Type.Object({
    id: optionalText({ description: "Ignored: a group is found by its name" }),
    name: Type.String({ minLength: 1, maxLength: 200, pattern: "\\S" }),
    approvers: Type.Optional(
      Type.Unsafe<string[] | null>({
        type: ["array", "null"],
        maxItems: 1000,
        items: { type: "string", maxLength: 400 },
        description: "IDs or email addresses of members of the team; replaces the existing ones",
      }),
    ),
  }),
);

export interface WorkflowSummary extends Static<typeof workflowSummary> {}
export const workflowSummary = named(
  "WorkflowSummary",
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    displayName: Type.Optional(Type.String()),
    status: Type.Optional(Type.String()),
    version: Type.Optional(Type.Integer()),
    creationDate: Type.Optional(Type.String({ format: "date-time" })),
    icon: Type.Optional(Type.String()),
    description: Type.Optional(Type.String()),
  }),
);

export interface Team extends Static<typeof team> {}
export const team = named(
  "Team",
  Type.Object({
    id: Type.String(),
    name: Type.String({ description: "The slug in URLs, in addition to its ID" }),
    displayName: Type.String(),
    creationDate: Type.String({ format: "date-time" }),
    status: stringEnum(teamStatuses),
    externalRef: Type.Unsafe<string | null>({ type: ["string", "null"] }),
    labels: stringMap(),
    parameters: Type.Array(ref(abstractParam)),
    allowHostNetwork: Type.Boolean({
      description: "Its tasks may use the machine's network, if MILLRACE_ALLOW_HOST_NETWORK allows it",
    }),
    allowPrivileged: Type.Boolean({
      description: "Steps of its tasks may have privileges (`securityContext`), if MILLRACE_ALLOW_PRIVILEGED allows it",
    }),
    retention: ref(teamRetention),
    retentionInForce: ref(retentionInForce),
    quotas: ref(currentQuotas),
    members: Type.Array(ref(teamMember), {
      description: `At most ${teamLimits.membersShown}, those who joined first; query the team's members for all`,
    }),
    memberCount: Type.Integer({ minimum: 0, description: "Of all its members" }),
    workflows: Type.Array(ref(workflowSummary), { description: "Always empty; query the team's workflows instead" }),
    approverGroups: Type.Array(ref(approverGroup)),
  }),
);

export interface TeamRequest extends Static<typeof teamRequest> {}
const listOf = <T extends TSchema>(items: T, maxItems: number, description: string) =>
  Type.Optional(Type.Unsafe<Static<T>[] | null>({ type: ["array", "null"], maxItems, items, description }));
const teamRequestMembers = {
  id: optionalText({ description: "Ignored" }),
  name: optionalText({ maxLength: 128, description: "Turned into a slug: lower case, hyphens for spaces" }),
  displayName: optionalText(),
  status: optionalText({ description: `One of ${teamStatuses.join(", ")}; PATCH only`, examples: ["active"] }),
  type: optionalText({ description: `One of ${teamTypes.join(", ")}`, examples: ["pro"] }),
  externalRef: optionalText(),
  labels: Type.Optional(
    Type.Unsafe<Record<string, string | null> | null>({
      type: ["object", "null"],
      maxProperties: 2 * labelLimits.count,
      propertyNames: { type: "string", minLength: 1, maxLength: labelLimits.keyLength },
      additionalProperties: { type: ["string", "null"], maxLength: labelLimits.valueLength },
      description: `Merged into the existing ones; null removes one. A team has at most ${labelLimits.count}`,
    }),
  ),
  parameters: listOf(ref(abstractParam), teamLimits.parameters, "Added, or replaced by name; a secret left empty doesn't change"),
  allowHostNetwork: Type.Optional(
    Type.Unsafe<boolean | null>({
      type: ["boolean", "null"],
      description: "Tasks of the team may use the machine's network; administrators only",
    }),
  ),
  allowPrivileged: Type.Optional(
    Type.Unsafe<boolean | null>({
      type: ["boolean", "null"],
      description: "Steps of the team's tasks may have privileges; administrators only",
    }),
  ),
  retention: orNull(ref(teamRetention), {
    description: "Number of days its history is kept, if less than on the instance; null for a kind: as long as the instance keeps it",
  }),
  quotas: orNull(ref(quotas)),
  members: listOf(ref(teamMember), 1000, "Added, or given another role"),
  approverGroups: listOf(ref(approverGroupRequest), teamLimits.approverGroups, "Added, or replaced by name ignoring case"),
};
export const teamRequest = named(
  "TeamRequest",
  Type.Object(teamRequestMembers, {
    examples: [{ name: "hawks", displayName: "The Hawks", members: [{ email: "owner@example.com", role: "owner" }] }],
  }),
);

export interface TeamNameCheckRequest extends Static<typeof teamNameCheckRequest> {}
export const teamNameCheckRequest = named(
  "TeamNameCheckRequest",
  Type.Object({ name: Type.String({ minLength: 1, maxLength: 128, pattern: "\\S" }) }, { examples: [{ name: "The Hawks" }] }),
);

export interface Role extends Static<typeof role> {}
export const role = named(
  "Role",
  Type.Object({
    id: Type.String(),
    type: Type.String({ examples: ["team"] }),
    name: Type.String({ examples: [...teamRoles] }),
    description: Type.String(),
    permissions: Type.Array(Type.String()),
  }),
);

export const pageTeam = page("PageTeam", team);
export const pageTeamMember = page("PageTeamMember", teamMember);
