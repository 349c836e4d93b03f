import type { WorkflowInput } from "@millrace/contract/workflow/workflow.ts";
import {
  maxPreviewLength,
  type PreviewType,
  type PreviewValue,
  type WorkflowPreview,
  type WorkflowPreviewRequest,
} from "@millrace/contract/workflow/workflow-preview.ts";
import { maxPinnedResults } from "@millrace/contract/workflow/workflow-try.ts";
import { AppError } from "../../base/error/app-error.ts";
import { shorten } from "../../base/text/shorten.ts";
import { CostlyPatterns } from "../../core/parameter/condition.ts";
import { findReferences } from "../../core/parameter/references.ts";
import { Preview, type PreviewResult, type PreviewScope } from "../../core/run/draft/preview-expressions.ts";
import type { LoopScope } from "../../core/run/loops/loop-scope.ts";
import { previewItems, previewLoop } from "../../core/run/preview-repeats.ts";
import { ancestorsOf } from "../../core/workflow/checks/check-graph-cycle.ts";
import type { Pin, Plan, PlanNode } from "../../core/workflow/plan.ts";
import { pinOf, trialFaults } from "../../core/workflow/trial-scope.ts";
import type { Queryable } from "../../store/database/database.ts";
import { findLastRound } from "../../store/run/task-runs.ts";
import type { RunContext } from "../run/run-context.ts";
import { type CheckedCall, findCalls } from "./calls/find-calls.ts";
import { listReferences } from "./list-references.ts";
import { refuseFaults } from "./refuse-faults.ts";
import { draftLayers } from "./trial/draft-layers.ts";
import { draftPlan } from "./trial/draft-plan.ts";
import { findDrafted } from "./trial/drafted-workflow.ts";
import { resultsOfRun, type SourceRun } from "./trial/trial-values.ts";

interface PreviewInput {
  team: { id: string; name: string };
  /** Name or id; for a draft also a name that doesn't exist yet. */
  workflow: string;
  draft?: WorkflowInput | undefined;
  request: WorkflowPreviewRequest;
  fromRun?: SourceRun | undefined;
  /** Otherwise the values of team and instance are masked. */
  seesParameters: boolean;
}

/**
 * The current values of expressions in a workflow, with pinned results and those of a run. Nothing is written, and no secret is decrypted:
 * it resolves masked values, like everything that is stored and shown of a run (core/run/draft/preview-expressions.ts). A draft may be
 * unfinished.
 *
 * @throws VALIDATION_FAILED about the request, WORKFLOW_INVALID_REFERENCE, WORKFLOW_REVISION_NOT_FOUND
 */
export async function previewWorkflow(db: Queryable, runs: RunContext, input: PreviewInput): Promise<WorkflowPreview> {
  const { team, request, fromRun } = input;
  const drafted = await findDrafted(db, team.id, input.workflow, input.draft, request.version ?? undefined);
  refuseFaults(trialFaults(drafted.whole, { pinned: request.pinned ?? null }));
  const { plan, document } = await draftPlan(db, team, drafted);
  const node = nodeOf(plan, request.node);
  const layers = await draftLayers(db, runs, { ...input, plan, document, drafted });
  const before = isBeforeIn(document.tasks, node);
  const pins = await findPins(db, input, plan, node, before);
  const calls = await findCalls(db, team.id, input.workflow, document);
  const loop = await findRound(db, input, node);
  const scope = {
    ...scopeOf(plan, layers, pins, before),
    mayGet: (index: number, result: string) => mayGet(calls, plan, index, result),
    loop,
  };
  const preview = new Preview(scope, node);
  const values = (request.expressions ?? []).map((one): PreviewValue => {
    const { text, param } = typeof one === "string" ? { text: one, param: undefined } : one;
    return viewValue(preview.resolve(text, param), plan, request.pinned ?? {}, fromRun);
  });
  return {
    values,
    ...(request.conditions && { conditions: request.conditions.map((condition) => decide(preview, condition)) }),
    ...(request.repeats && node?.loop && { loop: previewLoop(preview, node.loop, loop?.index ?? 0) }),
    ...(request.repeats && node?.forEach && { items: previewItems(preview, node.forEach) }),
    ...(request.references && {
      references: await listReferences(db, team.id, {
        calls,
        preview,
        plan,
        node,
        document,
        before,
        layers,
        pinned: request.pinned ?? {},
      }),
    }),
  };
}

function nodeOf({ nodes, byName }: Plan, name: string | null | undefined): PlanNode | undefined {
  if (name == null) return undefined;
  const node = nodes[byName.get(name) ?? -1];
  if (node) return node;
  const message = `names the task ${JSON.stringify(name)}, which the workflow does not have`;
  throw new AppError("VALIDATION_FAILED", [`body /node ${message}`], { details: [{ path: "/node", message }] });
}

/** Whether a node ends before the one that is examined; outside of a task every node counts. */
function isBeforeIn(tasks: Parameters<typeof ancestorsOf>[0], node: PlanNode | undefined): (index: number) => boolean {
  if (node === undefined) return () => true;
  const ancestors = ancestorsOf(tasks);
  return (index) => index < tasks.length && ancestors.isBefore(index, node.index);
}

/** Results by the name of the task, only for the requested tasks. */
async function findPins(
  db: Queryable,
  { team, request, fromRun }: PreviewInput,
  plan: Plan,
  node: PlanNode | undefined,
  before: (index: number) => boolean,
): Promise<Map<string, Pin>> {
  const pins = new Map(Object.entries(request.pinned ?? {}).map(([task, pin]) => [task, pinOf(pin)]));
  if (fromRun === undefined) return pins;
  const asked = findReferences([
    request.expressions,
    request.conditions,
    node?.params,
    node?.forEach?.items,
    node?.loop?.value,
    node?.task?.spec["params"],
  ]);
  const named = asked.flatMap((reference) => (reference.kind === "result" ? [reference.task] : []));
  const listed = request.references ? plan.nodes.filter(({ index }) => before(index)).map(({ name }) => name) : [];
  const wanted = [...new Set([...named, ...listed])].filter((name) => !pins.has(name));
  for (const [task, results] of await resultsOfRun(db, team.id, fromRun, wanted)) pins.set(task, { status: "succeeded", results });
  return pins;
}

/** Results of the previous round: pinned as the results of the task itself, or the last one of the run. */
async function findRound(
  db: Queryable,
  { team, request, fromRun }: PreviewInput,
  node: PlanNode | undefined,
): Promise<LoopScope | undefined> {
  if (!node?.loop) return undefined;
  const pinned = request.pinned?.[node.name];
  if (pinned) return { index: 1, previous: pinOf(pinned) };
  const last = fromRun && (await findLastRound(db, team.id, fromRun.id, node.name, maxPinnedResults));
  return last?.results ? { index: last.rounds, previous: { status: last.status, results: last.results } } : undefined;
}

/** The results of another workflow, if they are known; otherwise it may have any. */
function mayGet(calls: readonly CheckedCall[], { nodes }: Plan, index: number, result: string): boolean {
  const call = calls.find(({ task }) => task === nodes[index]?.name);
  if (call === undefined || call.waits === false) return false;
  const { child } = call;
  return child === undefined || !child.hasAllResults || child.results.some(({ name }) => name === result);
}

function scopeOf(
  plan: Plan,
  layers: PreviewScope["layers"],
  pins: ReadonlyMap<string, Pin>,
  isBefore: (index: number) => boolean,
): PreviewScope {
  const pinOfNode = (index: number) => pins.get(plan.nodes[index]?.name ?? "");
  return {
    plan,
    layers,
    isBefore,
    resultsOf: (index) => pinOfNode(index)?.results,
    endOf: (index) => pinOfNode(index)?.status,
  };
}

function viewValue(
  { value, isSecret, unknown, missing, from }: PreviewResult,
  { nodes }: Plan,
  pinned: Readonly<Record<string, unknown>>,
  run: SourceRun | undefined,
): PreviewValue {
  const text = value === undefined ? undefined : textOf(value);
  const sources = from.map((index) => {
    const task = nodes[index]?.name ?? "";
    return Object.hasOwn(pinned, task) ? { task, pinned: true } : { task, ...(run && { run: run.id }) };
  });
  return {
    ...(text !== undefined && { value: shorten(text, maxPreviewLength), type: typeOf(value) }),
    ...(isSecret && { secret: true }),
    ...((text === undefined || text.length > maxPreviewLength) && { truncated: true }),
    ...(unknown.length > 0 && { unknown }),
    ...(missing.length > 0 && { missing }),
    ...(sources.length > 0 && { from: sources }),
  };
}

type Decided = NonNullable<WorkflowPreview["conditions"]>[number];

function decide(preview: Preview, { value: text, patterns }: { value: string; patterns: string[] }): Decided {
  const { value, unknown, missing, isSecret } = preview.resolve(text);
  const [open] = [...unknown, ...missing];
  if (open) return { why: `${open.reference}: ${open.why}` };
  if (isSecret || value === undefined) return { why: isSecret ? "the value is secret" : "the value is too large" };
  const written = textOf(value);
  try {
    return { value: shorten(written, maxPreviewLength), taken: preview.choose(written, patterns) };
  } catch (error) {
    if (!(error instanceof CostlyPatterns)) throw error;
    return { value: shorten(written, maxPreviewLength), why: error.message };
  }
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function typeOf(value: unknown): PreviewType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "list";
  if (typeof value === "string") return "text";
  return typeof value === "number" || typeof value === "boolean" ? (typeof value as "number" | "boolean") : "object";
}
