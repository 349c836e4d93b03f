import Type, { type Static } from "typebox";
import { named, ref, stringEnum, stringMap } from "../schema.ts";
import { teamStatuses } from "../team/team.ts";
import { teamRoles, userExample, userMembers } from "./user.ts";

export interface TeamSummaryInsights extends Static<typeof teamSummaryInsights> {}
export const teamSummaryInsights = named("TeamSummaryInsights", Type.Object({ workflows: Type.Integer(), members: Type.Integer() }));

/** A team that the caller belongs to. */
export interface TeamSummary extends Static<typeof teamSummary> {}
export const teamSummary = named(
  "TeamSummary",
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    displayName: Type.String(),
    creationDate: Type.String({ format: "date-time" }),
    status: stringEnum(teamStatuses),
    externalRef: Type.Unsafe<string | null>({ type: ["string", "null"] }),
    labels: stringMap(),
    role: stringEnum(teamRoles, { description: "Of the caller in this team" }),
    insights: ref(teamSummaryInsights),
  }),
);

/** The caller, the teams they belong to, and their permissions. */
export interface UserProfile extends Static<typeof userProfile> {}
const teamExample = {
  id: "0198c1de-7d5c-7c3b-a1f0-2b7f6d2d9b1e",
  name: "hawks",
  displayName: "The Hawks",
  creationDate: "2026-03-01T12:00:00.000Z",
  status: "active",
  externalRef: null,
  labels: { stage: "test" },
  role: "reader",
  insights: { workflows: 1, members: 2 },
};
export const userProfile = named(
  "UserProfile",
  Type.Object(
    {
      ...userMembers,
      teams: Type.Array(ref(teamSummary)),
      permissions: Type.Array(Type.String(), {
        description: "resource/action: what the caller can do on the instance or in at least one of the teams",
      }),
    },
    { examples: [{ ...userExample, teams: [teamExample], permissions: ["**/read"] }] },
  ),
);
