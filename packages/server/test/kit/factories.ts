import { randomBytes } from "node:crypto";
import type { TeamRole, UserType } from "@millrace/contract/identity/user.ts";
import { hashToken, newTokenText } from "../../src/base/secret/token-text.ts";
import type { Database } from "../../src/store/database/database.ts";
import { insertToken } from "../../src/store/identity/tokens.ts";
import { insertUser } from "../../src/store/identity/users.ts";
import { setMembers } from "../../src/store/team/members.ts";
import { insertTeam } from "../../src/store/team/teams.ts";

/** Creates what a test needs. Names are random, parents are created on demand, and nothing goes through the API. */
export interface Factories {
  team(fields?: { name?: string; status?: "active" | "inactive" }): Promise<{ id: string; name: string }>;
  user(fields?: { email?: string; type?: UserType }): Promise<{ id: string; email: string }>;
  /** A user with that role in the team, with a token. */
  member(teamId: string, role?: TeamRole): Promise<{ id: string; email: string; token: string }>;
  /** The text of a token that acts as that user. */
  userToken(userId: string, permissions?: string[]): Promise<string>;
  /** The text of a token that acts as the team. */
  teamToken(teamId: string, permissions?: string[]): Promise<string>;
  workflowToken(teamId: string, workflowId: string, permissions?: string[]): Promise<string>;
  globalToken(permissions?: string[]): Promise<string>;
}

export function randomName(prefix: string): string {
  return `${prefix}-${randomBytes(5).toString("hex")}`;
}

export function createFactories(sql: Database): Factories {
  async function token(
    prefix: string,
    owner: Partial<Parameters<typeof insertToken>[1]> & Pick<Parameters<typeof insertToken>[1], "kind">,
    permissions: string[],
  ) {
    const text = newTokenText(prefix);
    await insertToken(sql, { ...owner, hash: hashToken(text), name: randomName("token"), permissions, createdBy: "test" });
    return text;
  }
  const make: Factories = {
    async team({ name = randomName("team"), status = "active" } = {}) {
      const row = await insertTeam(sql, {
        name,
        displayName: name,
        status,
        type: null,
        externalRef: null,
        labels: {},
        parameters: [],
        allowHostNetwork: false,
        allowPrivileged: false,
        retention: {},
      });
      return { id: row!.id, name };
    },
    async user({ email = `${randomName("user")}@example.com`, type = "user" } = {}) {
      const row = await insertUser(sql, { email, name: email.split("@")[0]!, type, status: "active" });
      return { id: row!.id, email };
    },
    async member(teamId, role = "editor") {
      const user = await make.user();
      await setMembers(sql, teamId, [{ userId: user.id, role }]);
      return { ...user, token: await make.userToken(user.id) };
    },
    userToken: (userId, permissions = ["**/**"]) => token("mru_", { kind: "user", userId }, permissions),
    teamToken: (teamId, permissions = ["**/**"]) => token("mrt_", { kind: "team", teamId }, permissions),
    workflowToken: (teamId, workflowId, permissions = ["**/**"]) => token("mrw_", { kind: "workflow", teamId, workflowId }, permissions),
    globalToken: (permissions = ["**/**"]) => token("mrg_", { kind: "global" }, permissions),
  };
  return make;
}
