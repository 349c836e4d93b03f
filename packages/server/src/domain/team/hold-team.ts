import { AppError } from "../../base/error/app-error.ts";
import type { Queryable } from "../../store/database/database.ts";
import { lockTeam, type TeamRow } from "../../store/team/teams.ts";

/** The team, locked until the transaction ends; it may have been deleted since the request came in. */
export async function holdTeam(db: Queryable, { id, name }: { id: string; name: string }): Promise<TeamRow> {
  const team = await lockTeam(db, id);
  if (team === undefined) throw new AppError("TEAM_INVALID_REF", [name]);
  return team;
}
