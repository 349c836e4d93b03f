import type { AbstractParam, RunParam } from "@millrace/contract/common.ts";
import { isPlaceOfTask } from "../../core/parameter/check-references.ts";
import { secretMask } from "../../core/parameter/node-secrets.ts";
import { resolveRunParams } from "../../core/parameter/parameters.ts";
import type { Lookup, ParameterWarning } from "../../core/parameter/parameters-substitution.ts";
import { findReferences, type ParamReference, type Reference } from "../../core/parameter/references.ts";
import { isKeyedSecret, isSecretParam, keysOf, mapKeys } from "../../core/parameter/secret-params.ts";
import { callbackParameter } from "../../core/run/callback-topics.ts";
import { parseInitiator } from "../../core/run/lineage.ts";
import type { Layers } from "../../core/run/run-state.ts";
import type { FindSource } from "../../core/task/tekton/env-sources.ts";
import type { Submission } from "../../store/run/submissions.ts";
import { signatureOfUrl } from "./callbacks.ts";

/**
 * The parameter layers of a run at its submission: later edits don't affect it. Each layer exists twice, with the secrets masked (stored,
 * shown, used by the core to resolve references) and in clear (stored encrypted, for executors only).
 */

export interface RunLayers {
  masked: Layers;
  /** Clear values of masked ones, by layer and name. */
  secrets: RunSecrets;
  /** Parameters of the run, masked. */
  params: { name: string; value: unknown }[];
}

export type RunSecrets = { [Layer in keyof Omit<Layers, "unresolved">]?: Record<string, unknown> };

export interface LayerSources {
  /** With encrypted values already decrypted. */
  global: readonly AbstractParam[];
  team: readonly AbstractParam[];
  declared: readonly AbstractParam[];
  given: readonly RunParam[];
  context: Record<string, unknown>;
  /** Callback URLs, by topic: they are credentials. */
  callbackUrls?: Record<string, string>;
  /** Given parameters that contain secrets although they are not declared as secret. */
  secretParams?: ReadonlySet<string>;
}

export function buildLayers(sources: LayerSources): RunLayers {
  const { callbackUrls = {} } = sources;
  const context = Object.keys(callbackUrls).length === 0 ? sources.context : { ...sources.context, ...maskedUrls(callbackUrls) };
  // Parameters of the run keep their values when it is run again, addresses of the run do not: in these they stay masked.
  const clear = { global: values(sources.global), team: values(sources.team), context };
  const masked = { global: maskedValues(sources.global), team: maskedValues(sources.team), context };
  const secrets: RunSecrets = {
    global: differing(clear.global, masked.global),
    team: differing(clear.team, masked.team),
    ...urlSecrets(callbackUrls),
  };
  const isSecret = new Set([...sources.declared.filter(isSecretParam).map((param) => param.name), ...(sources.secretParams ?? [])]);
  // Masked before they are resolved, because values computed from a secret must not contain it either.
  const extra = whyNoPlace;
  const resolved = resolveRunParams(maskSecrets(sources.given, isSecret), maskSecrets(sources.declared, isSecret), { ...masked, extra });
  const { params } = resolved;
  const workflow = byName(params);
  const unresolved = unresolvedDefaults(resolved.warnings, sources);
  const layers: Layers = { ...masked, workflow, ...(Object.keys(unresolved).length > 0 && { unresolved }) };
  if (isSecret.size === 0 && Object.keys({ ...secrets.global, ...secrets.team }).length === 0) {
    return { masked: layers, secrets: urlSecrets(callbackUrls), params };
  }
  const real = byName(resolveRunParams(sources.given, sources.declared, { ...clear, extra }).params);
  return { masked: layers, secrets: { ...secrets, workflow: differing(real, workflow) }, params };
}

/** Paths of workspaces are known to the tasks of a run, not to the run. */
function whyNoPlace(words: readonly string[]): Lookup {
  return isPlaceOfTask({ words }) ? { found: false, why: "only a task knows it" } : { found: false };
}

/** By the name of the parameter; one that refers to such a parameter is included. */
function unresolvedDefaults(warnings: readonly ParameterWarning[], { declared, given }: LayerSources): Record<string, string> {
  const unresolved: Record<string, string> = {};
  for (const { param, reference, why, isUnresolved } of warnings) {
    if (isUnresolved && param !== undefined) unresolved[param] ??= `its default refers to ${reference}: ${why}`;
  }
  if (Object.keys(unresolved).length === 0) return unresolved;
  const isGiven = new Set(given.flatMap(({ name, value }) => (value == null ? [] : [name])));
  const open = declared.filter(({ name }) => !isGiven.has(name));
  for (let before = -1; before !== Object.keys(unresolved).length; ) {
    before = Object.keys(unresolved).length;
    for (const { name, default: value = null, value: other } of open) {
      const broken = findReferences(value ?? other).find((reference) => isOneOf(unresolved, reference));
      if (broken !== undefined && name !== (broken as ParamReference).name)
        unresolved[name] ??= `its default refers to ${broken.text}, which has no value`;
    }
  }
  return unresolved;
}

function isOneOf(unresolved: Readonly<Record<string, string>>, reference: Reference): boolean {
  const isOwn = reference.kind === "param" && (reference.layer === undefined || reference.layer === "workflow");
  return isOwn && Object.hasOwn(unresolved, reference.name);
}

function maskedUrls(urls: Record<string, string>): Record<string, unknown> {
  const masked = Object.keys(urls).map((topic) => [topic, secretMask]);
  return masked.length === 0 ? {} : { [callbackParameter]: Object.fromEntries(masked) };
}

export function urlSecrets(urls: Record<string, string>): RunSecrets {
  return Object.keys(urls).length === 0 ? {} : { context: { [callbackParameter]: urls } };
}

/** The secrets of a rerun: its callback URLs are new, everything else stays. */
export function renewSecrets(secrets: RunSecrets, urlFor: (topic: string) => string): RunSecrets {
  const urls = secrets.context?.[callbackParameter] as Record<string, string> | undefined;
  if (urls === undefined) return secrets;
  return { ...secrets, ...urlSecrets(Object.fromEntries(Object.keys(urls).map((topic) => [topic, urlFor(topic)]))) };
}

function maskSecrets<P extends { name: string; value?: unknown; default?: unknown }>(
  params: readonly P[],
  secret: ReadonlySet<string>,
): readonly P[] {
  if (secret.size === 0) return params;
  const mask = (value: unknown) => (value === undefined || value === null || value === "" ? value : secretMask);
  return params.map((param) => {
    if (!secret.has(param.name)) return param;
    return { ...param, value: mask(param.value), ...("default" in param && { default: mask(param.default) }) };
  });
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

function ownContext(runId: string, initiator: string | null, publicUrl: string) {
  return {
    "workflowrun-ref": runId,
    "workflowrun-id": runId,
    "workflowrun-initiator": initiator === null ? "" : (parseInitiator(initiator).ref ?? ""),
    "wfe-url": `${publicUrl}/api/v2/callback?ref=${runId}`,
  };
}

export function contextLayer(
  submission: Pick<Submission, "workflowId" | "workflowName" | "workflowDisplayName" | "version" | "teamName">,
  runId: string,
  trigger: string,
  initiator: string | null,
  publicUrl: string,
): Record<string, unknown> {
  const own = ownContext(runId, initiator, publicUrl);
  // By name, since spreading them costs more than all the rest.
  return {
    "workflowrun-ref": own["workflowrun-ref"],
    "workflowrun-id": own["workflowrun-id"],
    "workflowrun-initiator": own["workflowrun-initiator"],
    "wfe-url": own["wfe-url"],
    "workflowrun-trigger": trigger,
    "workflow-ref": submission.workflowId,
    "workflow-id": submission.workflowId,
    "workflow-name": submission.workflowName,
    "workflow-displayname": submission.workflowDisplayName,
    "workflow-version": submission.version,
    "team-name": submission.teamName,
    "webhook-url": `${publicUrl}/api/v2/webhook?ref=${submission.workflowId}`,
    "event-url": `${publicUrl}/api/v2/event?ref=${submission.workflowId}`,
  };
}

function values(params: readonly AbstractParam[]): Record<string, unknown> {
  return Object.fromEntries(params.map((param) => [param.name, param.value ?? param.default ?? null]));
}

function maskedValues(params: readonly AbstractParam[]): Record<string, unknown> {
  const all = values(params);
  for (const param of params) {
    // Without keys it is masked as a whole, so that it is recognized as a secret.
    const keys = isKeyedSecret(param) ? mapKeys(all[param.name], () => secretMask) : {};
    if (Object.keys(keys).length > 0) all[param.name] = keys;
    else if (isSecretParam(param) && all[param.name]) all[param.name] = secretMask;
  }
  return all;
}

function byName(params: readonly { name: string; value: unknown }[]): Record<string, unknown> {
  return Object.fromEntries(params.map((param) => [param.name, param.value]));
}

/** Members of `one` that differ in `other`. */
function differing(one: Record<string, unknown>, other: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(one).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(other[name])));
}
