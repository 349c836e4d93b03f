import { AppError } from "../../base/error/app-error.ts";
import type { Keyring } from "../../base/secret/keyring.ts";
import type { EventOrigin } from "../../core/inbound/codehost-payload.ts";
import type { Queryable } from "../../store/database/database.ts";
import { findInstallationOfTeam, findLinkedInstallation } from "../../store/integration/installations.ts";
import { type CodehostAppSettings, readIntegrationSettings, requireCodehostApp } from "./integration-settings.ts";

/** As whom a token is asked for, and what it is to be good for. */
export interface TokenSource {
  app: CodehostAppSettings;
  /** The platform's number of the installation. */
  ref: string;
  /** Of this repository only; undefined: of all that the installation has. */
  repositoryId: number | undefined;
}

/**
 * For a run that an event of the codehost has started: the installation and the repository that the event was about. For any other the
 * installation that the team was linked to last. Never one that the team is not linked to: what a payload says anyone may have written.
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
