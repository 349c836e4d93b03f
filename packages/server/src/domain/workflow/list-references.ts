import type { PreviewReference } from "@millrace/contract/workflow/workflow-preview.ts";
import { shorten } from "../../base/text/shorten.ts";
import { contextParameters } from "../../core/parameter/parameters-available.ts";
import { callbackParameter, type Reference, scanReferences, writeStep } from "../../core/parameter/references.ts";
import { declaredValues } from "../../core/parameter/secret-params.ts";
import type { Preview } from "../../core/run/draft/preview-expressions.ts";
import type { Layers } from "../../core/run/run-state.ts";
import type { Plan, PlanNode } from "../../core/workflow/plan.ts";
import type { WorkflowDocument } from "../../core/workflow/workflow-document.ts";
import type { Queryable } from "../../store/database/database.ts";
import type { CheckedCall } from "./calls/find-calls.ts";
import { childResults, listAvailableParameters } from "./list-available-parameters.ts";

interface Completion {
  /** Of the document. */
  calls: readonly CheckedCall[];
  preview: Preview;
  plan: Plan;
  node: PlanNode | undefined;
  document: WorkflowDocument;
  before(index: number): boolean;
  layers: Layers;
  pinned: Readonly<Record<string, unknown>>;
}

const shownLength = 200;
const mostListed = 2000;
const ranks = { parameter: 0, result: 1, system: 2 } as const;

/**
 * What a task may refer to, with the current values: parameters first, then results of upstream tasks, then what the system sets. A
 * parameter is listed once, without its layer; one that is overridden by another of its name is listed with its layer.
 */
export async function listReferences(db: Queryable, teamId: string, completion: Completion): Promise<PreviewReference[]> {
  const { preview, node, calls } = completion;
  const own = node ? [...new Set([...declaredValues(node).map(({ name }) => name), ...Object.keys(preview.own)])] : [];
  const available = await listAvailableParameters(db, teamId, completion.document, calls);
  const texts = [...own.map((name) => `$(params${writeStep(name)})`), ...available.map((key) => `$(${key})`), ...resultsAtHand(completion)];
  const found = [...new Set(texts)].flatMap((text) => {
    const reference = scanReferences(text)[0]?.reference;
    return reference === undefined || !isOffered(reference, completion) ? [] : [reference];
  });
  const listed = found.slice(0, mostListed).map((reference) => describe(reference, completion, calls));
  return listed.sort((one, other) => ranks[one.kind] - ranks[other.kind]);
}

/** For tasks that declare none: the results that are pinned or that a run has left. */
function resultsAtHand({ plan, preview }: Completion): string[] {
  return preview.results().flatMap(({ node, name }) => `$(tasks${writeStep(plan.nodes[node]?.name ?? "")}.results${writeStep(name)})`);
}

function isOffered(reference: Reference, { plan, layers, before, preview }: Completion): boolean {
  if (reference.kind === "place") return false;
  if (reference.kind === "result") return before(plan.byName.get(reference.task) ?? -1);
  const { layer, name } = reference;
  if (layer === undefined) return true;
  if (layer === "loop") return false;
  const above = [layers.context, preview.own, layers.workflow, layers.team, layers.global];
  const level = above.indexOf(layers[layer]);
  return above.slice(0, level).some((higher) => Object.hasOwn(higher, name)) || name === callbackParameter;
}

function describe(reference: Reference, completion: Completion, calls: readonly CheckedCall[]): PreviewReference {
  const { preview, pinned } = completion;
  const { value, isSecret, unknown, missing } = preview.resolve(reference.text);
  const isKnown = value !== undefined && unknown.length + missing.length === 0;
  const lastValue = isKnown ? { lastValue: shorten(typeof value === "string" ? value : JSON.stringify(value), shownLength) } : {};
  const shown = { ...lastValue, ...(isSecret && { secret: true }) };
  if (reference.kind === "result") {
    const { task, name } = reference;
    const type = childResults(calls, task).find((result) => result.name === name)?.type;
    return {
      reference: reference.text,
      kind: "result",
      task,
      ...(type && { type }),
      ...shown,
      ...(Object.hasOwn(pinned, task) && { pinned: true }),
    };
  }
  if (reference.kind !== "param") return { reference: reference.text, kind: "system", ...shown };
  return { reference: reference.text, ...kindOf(reference.name, reference.layer, completion), ...shown };
}

const systemNames = new Set<string>([...contextParameters, callbackParameter]);

function kindOf(
  name: string,
  given: string | undefined,
  { node, document, layers, preview }: Completion,
): Pick<PreviewReference, "kind" | "layer" | "type"> {
  if (given === "context" || (given === undefined && systemNames.has(name))) return { kind: "system" };
  const isIn = (values: Readonly<Record<string, unknown>>) => Object.hasOwn(values, name);
  const ownType = node && declaredValues(node).find((param) => param.name === name)?.type;
  if (given === undefined && (isIn(preview.own) || ownType !== undefined))
    return { kind: "parameter", layer: "task", ...(ownType && { type: ownType }) };
  const declared = document.params.find((param) => param.name === name);
  if ((given ?? "workflow") === "workflow" && declared) return { kind: "parameter", layer: "workflow", type: declared.type ?? "text" };
  return { kind: "parameter", layer: given ?? (isIn(layers.team) ? "team" : "global") };
}
