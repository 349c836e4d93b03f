import { reservedTeamNames } from "@millrace/contract/team/team.ts";
import { AppError } from "../../base/error/app-error.ts";
import { isId } from "../../base/text/uuid.ts";
import { toSlug } from "../../core/team/slug.ts";
import type { Queryable } from "../../store/database/database.ts";
import { isTeamNameTaken } from "../../store/team/teams.ts";

/** The slug under which a team of that name is stored. Refuses invalid names; does not check whether it is taken. */
export function toTeamName(given: string): string {
  const name = toSlug(given.trim());
  if (!/[a-z0-9]/.test(name)) {
    const message = `is ${JSON.stringify(given.slice(0, 80))}; a name needs at least one letter or digit (a-z, 0-9)`;
    throw new AppError("VALIDATION_FAILED", [`name ${message}`], { details: [{ path: "/name", message }] });
  }
  if (reservedTeamNames.includes(name) || isId(name)) throw new AppError("TEAM_NON_UNIQUE_NAME", [name, "reserved"]);
  return name;
}

export async function requireFreeTeamName(db: Queryable, name: string): Promise<void> {
  if (await isTeamNameTaken(db, name)) throw new AppError("TEAM_NON_UNIQUE_NAME", [name, "taken"]);
}
