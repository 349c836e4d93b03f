import type { AbstractParam, RunParam } from "@millrace/contract/common.ts";
import { AppError } from "../../../base/error/app-error.ts";
import { isSameJson } from "../../../core/document/same-json.ts";
import { checkParamValues } from "../../../core/parameter/parameters-check.ts";
import type { Layers, RunState } from "../../../core/run/run-state.ts";
import type { RunRow } from "../../../store/run/runs.ts";
import { buildLayers, type RunLayers, type RunSecrets } from "../run-layers.ts";
import { revealLayers } from "../run-secrets.ts";

/**
 * The parameters of a rerun: those of the run, overridden by those of the request, and defaults of the version for parameters that the run
 * did not have. The parameters of the team and the instance stay unchanged, so that only what was edited differs.
 */

export interface RerunLayers extends RunLayers {
  /** Not masked. The same object as in the run if nothing differs. */
  clear: Layers;
}

interface Original {
  row: Pick<RunRow, "params">;
  state: Pick<RunState, "layers">;
  secrets: RunSecrets;
  clear: Layers;
}

/**
 * @param declared by the version, with secrets decrypted
 * @throws WORKFLOWRUN_INVALID_REQUIREMENT for values that do not fit
 */
export function layersOfRerun(original: Original, declared: readonly AbstractParam[], given: readonly RunParam[]): RerunLayers {
  const { row, state, secrets, clear } = original;
  const values = overlay(valuesOf(original), given);
  const details = checkParamValues(values, declared, new Set(Object.keys(secrets.workflow ?? {})));
  const [first] = details;
  if (first) throw new AppError("WORKFLOWRUN_INVALID_REQUIREMENT", [details.map(({ message }) => message).join("; ")], { details });
  const secretParams = new Set(Object.keys(secrets.workflow ?? {}));
  const shared = { declared, given: values, secretParams };
  const masked = buildLayers({ ...shared, global: asParams(state.layers.global), team: asParams(state.layers.team), context: {} });
  const open = buildLayers({ ...shared, global: asParams(clear.global), team: asParams(clear.team), context: {} });
  const workflow = { ...open.masked.workflow, ...open.secrets.workflow };
  const layers: Layers = { ...state.layers, workflow: masked.masked.workflow, ...unresolvedOf(masked.masked) };
  const next = { ...secrets, workflow: differing(workflow, layers.workflow) };
  const { context: _, ...own } = next;
  const revealed = revealLayers(layers, own);
  const isSame = isSameJson(revealed.workflow, clear.workflow) && isSameJson(revealed.unresolved, clear.unresolved);
  return isSame
    ? { masked: state.layers, secrets, params: row.params as RunLayers["params"], clear }
    : { masked: layers, secrets: next, params: masked.params, clear: revealed };
}

/** In clear. A parameter whose default has a broken reference had no value. */
function valuesOf({ row, clear }: Original): RunParam[] {
  const had = row.params.filter(({ name }) => clear.unresolved?.[name] === undefined);
  return had.map(({ name }) => ({ name, value: clear.workflow[name] ?? null }));
}

function overlay(values: readonly RunParam[], given: readonly RunParam[]): RunParam[] {
  return [...new Map([...values, ...given].map((param) => [param.name, param])).values()];
}

function asParams(layer: Record<string, unknown>): AbstractParam[] {
  return Object.entries(layer).map(([name, value]) => ({ name, value }));
}

function unresolvedOf({ unresolved }: Layers): Pick<Layers, "unresolved"> {
  return { unresolved: unresolved ?? {} };
}

function differing(one: Record<string, unknown>, other: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(one).filter(([name, value]) => !isSameJson(value, other[name])));
}
