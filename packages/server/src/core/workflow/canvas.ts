import type { CanvasEdge, CanvasNode, CanvasNodePosition, WorkflowCanvas } from "@millrace/contract/workflow/canvas.ts";
import type { Workflow, WorkflowInput, WorkflowTask, WorkflowTaskDependency } from "@millrace/contract/workflow/workflow.ts";
import { AppError, type ErrorDetail } from "../../base/error/app-error.ts";
import { shortHash } from "../../base/text/short-hash.ts";
import type { FormerNames } from "../task/former-tasks.ts";
import { layOutNodes } from "./canvas-layout.ts";

/**
 * A workflow and its canvas say the same in two ways; changing one into the other and back loses nothing.
 * On the canvas a dependency is an edge, the position annotation is the node's position, and `params` is called `config`.
 */

const positionAnnotation = "millrace.dev/position";
const positionAnnotations = [positionAnnotation, "boomerang.io/position"];

/** The canvas of a workflow as it is read. Ids follow from names, so two reads give the same ones. */
export function canvasOf(workflow: Workflow): WorkflowCanvas {
  const { tasks, params, ...rest } = workflow;
  const ids = new Map(tasks.map((task) => [task.name, nodeId(task.name)]));
  const types = new Map(tasks.map((task) => [task.name, task.type ?? ""]));
  const positions = layOutNodes(
    tasks.map((task) => ({ name: task.name, dependencies: task.dependencies ?? [], position: positionOf(task.annotations ?? {}) })),
  );
  return {
    ...rest,
    config: params,
    nodes: tasks.map((task, index) => canvasNode(task, ids.get(task.name) ?? "", positions[index])),
    edges: tasks.flatMap((task) => canvasEdges(task, ids, types)),
  };
}

function canvasNode(task: WorkflowTask, id: string, position: CanvasNodePosition | undefined): CanvasNode {
  const { type, dependencies: _edges, annotations, ...data } = task;
  return { id, type, position, data: { ...data, annotations: withoutPosition(annotations ?? {}) } };
}

function canvasEdges(task: WorkflowTask, ids: ReadonlyMap<string, string>, types: ReadonlyMap<string, string>): CanvasEdge[] {
  const target = nodeId(task.name);
  return (task.dependencies ?? []).map(({ taskRef, ...data }, index) => ({
    id: shortHash(["edge", taskRef, task.name, index]),
    source: ids.get(taskRef) ?? nodeId(taskRef),
    target,
    type: types.get(taskRef) ?? "",
    data,
  }));
}

/**
 * The workflow that a canvas stands for.
 *
 * @throws VALIDATION_FAILED when two nodes have one id, or an edge joins a node that is not there
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

/** Annotations without those that the position of the node stands for; what is not a position stays. */
function withoutPosition(annotations: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(annotations).filter(([name, value]) => !(positionAnnotations.includes(name) && isPosition(value))),
  );
}

/** The id of a node that is read follows from the name of its task. */
function nodeId(name: string): string {
  return shortHash(["node", name]);
}

/**
 * Which tasks were renamed on a canvas. A node keeps its id while it is renamed, and the id of a node that was read follows from its
 * name then. Clients may have ids of their own, though, or ids of an earlier read, so an id is believed only where the names agree:
 * the present name is new or its former bearer was renamed, too, and so was, or is gone, no matter who had the former name.
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
      // A node that is not believed also discards the nodes that were to follow it under its name, and so on.
      if (!isBelievable(now, then)) for (let one: string | undefined = now; one !== undefined; one = later.get(one)) former.delete(one);
    }
    return former;
  };
}
