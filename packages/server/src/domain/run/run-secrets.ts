// The secrets of a recorded run: how they are opened and renewed, and what an executor gets of them.

import type { Keyring } from "../../base/secret/keyring.ts";
import { callbackParameter } from "../../core/parameter/references.ts";
import { keysOf, type OpenSecret, type SecretHolder } from "../../core/parameter/secret-params.ts";
import type { Layers } from "../../core/run/run-state.ts";
import { runSecretsPlace, taskParametersPlace, workflowParametersPlace } from "../../core/secret/sealed-places.ts";
import type { FindSource } from "../../core/task/tekton/env-sources.ts";
import type { Queryable } from "../../store/database/database.ts";
import { findRunSecrets } from "../../store/run/runs.ts";
import type { ProtectedSecret, SecretLayer } from "../../store/run/submissions.ts";
import { signatureOfUrl } from "./callbacks.ts";
import { ownContext, type RunSecrets, urlSecrets } from "./run-layers.ts";

export async function loadRunSecrets(db: Queryable, keyring: Keyring, teamId: string, runId: string): Promise<RunSecrets | undefined> {
  const envelope = await findRunSecrets(db, teamId, runId);
  return envelope ? openRunSecrets(keyring, teamId, runId, envelope) : undefined;
}

export function openRunSecrets(keyring: Keyring, teamId: string, runId: string, envelope: Uint8Array): RunSecrets {
  return JSON.parse(Buffer.from(keyring.open(envelope, runSecretsPlace(teamId, runId))).toString("utf8")) as RunSecrets;
}

/** Decrypts the secrets in nodes of a workflow and in the definitions of their tasks (core/parameter/secret-params.ts). */
export function nodeSecretOpener(keyring: Keyring, teamId: string): OpenSecret {
  const places: Record<SecretHolder, string> = {
    workflow: workflowParametersPlace(teamId),
    task: taskParametersPlace(teamId),
    globaltask: taskParametersPlace(null),
  };
  return (sealed, holder) => keyring.openText(sealed, places[holder]);
}

/** Removes what a rerun would take of protected secrets that it does not get from the earlier run. */
export function layersWithout(layers: Layers, withheld: readonly ProtectedSecret[]): Layers {
  if (withheld.length === 0) return layers;
  return { ...layers, team: without(layers.team, withheld, "team"), global: without(layers.global, withheld, "global") };
}

export function secretsWithout(secrets: RunSecrets, withheld: readonly ProtectedSecret[]): RunSecrets {
  if (withheld.length === 0) return secrets;
  const { team, global } = secrets;
  return {
    ...secrets,
    ...(team && { team: without(team, withheld, "team") }),
    ...(global && { global: without(global, withheld, "global") }),
  };
}

function without(
  layer: Readonly<Record<string, unknown>> = {},
  withheld: readonly ProtectedSecret[],
  of: SecretLayer,
): Record<string, unknown> {
  const names = new Set(withheld.flatMap((secret) => (secret.layer === of ? [secret.name] : [])));
  return Object.fromEntries(Object.entries(layer).filter(([name]) => !names.has(name)));
}

/** The secrets of a rerun: its callback URLs are new, everything else stays. */
export function renewSecrets(secrets: RunSecrets, urlFor: (topic: string) => string): RunSecrets {
  const urls = secrets.context?.[callbackParameter] as Record<string, string> | undefined;
  if (urls === undefined) return secrets;
  return { ...secrets, ...urlSecrets(Object.fromEntries(Object.keys(urls).map((topic) => [topic, urlFor(topic)]))) };
}

/** The layers in clear again. */
export function revealLayers(masked: Layers, secrets: RunSecrets): Layers {
  return {
    ...masked,
    global: { ...masked.global, ...secrets.global },
    team: { ...masked.team, ...secrets.team },
    workflow: { ...masked.workflow, ...secrets.workflow },
    context: { ...masked.context, ...secrets.context },
  };
}

/** Every text that must not appear in a log or a result. Of a callback URL, it is the signature. */
export function secretTexts({ context = {}, ...secrets }: RunSecrets): string[] {
  const urls = Object.values((context[callbackParameter] ?? {}) as Record<string, string>);
  return [...urls.flatMap((url) => signatureOfUrl(url) ?? []), ...layerTexts(secrets)];
}

function layerTexts(secrets: RunSecrets): string[] {
  return Object.values(secrets)
    .flatMap((layer) => Object.values(layer ?? {}))
    .flatMap((value) => (typeof value === "string" ? [value] : [JSON.stringify(value), ...textsOfKeys(value)]))
    .filter((text) => text !== undefined && text !== "");
}

/**
 * What steps can use as Secrets and ConfigMaps: parameters of the team, then of the instance. A Secret is a secret with keys, a ConfigMap
 * any other object.
 * @param layers in clear
 */
export function sourceFinder(layers: Layers, secrets: RunSecrets): FindSource {
  const own = (layer: Record<string, unknown> | undefined, name: string) => (layer && Object.hasOwn(layer, name) ? layer[name] : undefined);
  return (kind, name) => {
    for (const layer of ["team", "global"] as const) {
      const secret = own(secrets[layer], name);
      if (kind === "secret" && keysOf(secret)) return keysOf(secret);
      if (kind === "config" && secret === undefined) {
        const found = keysOf(objectOf(own(layers[layer], name)));
        if (found) return found;
      }
    }
    return undefined;
  };
}

/** A parameter of type json may contain an object as text. */
function objectOf(value: unknown): unknown {
  if (typeof value !== "string" || !value.trimStart().startsWith("{")) return value;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

/** For a secret with keys, one text per key. */
function textsOfKeys(value: unknown): string[] {
  return Object.values(keysOf(value) ?? {}).filter((text) => typeof text === "string");
}

/** The same for another run of the same content, with its own id and initiator. */
export function renewContext(
  context: Record<string, unknown>,
  runId: string,
  initiator: string | null,
  publicUrl: string,
): Record<string, unknown> {
  return { ...context, ...ownContext(runId, initiator, publicUrl) };
}
