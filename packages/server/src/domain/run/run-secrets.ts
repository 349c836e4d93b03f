// The secrets of a run: how they are stored and opened, and which protected ones it does not get.
import type { AbstractParam } from "@millrace/contract/common.ts";
import { AppError } from "../../base/error/app-error.ts";
import type { Keyring } from "../../base/secret/keyring.ts";
import type { OpenSecret, SecretHolder } from "../../core/parameter/node-secrets.ts";
import { openParams } from "../../core/parameter/secret-params.ts";
import { type TeamNamesUsed, teamNamesUsed, usedAmong } from "../../core/parameter/team-names-used.ts";
import type { Layers } from "../../core/run/run-state.ts";
import {
  globalParametersPlace,
  runSecretsPlace,
  taskParametersPlace,
  teamParametersPlace,
  workflowParametersPlace,
} from "../../core/secret/sealed-places.ts";
import type { Plan } from "../../core/workflow/plan.ts";
import { isTryName } from "../../core/workflow/try-name.ts";
import type { Queryable } from "../../store/database/database.ts";
import { findRunSecrets } from "../../store/run/runs.ts";
import type { ProtectedSecret, SecretLayer } from "../../store/team/secret-protections.ts";
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

/** Removes what a rerun would take of them from the earlier run. */
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
