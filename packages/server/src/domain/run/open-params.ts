import type { AbstractParam } from "@millrace/contract/common.ts";
import type { Keyring } from "../../base/secret/keyring.ts";
import type { OpenSecret, SecretHolder } from "../../core/parameter/node-secrets.ts";
import { openParams } from "../../core/parameter/secret-params.ts";
import {
  globalParametersPlace,
  taskParametersPlace,
  teamParametersPlace,
  workflowParametersPlace,
} from "../../core/secret/sealed-places.ts";

/** Declared parameters with their secrets in clear: for the snapshot of a run, and nothing else. */

export function openGlobalParams(keyring: Keyring, params: readonly AbstractParam[]): AbstractParam[] {
  return openParams(params, (sealed) => keyring.openText(sealed, globalParametersPlace));
}

export function openTeamParams(keyring: Keyring, teamId: string, params: readonly AbstractParam[]): AbstractParam[] {
  return openParams(params, (sealed) => keyring.openText(sealed, teamParametersPlace(teamId)));
}

export function openWorkflowParams(keyring: Keyring, teamId: string, params: readonly AbstractParam[]): AbstractParam[] {
  return openParams(params, (sealed) => keyring.openText(sealed, workflowParametersPlace(teamId)));
}

/** Opens what nodes of a workflow and the definitions of their tasks have sealed (core/parameter/node-secrets.ts). */
export function nodeSecretOpener(keyring: Keyring, teamId: string): OpenSecret {
  const places: Record<SecretHolder, string> = {
    workflow: workflowParametersPlace(teamId),
    task: taskParametersPlace(teamId),
    globaltask: taskParametersPlace(null),
  };
  return (sealed, holder) => keyring.openText(sealed, places[holder]);
}
