import { type Caller, caller } from "@millrace/contract/sign-in.ts";
import { listTeamNames } from "../../../store/team/directory.ts";
import { defineEndpoint } from "../../endpoint.ts";

export const getCaller = defineEndpoint({
  method: "GET",
  path: "/api/v2/auth/caller",
  summary: "Read who you are and what you can do",
  description: "Works with every kind of credential, including tokens that belong to no user and have no profile.",
  tag: "Sign-in",
  permission: "signed-in",
  keepsToWorkflow: true,
  transaction: "read",
  response: caller,
  async handle({ db, principal }): Promise<Caller> {
    const { kind, id, name, email, userId, expiresAt, permissions, teams } = principal;
    const named = await listTeamNames(db, [...teams.keys()]);
    return {
      kind: kind === "integration" ? "global" : kind,
      id,
      name,
      email: email ?? null,
      userId: userId ?? null,
      expirationDate: expiresAt ?? null,
      permissions,
      teams: named.map((team) => ({ ...team, permissions: teams.get(team.id) ?? [] })),
    };
  },
});
