import { AppError } from "../../base/app-error.ts";
import type { Transaction } from "../../store/database.ts";
import { findInstallation, type InstallationRow, linkInstallation } from "../../store/installations.ts";

/** Links the team to an installation that the platform has told of; again does nothing. @throws AppError NOT_FOUND */
export async function linkTeamToInstallation(
  tx: Transaction,
  teamId: string,
  ref: string,
): Promise<{ installation: InstallationRow; isNew: boolean }> {
  const installation = await requireInstallation(tx, ref);
  return { installation, isNew: await linkInstallation(tx, teamId, installation.id) };
}

/** @param ref the platform's number, or the id of the record. @throws AppError NOT_FOUND */
export async function requireInstallation(tx: Transaction, ref: string): Promise<InstallationRow> {
  const installation = await findInstallation(tx, ref);
  if (!installation) throw unknownInstallation(ref);
  return installation;
}

export function unknownInstallation(ref: string): AppError {
  return new AppError("NOT_FOUND", [
    `installation ${ref} here; the codehost tells of it when the app is installed, by POST /api/v2/webhook`,
  ]);
}
