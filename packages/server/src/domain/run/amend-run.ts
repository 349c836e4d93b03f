import type { AbstractParam, RunParam } from "@millrace/contract/common.ts";
import type { WorkflowRunRequest } from "@millrace/contract/run.ts";
import { AppError } from "../../base/error/app-error.ts";
import { secretMask } from "../../core/parameter/node-secrets.ts";
import { checkParamValues } from "../../core/parameter/parameters-check.ts";
import { isSecretParam } from "../../core/parameter/secret-params.ts";
import type { Transaction } from "../../store/database/database.ts";
import { findAmendable, updateQueuedRun } from "../../store/run/queued-runs.ts";
import { findRunSecrets, type RunRow } from "../../store/run/runs.ts";
import type { RunContext } from "./run-context.ts";
import type { RunSecrets } from "./run-layers.ts";
import { openRunSecrets, sealRunSecrets } from "./run-secrets.ts";
import { runWorkspaces, type WorkspaceLimits } from "./run-workspaces.ts";

/**
 * Lays what a start request brings over a run that still waits in the queue: labels, annotations and parameters by name, workspaces
 * by name too, the rest as a whole. A parameter whose default was computed from one that is given now keeps its value.
 * Writes nothing when the request brings nothing, or when the run has left the queue meanwhile.
 *
 * @throws WORKFLOWRUN_INVALID_REQUIREMENT, QUOTA_EXCEEDED for workspaces
 */
export async function amendRun(
  tx: Transaction,
  context: RunContext,
  teamId: string,
  run: RunRow,
  request: WorkflowRunRequest,
  limits: WorkspaceLimits,
): Promise<void> {
  if (Object.values(request).every((value) => value === undefined || value === null)) return;
  const found = await findAmendable(tx, teamId, run.id);
  if (!found) return;
  const workspaces = runWorkspaces([], request.workspaces ?? [], limits);
  const given = checkedParams(request.params ?? [], found.declared ?? [], run.params);
  const overlaid = overlayParams(run.params, given, found.declared ?? []);
  const envelope = await findRunSecrets(tx, teamId, run.id);
  const secrets = mergeSecrets(envelope ? openRunSecrets(context.keyring, teamId, run.id, envelope) : {}, given, overlaid.secret);
  await updateQueuedRun(tx, teamId, run.id, {
    labels: { ...run.labels, ...request.labels },
    annotations: { ...run.annotations, ...request.annotations },
    params: overlaid.params,
    layers: {
      ...found.layers,
      workflow: { ...found.layers.workflow, ...byName(overlaid.params) },
      ...(found.layers.unresolved && { unresolved: withoutNames(found.layers.unresolved, given) }),
    },
    secrets: sealRunSecrets(context.keyring, teamId, run.id, secrets),
    workspaces: [...new Map([...run.workspaces, ...workspaces].map((workspace) => [workspace.name, workspace])).values()],
    timeoutMinutes: request.timeout || run.timeoutMinutes,
    retries: Math.max(0, request.retries ?? run.retries),
    debug: request.debug ?? run.debug,
  });
}

/** Those that have a value. What is required and has none may have got one at the submission. */
function checkedParams(params: readonly RunParam[], declared: readonly AbstractParam[], known: readonly RunParam[]): RunParam[] {
  const names = new Set(known.map(({ name }) => name));
  const details = checkParamValues(
    params,
    declared.map((param) => (names.has(param.name) ? { ...param, required: false } : param)),
  );
  if (details.length > 0)
    throw new AppError("WORKFLOWRUN_INVALID_REQUIREMENT", [details.map(({ message }) => message).join("; ")], { details });
  return params.filter(({ value }) => value !== undefined && value !== null);
}

function overlayParams(known: readonly RunParam[], given: readonly RunParam[], declared: readonly AbstractParam[]) {
  const secret = new Set(declared.filter(isSecretParam).map(({ name }) => name));
  const params = new Map(known.map(({ name, value }) => [name, value]));
  for (const { name, value } of given) params.set(name, secret.has(name) ? secretMask : value);
  return { params: [...params].map(([name, value]) => ({ name, value })), secret };
}

/** What is given now replaces what stood masked under that name. */
function mergeSecrets(known: RunSecrets, given: readonly RunParam[], secret: ReadonlySet<string>): RunSecrets {
  const workflow = { ...known.workflow };
  for (const { name, value } of given) {
    if (secret.has(name)) workflow[name] = value;
    else delete workflow[name];
  }
  return { ...known, workflow };
}

function byName(params: readonly { name: string; value: unknown }[]): Record<string, unknown> {
  return Object.fromEntries(params.map(({ name, value }) => [name, value]));
}

function withoutNames(unresolved: Readonly<Record<string, string>>, given: readonly RunParam[]): Record<string, string> {
  const names = new Set(given.map(({ name }) => name));
  return Object.fromEntries(Object.entries(unresolved).filter(([name]) => !names.has(name)));
}
