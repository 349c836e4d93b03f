import type { TeamStatus } from "@millrace/contract/team.ts";
import type { TeamRole } from "@millrace/contract/user.ts";
import type { Queryable } from "../database/database.ts";
import { isNoTry } from "../workflow/tries.ts";

/** Statements over all teams of one person: to show them to him, and to see whether he still belongs to any. */
export interface MembershipRow {
  id: string;
  name: string;
  displayName: string;
  status: TeamStatus;
  externalRef: string | null;
  labels: Record<string, string>;
  createdAt: Date;
  role: TeamRole;
  workflowCount: number;
  memberCount: number;
}

/** The teams of a user that are not deleted, by name (index team_member_user). */
export async function listMemberships(db: Queryable, userId: string): Promise<MembershipRow[]> {
  return db<MembershipRow[]>`
    select team.id, team.name, team.display_name as "displayName", team.status, team.external_ref as "externalRef", team.labels,
      team.created_at as "createdAt", m.role,
      (select count(*)::int from workflow w where w.team_id = team.id and w.deleted_at is null and ${isNoTry(db)}) as "workflowCount",
      (select count(*)::int from team_member other where other.team_id = team.id) as "memberCount"
    from team_member m join team on team.id = m.team_id
    where m.user_id = ${userId} and team.deleted_at is null
    order by team.name`;
}
