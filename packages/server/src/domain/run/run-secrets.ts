import type { Keyring } from "../../base/secret/keyring.ts";
import { runSecretsPlace } from "../../core/secret/sealed-places.ts";
import type { Queryable } from "../../store/database/database.ts";
import { findRunSecrets } from "../../store/run/runs.ts";
import type { RunSecrets } from "./run-layers.ts";

/** One envelope holds all secret values of a run; null when it has none. */
export function sealRunSecrets(keyring: Keyring, teamId: string, runId: string, secrets: RunSecrets): Uint8Array | null {
  if (Object.values(secrets).every((layer) => !layer || Object.keys(layer).length === 0)) return null;
  return keyring.seal(Buffer.from(JSON.stringify(secrets)), runSecretsPlace(teamId, runId));
}

export async function loadRunSecrets(db: Queryable, keyring: Keyring, teamId: string, runId: string): Promise<RunSecrets | undefined> {
  const envelope = await findRunSecrets(db, teamId, runId);
  return envelope ? openRunSecrets(keyring, teamId, runId, envelope) : undefined;
}

export function openRunSecrets(keyring: Keyring, teamId: string, runId: string, envelope: Uint8Array): RunSecrets {
  return JSON.parse(Buffer.from(keyring.open(envelope, runSecretsPlace(teamId, runId))).toString("utf8")) as RunSecrets;
}
