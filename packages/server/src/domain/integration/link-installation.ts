import { AppError } from "../../base/error/app-error.ts";
import type { Queryable, Transaction } from "../../store/database/database.ts";
import {
  findInstallation,
  type InstallationRow,
  linkInstallation,
  listLinkedTeams,
  lockInstallation,
} from "../../store/integration/installations.ts";

/** What decides whether somebody may link a team to an installation (policy/link-installation.ts). */
export interface LinkFacts {
  teamId: string;
  /** It was made within the last hour. */
  isNew: boolean;
  linkedTeams: readonly string[];
}

/**
 * Links the team to the installation; again does nothing. Of two teams that both want a new one at the same moment, the rule is asked one
 * after the other.
 *
 * @throws AppError NOT_FOUND when it has gone meanwhile, PERMISSION_DENIED
 */
export async function linkTeamToInstallation(
  tx: Transaction,
  teamId: string,
  { id, ref, isNew }: InstallationRow,
  mayLink: (facts: LinkFacts) => boolean,
): Promise<{ isNewLink: boolean }> {
  if (!(await lockInstallation(tx, id))) throw unknownInstallation(ref);
  const linkedTeams = await listLinkedTeams(tx, id);
  if (!mayLink({ teamId, isNew, linkedTeams })) throw notYours(ref);
  return { isNewLink: await linkInstallation(tx, teamId, id) };
}

/** @param ref the platform's number, or the id of the record. @throws AppError NOT_FOUND */
export async function requireInstallation(db: Queryable, ref: string): Promise<InstallationRow> {
  const installation = await findInstallation(db, ref);
  if (!installation) throw unknownInstallation(ref);
  return installation;
}

export function unknownInstallation(ref: string): AppError {
  return new AppError("NOT_FOUND", [`installation ${ref}; the codehost announces it with POST /api/v2/webhook when the app is installed`]);
}

/** The number of an installation is not a secret, so knowing it proves nothing. */
function notYours(ref: string): AppError {
  return new AppError("PERMISSION_DENIED", [
    `installation ${ref} is not new, or is linked to other teams: to link it, you need integration/write on the whole instance or in a team that is linked to it`,
  ]);
}
