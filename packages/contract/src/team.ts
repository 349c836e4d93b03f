import Type from "typebox";
import "./common.ts";
import "./quota.ts";
import type { AbstractParam } from "./common.ts";
import type { CurrentQuotas, Quotas } from "./quota.ts";
import "./retention.ts";
import type { RetentionDays, TeamRetention } from "./retention.ts";
import { labelLimits, named, page, ref, stringEnum, stringMap } from "./schema.ts";
import { teamRoles } from "./user.ts";

export const teamStatuses = ["active", "inactive"] as const;
export type TeamStatus = (typeof teamStatuses)[number];

export const teamTypes = ["personal", "hobby", "pro", "enterprise", "system"] as const;
export type TeamType = (typeof teamTypes)[number];

/** Names that a team can't have, since paths of the API or places of the user interface use them. A team that has one from before is reached by its id. */
export const reservedTeamNames = [
  ...["home", "admin", "system", "profile", "connect", "query", "roles", "quotas", "validate-name"],
  ...["sign-in", "activate", "kit", "api", "assets", "health", "ready", "metrics"],
];

/** How many of these a team may have. */
export const teamLimits = { parameters: 1000, approverGroups: 200 } as const;

/** A member. In a request `id` wins, else `email` says who; `role` is required where members are set. */
export interface TeamMember {
  id?: string | null;
  email?: string | null;
  name?: string | null;
  role?: string | null;
}
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
export interface ApproverGroup {
  id: string;
  name: string;
  creationDate: string;
  approvers: TeamMember[];
}
export const approverGroup = named(
  "ApproverGroup",
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    creationDate: Type.String({ format: "date-time" }),
    approvers: Type.Array(ref<TeamMember>("TeamMember")),
  }),
);

export interface ApproverGroupRequest {
  id?: string | null;
  name: string;
  approvers?: string[] | null;
}
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

export interface WorkflowSummary {
  id: string;
  name: string;
  displayName?: string;
  status?: string;
  version?: number;
  creationDate?: string;
  icon?: string;
  description?: string;
}
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

export interface Team {
  id: string;
  name: string;
  displayName: string;
  creationDate: string;
  status: TeamStatus;
  externalRef: string | null;
  labels: Record<string, string>;
  parameters: AbstractParam[];
  /** Its tasks may use the network of the machine, where the instance allows it. */
  allowHostNetwork: boolean;
  retention: RetentionDays;
  retentionInForce: Required<RetentionDays>;
  quotas: CurrentQuotas;
  members: TeamMember[];
  workflows: WorkflowSummary[];
  approverGroups: ApproverGroup[];
}
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
    parameters: Type.Array(ref<AbstractParam>("AbstractParam")),
    allowHostNetwork: Type.Boolean({
      description: "Its tasks may use the machine's network, if MILLRACE_ALLOW_HOST_NETWORK allows it",
    }),
    retention: ref<RetentionDays>("TeamRetention"),
    retentionInForce: ref<Required<RetentionDays>>("RetentionInForce"),
    quotas: ref<CurrentQuotas>("CurrentQuotas"),
    members: Type.Array(ref<TeamMember>("TeamMember")),
    workflows: Type.Array(ref<WorkflowSummary>("WorkflowSummary"), { description: "Always empty; query the team's workflows instead" }),
    approverGroups: Type.Array(ref<ApproverGroup>("ApproverGroup")),
  }),
);

export interface TeamRequest {
  name?: string | null;
  displayName?: string | null;
  status?: string | null;
  type?: string | null;
  externalRef?: string | null;
  labels?: Record<string, string | null> | null;
  parameters?: AbstractParam[] | null;
  allowHostNetwork?: boolean | null;
  retention?: TeamRetention | null;
  quotas?: Quotas | null;
  members?: TeamMember[] | null;
  approverGroups?: ApproverGroupRequest[] | null;
}
const listOf = (items: object, maxItems: number, description: string) => ({ type: ["array", "null"], maxItems, items, description });
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
  parameters: Type.Optional(
    Type.Unsafe<AbstractParam[] | null>(
      listOf({ $ref: "AbstractParam" }, teamLimits.parameters, "Added, or replaced by name; a secret left empty doesn't change"),
    ),
  ),
  allowHostNetwork: Type.Optional(
    Type.Unsafe<boolean | null>({
      type: ["boolean", "null"],
      description: "Tasks of the team may use the machine's network; administrators only",
    }),
  ),
  retention: Type.Optional(
    Type.Unsafe<TeamRetention | null>({
      anyOf: [{ $ref: "TeamRetention" }, { type: "null" }],
      description: "Number of days its history is kept, if less than on the instance; null for a kind: as long as the instance keeps it",
    }),
  ),
  quotas: Type.Optional(Type.Unsafe<Quotas | null>({ anyOf: [{ $ref: "Quotas" }, { type: "null" }] })),
  members: Type.Optional(Type.Unsafe<TeamMember[] | null>(listOf({ $ref: "TeamMember" }, 1000, "Added, or given another role"))),
  approverGroups: Type.Optional(
    Type.Unsafe<ApproverGroupRequest[] | null>(
      listOf({ $ref: "ApproverGroupRequest" }, teamLimits.approverGroups, "Added, or replaced by name ignoring case"),
    ),
  ),
};
export const teamRequest = named(
  "TeamRequest",
  Type.Unsafe<TeamRequest>(
    Type.Object(teamRequestMembers, {
      examples: [{ name: "hawks", displayName: "The Hawks", members: [{ email: "owner@example.com", role: "owner" }] }],
    }),
  ),
);

export interface TeamNameCheckRequest {
  name: string;
}
export const teamNameCheckRequest = named(
  "TeamNameCheckRequest",
  Type.Object({ name: Type.String({ minLength: 1, maxLength: 128, pattern: "\\S" }) }, { examples: [{ name: "The Hawks" }] }),
);

export interface Role {
  id: string;
  type: string;
  name: string;
  description: string;
  permissions: string[];
}
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

export const pageTeam = page("PageTeam", "Team");
