import { defaultHandlerTimeout } from "@millrace/contract/run/run-rules.ts";
import type { TaskType } from "@millrace/contract/status.ts";
import type { HandlerKind, UnresolvedReferences, WorkflowResult } from "@millrace/contract/workflow/workflow.ts";
import type { PinStatus } from "@millrace/contract/workflow/workflow-try.ts";
import { endTask } from "../parameter/references.ts";
import { dependencyOrder } from "./checks/check-graph-cycle.ts";
import { compileLoop, type Loop, type LoopDocument } from "./compile-loop.ts";
import type { NestedPlace, NestedRef, Nesting } from "./nested-workflow.ts";
import { type NodeTurn, turnsOf } from "./node-turn.ts";
import { type ControlDocument, type RunControl, readControl } from "./run-control.ts";

/**
 * The plan of a run: the workflow version and the task versions it uses, compiled once into indexes. A plan is immutable and depends only
 * on (workflow version id, task version ids), both of which never change, so any process may keep it forever, and any two processes compile
 * the same one.
 */

export interface NamedValue {
  name: string;
  value: unknown;
  /** Only for a value of a node: the value is sealed (core/parameter/secret-params.ts). */
  hiddenValue?: boolean;
}

export type ExecutionCondition = "always" | "success" | "failure";

/** An edge, seen from the node it leads to. */
export interface PlanEdge {
  from: number;
  to: number;
  condition: ExecutionCondition;
  /** Patterns, one per line; only on edges from a decision. Undefined or empty: the default edge. */
  decisionCondition: string | undefined;
}

export interface RetryPolicy {
  count: number;
  backoffMs: number;
  factor: number;
  maxBackoffMs: number;
  on: readonly ("failed" | "timedout")[];
}

export interface ForEach {
  /** An array, or text with references that resolves to one. */
  items: unknown;
  parallel: number;
  /** One task run gets a list of this many items; undefined: each item is a task run of its own. */
  batchSize: number | undefined;
  /** After an item that did not succeed, no further item starts. */
  stopsAtFailure: boolean;
}

/** The part of a task version that the plan keeps. */
export interface PlanTask {
  id: string;
  versionId: string;
  version: number;
  name: string;
  type: TaskType;
  displayName: string;
  /** TaskSpec, with all additional members of its document. */
  spec: Record<string, unknown>;
  annotations: Record<string, unknown>;
  isGlobal: boolean;
}

export interface PlanNode {
  index: number;
  name: string;
  type: TaskType;
  /** Undefined for start and end. */
  task: PlanTask | undefined;
  incoming: PlanEdge[];
  outgoing: PlanEdge[];
  params: NamedValue[];
  /** Results declared on the node itself. */
  results: { name: string; description?: string }[];
  timeoutMinutes: number | undefined;
  retry: RetryPolicy | undefined;
  forEach: ForEach | undefined;
  loop: Loop | undefined;
  onLost: "retry" | "fail";
  workspaces: { name: string; type?: string; mountPath?: string; optional?: boolean }[];
  labels: Record<string, string>;
  annotations: Record<string, unknown>;
  /** In a trial: the node does not run, but ends like this. */
  pin: Pin | undefined;
  turn: NodeTurn;
  /** A reference that can't be resolved stays as written; otherwise it fails the task run. */
  keepsUnresolved: boolean;
  /** The nested workflow that it runs. */
  nested?: NestedRef | undefined;
  /** The nested workflow as written in the document, for the names that it uses. It runs as a version of its own. */
  nestedDocument?: object | undefined;
  /** For a task that sets results of the run: the results that the workflow declares. */
  runResults?: readonly WorkflowResult[] | undefined;
}

/** How a task of a trial that does not run ends. */
export interface Pin {
  status: PinStatus;
  results: { name: string; value: unknown }[];
  /** Only for a switch. */
  decision?: string;
}

/** What a run is a trial of; stored in its workflow version. */
export interface Trial {
  /** Name of the workflow. */
  workflow: string;
  /** Absent: a draft. */
  version?: number;
  only?: string;
  upTo?: string;
  pins: (Pin & { task: string })[];
}

/** The nodes that run when the flow of a workflow has ended. */
export interface Handlers {
  /** Each with the node that it undoes; compensations of later nodes come first. */
  compensations: { index: number; undoes: number }[];
  onFailure: number[];
  finally: number[];
  /** The limit of each of the three kinds. */
  timeoutMinutes: number;
}

export interface Plan {
  /** Undefined: not a trial of a workflow. */
  trial: Trial | undefined;
  /** Where this nested workflow belongs; undefined: it is not nested. */
  nestedIn?: NestedPlace | undefined;
  /** Limits and priority of its runs; undefined: none of its own. */
  control?: RunControl | undefined;
  nodes: PlanNode[];
  start: number;
  end: number;
  byName: ReadonlyMap<string, number>;
  /** Undefined: there are none. */
  handlers: Handlers | undefined;
}

/** A node of the stored workflow document: only the members the plan reads. */
export interface DocumentNode {
  name: string;
  type: TaskType;
  taskRef?: string;
  taskVersion?: number;
  dependencies?: { taskRef: string; executionCondition?: ExecutionCondition; decisionCondition?: string }[];
  params?: NamedValue[];
  results?: { name: string; description?: string }[];
  timeout?: number;
  retry?: Partial<RetryPolicy>;
  forEach?: { items: unknown; parallel?: number; batchSize?: number; stopAtFailure?: boolean };
  loop?: LoopDocument;
  onLost?: "retry" | "fail";
  workspaces?: PlanNode["workspaces"];
  labels?: Record<string, string>;
  annotations?: Record<string, unknown>;
  unresolvedReferences?: UnresolvedReferences;
  handler?: HandlerKind;
  compensatedBy?: string;
  workflow?: object;
}

/** A stored workflow document: only the members the plan reads. */
export interface PlanDocument extends ControlDocument {
  tasks: readonly DocumentNode[];
  handlerTimeout?: number;
  unresolvedReferences?: UnresolvedReferences;
  results?: readonly WorkflowResult[];
}

const defaultRetry: RetryPolicy = { count: 0, backoffMs: 1000, factor: 2, maxBackoffMs: 300_000, on: ["failed", "timedout"] };

/**
 * @param document nodes as saved: the graph was checked then, so any error here is a bug and throws
 * @param findTask the task version that a node uses, by its reference and version
 */
export function compilePlan(
  { tasks, unresolvedReferences, handlerTimeout = defaultHandlerTimeout, results, ...document }: PlanDocument,
  findTask: (node: DocumentNode) => PlanTask | undefined,
  trial?: Trial,
  { inner, of: nestedIn }: Nesting = {},
): Plan {
  const pins = new Map(trial?.pins.map(({ task, ...pin }) => [task, pin]));
  const byName = new Map(tasks.map((node, index) => [node.name, index]));
  const hasHandlers = tasks.some(({ handler, compensatedBy }) => handler !== undefined || compensatedBy !== undefined);
  const turns = hasHandlers ? turnsOf(tasks) : [];
  const nodes = tasks.map((node, index) => ({
    ...compileNode({ unresolvedReferences, ...node }, index, findTask, pins.get(node.name)),
    turn: turns[index] ?? "flow",
    ...(results && node.type === "setwfproperty" && { runResults: results }),
    ...(inner && Object.hasOwn(inner, node.name) && { nested: inner[node.name] }),
    ...(node.workflow && { nestedDocument: node.workflow }),
  }));
  for (const [index, node] of tasks.entries()) {
    for (const dependency of node.dependencies ?? []) connect(nodes, byName, dependency, index);
  }
  const start = nodes.findIndex((node) => node.type === "start");
  const end = nodes.findIndex((node) => node.type === "end");
  if (start < 0 || end < 0) throw new Error("a saved workflow has no start or no end");
  if (!byName.has(endTask)) byName.set(endTask, end);
  const control = isControlled(document) && !trial ? readControl(document) : undefined;
  const handlers = compileHandlers(tasks, nodes, byName, handlerTimeout);
  return { trial, ...(nestedIn && { nestedIn }), control, nodes, start, end, byName, handlers };
}

function isControlled({ concurrency, rate, debounce, batch, priority }: ControlDocument): boolean {
  return [concurrency, rate, debounce, batch, priority].some((member) => member !== undefined);
}

function compileHandlers(
  tasks: readonly DocumentNode[],
  nodes: readonly PlanNode[],
  byName: ReadonlyMap<string, number>,
  timeoutMinutes: number,
): Handlers | undefined {
  if (nodes.every(({ turn }) => turn === "flow")) return undefined;
  const ofTurn = (wanted: NodeTurn) => nodes.filter(({ turn }) => turn === wanted).map(({ index }) => index);
  const backwards = dependencyOrder(nodes.map(({ incoming }) => incoming.map(({ from }) => from))).reverse();
  const compensations = backwards.flatMap((undoes) => {
    const index = byName.get(tasks[undoes]?.compensatedBy ?? "");
    return index === undefined || nodes[index]?.turn !== "compensation" ? [] : [{ index, undoes }];
  });
  return { compensations, onFailure: ofTurn("onFailure"), finally: ofTurn("finally"), timeoutMinutes };
}

function compileNode(
  node: DocumentNode,
  index: number,
  findTask: (node: DocumentNode) => PlanTask | undefined,
  pin: Pin | undefined,
): Omit<PlanNode, "turn"> {
  return {
    index,
    name: node.name,
    type: node.type,
    task: node.type === "start" || node.type === "end" ? undefined : findTask(node),
    incoming: [],
    outgoing: [],
    params: node.params ?? [],
    results: node.results ?? [],
    timeoutMinutes: node.timeout,
    retry: node.retry?.count ? { ...defaultRetry, ...node.retry } : undefined,
    forEach: node.forEach && compileForEach(node.forEach),
    loop: node.loop && compileLoop(node.loop),
    onLost: node.onLost ?? "retry",
    workspaces: node.workspaces ?? [],
    labels: node.labels ?? {},
    annotations: node.annotations ?? {},
    pin,
    keepsUnresolved: node.unresolvedReferences === "keep",
  };
}

function compileForEach({ items, parallel = 10, batchSize, stopAtFailure = false }: NonNullable<DocumentNode["forEach"]>): ForEach {
  return { items, parallel, batchSize, stopsAtFailure: stopAtFailure };
}

function connect(
  nodes: PlanNode[],
  byName: Map<string, number>,
  dependency: NonNullable<DocumentNode["dependencies"]>[number],
  to: number,
): void {
  const from = byName.get(dependency.taskRef);
  if (from === undefined) throw new Error(`a saved workflow depends on the unknown task ${dependency.taskRef}`);
  const edge: PlanEdge = {
    from,
    to,
    condition: dependency.executionCondition ?? "always",
    decisionCondition: dependency.decisionCondition || undefined,
  };
  (nodes[to] as PlanNode).incoming.push(edge);
  (nodes[from] as PlanNode).outgoing.push(edge);
}

/** The node with that index; an unknown index is a bug. */
export function nodeAt(plan: Plan, index: number): PlanNode {
  const node = plan.nodes[index];
  if (!node) throw new Error(`the plan has no node ${index}`);
  return node;
}
