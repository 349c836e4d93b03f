import { AppError } from "../../base/error/app-error.ts";
import type { Keyring } from "../../base/secret/keyring.ts";
import type { EventOrigin } from "../../core/inbound/codehost-payload.ts";
import type { Queryable } from "../../store/database/database.ts";
import { findInstallationOfTeam, findLinkedInstallation } from "../../store/integration/installations.ts";
import { type CodehostAppSettings, readIntegrationSettings, requireCodehostApp } from "./integration-settings.ts";

/** Which credentials a token is requested with, and what it should allow. */
export interface TokenSource {
  app: CodehostAppSettings;
  /** The platform's number of the installation. */
  ref: string;
  /** For this repository only; undefined: for all of the installation. */
  repositoryId: number | undefined;
}

/**
 * For a run that an event of the code host started: the installation and the repository of the event. For any other run: the installation
 * that was linked to the team last. Never one that isn't linked to the team, since anyone may have written the payload.
 *
 * @throws AppError INTEGRATION_NOT_CONFIGURED
 */
export async function findTokenSource(
  db: Queryable,
  keyring: Keyring,
  teamId: string,
  origin: EventOrigin | undefined,
): Promise<TokenSource> {
  const app = requireCodehostApp(await readIntegrationSettings(db, keyring));
  const installation = origin ? await findLinkedInstallation(db, teamId, origin.installationRef) : await findInstallationOfTeam(db, teamId);
  if (!installation) {
    const which = origin ? `installation ${origin.installationRef}, whose event has started the run` : "an installation";
    throw new AppError("INTEGRATION_NOT_CONFIGURED", [
      "codehost",
      `the team is not linked to ${which}; link it with POST /api/v2/integration/codehost/link`,
    ]);
  }
  if (installation.status === "suspended")
    throw new AppError("INTEGRATION_NOT_CONFIGURED", [
      "codehost",
      `installation ${installation.ref} is suspended; its owner can resume it on the platform`,
    ]);
  return { app, ref: installation.ref, repositoryId: origin?.repositoryId };
}
