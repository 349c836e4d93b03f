import type { CanvasEdge, CanvasNode, CanvasNodePosition, WorkflowCanvas } from "@millrace/contract/workflow/canvas.ts";
import type { Workflow, WorkflowInput, WorkflowTask, WorkflowTaskDependency } from "@millrace/contract/workflow/workflow.ts";
import { AppError, type ErrorDetail } from "../../base/error/app-error.ts";
import { atOnce, flatMapSteps, type Steps } from "../../base/process/slices.ts";
import { shortHash } from "../../base/text/short-hash.ts";
import type { FormerNames } from "../task/former-tasks.ts";
import { layOutNodes } from "./canvas-layout.ts";

/**
 * A workflow and its canvas are two forms of the same content; converting one into the other and back loses nothing. On the canvas a
 * dependency is an edge, the position annotation is the node's position, and `params` is called `config`.
 */

const positionAnnotation = "millrace.dev/position";
const positionAnnotations = [positionAnnotation, "boomerang.io/position"];

/** The canvas of a workflow in a response. Ids are derived from names, so two reads return the same ids. */
export function canvasOf(workflow: Workflow): WorkflowCanvas {
  return atOnce(canvasSteps(workflow));
}

/** The same in steps of one task each: most of the time are the hashes that the ids are made of. */
export function* canvasSteps(workflow: Workflow): Steps<WorkflowCanvas> {
  const { tasks, params, ...rest } = workflow;
  const ids = new Map(yield* flatMapSteps(tasks, ({ name }) => [[name, nodeId(name)] as const]));
  const types = new Map(tasks.map((task) => [task.name, task.type ?? ""]));
  const positions = layOutNodes(
    tasks.map((task) => ({ name: task.name, dependencies: task.dependencies ?? [], position: positionOf(task.annotations ?? {}) })),
  );
  yield;
  const nodes = yield* flatMapSteps(tasks, (task, index) => [canvasNode(task, ids.get(task.name) ?? "", positions[index])]);
  return { ...rest, config: params, nodes, edges: yield* flatMapSteps(tasks, (task) => canvasEdges(task, ids, types)) };
}

function canvasNode(task: WorkflowTask, id: string, position: CanvasNodePosition | undefined): CanvasNode {
  const { type, dependencies: _edges, annotations, ...data } = task;
  return { id, type, position, data: { ...data, annotations: withoutPosition(annotations ?? {}) } };
}

function canvasEdges(task: WorkflowTask, ids: ReadonlyMap<string, string>, types: ReadonlyMap<string, string>): CanvasEdge[] {
  const target = ids.get(task.name) ?? "";
  return (task.dependencies ?? []).map(({ taskRef, ...data }, index) => ({
    id: shortHash(["edge", taskRef, task.name, index]),
    source: ids.get(taskRef) ?? nodeId(taskRef),
    target,
    type: types.get(taskRef) ?? "",
    data,
  }));
}

/**
 * The workflow that a canvas represents.
 *
 * @throws VALIDATION_FAILED if two nodes have the same id, or an edge refers to a node that does not exist
 */
export function workflowOfCanvas(canvas: WorkflowCanvas & { name: string }): WorkflowInput {
  const { nodes, edges, config, ...rest } = canvas;
  const names = nodeNames(nodes ?? []);
  const dependencies = dependenciesByNode(edges ?? [], names);
  const tasks = (nodes ?? []).map((node) => taskOfNode(node, dependencies.get(node.id) ?? []));
  return { ...rest, tasks, params: config ?? [] };
}

function nodeNames(nodes: readonly CanvasNode[]): Map<string, string> {
  const names = new Map<string, string>();
  const errors: ErrorDetail[] = [];
  for (const [index, node] of nodes.entries()) {
    if (names.has(node.id)) errors.push({ path: `/nodes/${index}/id`, message: `another node has the id ${node.id}` });
    names.set(node.id, node.data.name);
  }
  refuse(errors);
  return names;
}

function dependenciesByNode(edges: readonly CanvasEdge[], names: ReadonlyMap<string, string>): Map<string, WorkflowTaskDependency[]> {
  const byNode = new Map<string, WorkflowTaskDependency[]>();
  const errors: ErrorDetail[] = [];
  for (const [index, edge] of edges.entries()) {
    for (const end of ["source", "target"] as const) {
      if (!names.has(edge[end])) errors.push({ path: `/edges/${index}/${end}`, message: `no node has the id ${edge[end]}` });
    }
    const dependency = { ...edge.data, taskRef: names.get(edge.source) ?? "" };
    const list = byNode.get(edge.target);
    if (list) list.push(dependency);
    else byNode.set(edge.target, [dependency]);
  }
  refuse(errors);
  return byNode;
}

function taskOfNode(node: CanvasNode, dependencies: WorkflowTaskDependency[]): WorkflowTask {
  const annotations: Record<string, unknown> = { ...node.data.annotations };
  if (node.position) {
    for (const name of positionAnnotations) delete annotations[name];
    annotations[positionAnnotation] = node.position;
  }
  return { ...node.data, type: node.type, annotations, dependencies };
}

function refuse(errors: ErrorDetail[]): void {
  if (errors.length === 0) return;
  const [first] = errors;
  throw new AppError("VALIDATION_FAILED", [`${first?.path}: ${first?.message}`], { details: errors.slice(0, 100) });
}

function positionOf(annotations: Record<string, unknown>): CanvasNodePosition | undefined {
  return positionAnnotations.map((name) => annotations[name]).find(isPosition);
}

function isPosition(value: unknown): value is CanvasNodePosition {
  if (typeof value !== "object" || value === null) return false;
  const { x, y } = value as { x?: unknown; y?: unknown };
  return Number.isFinite(x) && Number.isFinite(y);
}

/** The annotations without those that the node's position replaces; an annotation whose value is not a position stays. */
function withoutPosition(annotations: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(annotations).filter(([name, value]) => !(positionAnnotations.includes(name) && isPosition(value))),
  );
}

/** The id of a node in a response is derived from the name of its task. */
function nodeId(name: string): string {
  return shortHash(["node", name]);
}

/**
 * Which tasks were renamed on a canvas. A node keeps its id when it is renamed, and the id in a response is derived from the name at that
 * time. But clients may use ids of their own, or ids of an earlier read. So a rename is accepted only if the names agree: the new name did
 * not exist before, or the node that had it is still on the canvas; and the old name is no longer used, or a renamed node has it now.
 */
export function formerNamesOn({ nodes }: WorkflowCanvas): FormerNames {
  return (stored) => {
    const before = new Map(stored.map((name) => [nodeId(name), name]));
    const ids = new Set((nodes ?? []).map(({ id }) => id));
    const names = new Set((nodes ?? []).map(({ data }) => data.name));
    const former = new Map<string, string>();
    for (const { id, data } of nodes ?? []) {
      const name = before.get(id);
      if (name !== undefined && name !== data.name) former.set(data.name, name);
    }
    const known = new Set(stored);
    const later = new Map([...former].map(([now, then]) => [then, now]));
    const isBelievable = (now: string, then: string) => (!known.has(now) || ids.has(nodeId(now))) && (!names.has(then) || former.has(then));
    for (const [now, then] of [...former]) {
      // Rejecting a rename also rejects the renames that depend on the name it would have freed, and so on.
      if (!isBelievable(now, then)) for (let one: string | undefined = now; one !== undefined; one = later.get(one)) former.delete(one);
    }
    return former;
  };
}
