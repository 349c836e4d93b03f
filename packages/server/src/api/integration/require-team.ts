import { AppError } from "../../base/error/app-error.ts";
import { allows, canSeeTeam } from "../../policy/allows.ts";
import type { Queryable } from "../../store/database/database.ts";
import { findTeamReference, type TeamReference } from "../../store/team/directory.ts";
import type { Principal } from "../endpoint.ts";

/**
 * The team that a parameter or a body names. A team that the caller can't see does not exist. @throws AppError TEAM_INVALID_REF,
 * PERMISSION_DENIED
 */
export async function requireTeam(
  db: Queryable,
  principal: Principal,
  ref: string,
  permission: "integration/read" | "integration/write",
): Promise<TeamReference> {
  const team = await findTeamReference(db, ref);
  if (!team || !canSeeTeam(principal, team.id)) throw new AppError("TEAM_INVALID_REF", [ref]);
  if (!allows(principal, permission, team.id)) {
    throw new AppError("PERMISSION_DENIED", [`this needs the permission ${permission} in team ${team.name}`]);
  }
  return team;
}
