// What a run gets of parameters and secrets when it is submitted.
import type { AbstractParam, RunParam } from "@millrace/contract/common.ts";
import { AppError } from "../../base/error/app-error.ts";
import type { Keyring } from "../../base/secret/keyring.ts";
import { isPlaceOfTask } from "../../core/parameter/check-references.ts";
import { resolveRunParams } from "../../core/parameter/parameters.ts";
import type { Lookup, ParameterWarning } from "../../core/parameter/parameters-substitution.ts";
import { callbackParameter, findReferences, type ParamReference, type Reference } from "../../core/parameter/references.ts";
import { declaredValues, isKeyedSecret, isSecretParam, mapKeys, openParams, secretMask } from "../../core/parameter/secret-params.ts";
import { type TeamNamesUsed, teamNamesUsed, usedAmong } from "../../core/parameter/team-names-used.ts";
import { parseInitiator } from "../../core/run/lineage.ts";
import type { Layers } from "../../core/run/run-state.ts";
import { globalParametersPlace, runSecretsPlace, teamParametersPlace, workflowParametersPlace } from "../../core/secret/sealed-places.ts";
import type { Plan } from "../../core/workflow/plan.ts";
import { isTryName } from "../../core/workflow/try-name.ts";
import type { ProtectedSecret, SecretLayer, Submission } from "../../store/run/submissions.ts";

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

export function ownContext(runId: string, initiator: string | null, publicUrl: string) {
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

/** One envelope contains all secret values of a run; null if it has none. */
export function sealRunSecrets(keyring: Keyring, teamId: string, runId: string, secrets: RunSecrets): Uint8Array | null {
  if (Object.values(secrets).every((layer) => !layer || Object.keys(layer).length === 0)) return null;
  return keyring.seal(Buffer.from(JSON.stringify(secrets)), runSecretsPlace(teamId, runId));
}

/**
 * Parameters of the team or of the instance with their secrets in clear, without protected ones that the version is not approved for: only
 * for the snapshot of a run.
 */
export function openGivenParams(
  keyring: Keyring,
  { teamId, teamParameters, globalParameters, protectedSecrets }: Submission,
  of: SecretLayer,
): AbstractParam[] {
  const withheld = new Set(withheldOf(protectedSecrets).flatMap(({ name, layer }) => (layer === of ? [name] : [])));
  const params = of === "team" ? teamParameters : globalParameters;
  const given = withheld.size === 0 ? params : params.filter(({ name }) => !withheld.has(name));
  const place = () => (of === "team" ? teamParametersPlace(teamId) : globalParametersPlace);
  return openParams(given, (sealed) => keyring.openText(sealed, place()));
}

/** Declared parameters with their secrets in clear. */
export function openWorkflowParams(keyring: Keyring, teamId: string, params: readonly AbstractParam[]): AbstractParam[] {
  return openParams(params, (sealed) => keyring.openText(sealed, workflowParametersPlace(teamId)));
}

/**
 * Protected secrets that a run does not get, because its version was not approved for them. They are left out of its parameters, so no
 * expression can reach them. If the workflow names one, the run is refused, which explains more than a failed task.
 */
export function withheldOf(secrets: readonly ProtectedSecret[]): ProtectedSecret[] {
  return secrets.filter(({ isApproved }) => !isApproved);
}

interface RefusedRun {
  workflowName: string;
  version: number;
  plan: Plan;
  /** The declared parameters of the workflow, with their defaults. */
  params: unknown;
  /** Absent: the version. */
  subject?: string;
}

/** @throws SECRET_PROTECTED if the workflow uses one of them */
export function refuseWithheld(withheld: readonly ProtectedSecret[], { workflowName, version, plan, params, subject }: RefusedRun): void {
  if (withheld.length === 0) return;
  const used = new Set([...usedAmong(namesOfPlan(plan), withheld), ...usedAmong(teamNamesUsed(params), withheld)]);
  if (used.size === 0) return;
  const names = [...used].map(({ name }) => name).join(", ");
  if (plan.trial || isTryName(workflowName)) throw new AppError("SECRET_PROTECTED", [...ofTrial(plan, names)]);
  const groups = [...new Set([...used].map(({ approverGroupName }) => approverGroupName))].join(" and ");
  throw new AppError("SECRET_PROTECTED", [
    subject ?? `Version ${version} of workflow ${workflowName}`,
    names,
    `Save the workflow again to ask ${groups} for the approval, and run the version that is published then`,
  ]);
}

function ofTrial({ trial }: Plan, names: string): [string, string, string] {
  const subject = trial ? `The trial of workflow ${trial.workflow}` : "The try of this task";
  return [
    subject,
    names,
    "Leave out the tasks that use it, pin their results, or use another secret: what is only tried gets no protected one",
  ];
}

/** Tasks of a trial that don't run use nothing. */
function namesOfPlan(plan: Plan): TeamNamesUsed {
  const known = namesOfPlans.get(plan);
  if (known) return known;
  const names = teamNamesUsed(plan.nodes.filter(({ pin }) => pin === undefined).map(({ task, ...node }) => [node, task?.spec]));
  namesOfPlans.set(plan, names);
  return names;
}

const namesOfPlans = new WeakMap<Plan, TeamNamesUsed>();

/** The topics whose addresses tasks of the plan refer to. */
export function callbackTopics(plan: Plan): readonly string[] {
  const known = topics.get(plan);
  if (known) return known;
  const found = findTopics(plan);
  topics.set(plan, found);
  return found;
}

/** Cached, since a plan never changes and is asked for its topics by each of its runs. */
const topics = new WeakMap<Plan, readonly string[]>();

function findTopics(plan: Plan): string[] {
  const values = plan.nodes.map((node) => [
    node.params,
    node.forEach?.items,
    node.loop?.value,
    declaredValues(node).map((param) => param.default),
  ]);
  const found = findReferences(values).flatMap((reference) => {
    if (reference.kind !== "param" || reference.layer !== "context" || reference.name !== callbackParameter) return [];
    const [topic] = reference.path;
    return topic === undefined ? [] : [String(topic)];
  });
  return [...new Set(found)];
}
