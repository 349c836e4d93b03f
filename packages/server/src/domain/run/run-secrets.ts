import type { AbstractParam } from "@millrace/contract/common.ts";
import type { Keyring } from "../../base/secret/keyring.ts";
import type { OpenSecret, SecretHolder } from "../../core/parameter/node-secrets.ts";
import { openParams } from "../../core/parameter/secret-params.ts";
import {
  globalParametersPlace,
  runSecretsPlace,
  taskParametersPlace,
  teamParametersPlace,
  workflowParametersPlace,
} from "../../core/secret/sealed-places.ts";
import type { Queryable } from "../../store/database/database.ts";
import { findRunSecrets } from "../../store/run/runs.ts";
import type { RunSecrets } from "./run-layers.ts";

/** One envelope contains all secret values of a run; null if it has none. */
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

/** Declared parameters with their secrets in clear: only for the snapshot of a run. */

export function openGlobalParams(keyring: Keyring, params: readonly AbstractParam[]): AbstractParam[] {
  return openParams(params, (sealed) => keyring.openText(sealed, globalParametersPlace));
}

export function openTeamParams(keyring: Keyring, teamId: string, params: readonly AbstractParam[]): AbstractParam[] {
  return openParams(params, (sealed) => keyring.openText(sealed, teamParametersPlace(teamId)));
}

export function openWorkflowParams(keyring: Keyring, teamId: string, params: readonly AbstractParam[]): AbstractParam[] {
  return openParams(params, (sealed) => keyring.openText(sealed, workflowParametersPlace(teamId)));
}

/** Decrypts the secrets in nodes of a workflow and in the definitions of their tasks (core/parameter/node-secrets.ts). */
export function nodeSecretOpener(keyring: Keyring, teamId: string): OpenSecret {
  const places: Record<SecretHolder, string> = {
    workflow: workflowParametersPlace(teamId),
    task: taskParametersPlace(teamId),
    globaltask: taskParametersPlace(null),
  };
  return (sealed, holder) => keyring.openText(sealed, places[holder]);
}
