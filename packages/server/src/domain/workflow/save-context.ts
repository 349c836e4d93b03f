import { AppError } from "../../base/app-error.ts";
import type { Keyring } from "../../base/keyring.ts";
import { quotasInForce } from "../../core/settings/instance-settings.ts";
import type { Queryable } from "../../store/database.ts";
import { findTeam } from "../../store/teams.ts";
import { readSettings } from "../setting/read-settings.ts";
import type { SaveContext } from "./prepare-version.ts";

/** Of `RunContext`: what this process allows. */
export interface HostNetworkRule {
  allowsHostNetwork: boolean;
}

/** For whom a workflow is saved, with the quotas that are in force now. */
export async function loadSaveContext(
  db: Queryable,
  teamId: string,
  author: string,
  keyring: Keyring,
  runs: HostNetworkRule,
): Promise<SaveContext> {
  const team = await findTeam(db, teamId);
  if (team === undefined) throw new AppError("TEAM_INVALID_REF", [teamId]);
  const settings = await readSettings(db);
  return {
    team: { id: team.id, name: team.name },
    author,
    keyring,
    quotas: quotasInForce(team, settings),
    storage: settings.storage,
    hostNetwork: { isAllowedHere: runs.allowsHostNetwork, team: { name: team.name, isAllowed: team.allowHostNetwork } },
  };
}
