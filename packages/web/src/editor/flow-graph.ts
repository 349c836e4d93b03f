import { type Edge, type Node, Position } from "@xyflow/react";
import type { TaskDefinition } from "../api/queries/task-catalog.ts";
import type { WorkflowProblem } from "../api/queries/workflow-draft.ts";
import type { Point } from "../graph/layout.ts";
import { type CanvasNote, type Dependency, type Draft, type DraftTask, markerOf, positionOf } from "./draft.ts";
import { nodeSize } from "./node-size.ts";

/** What the canvas draws, made of the draft. An element of which nothing changed stays the very same object, so that it is not drawn again. */

export interface TaskNodeData extends Record<string, unknown> {
  task: DraftTask;
  definition: TaskDefinition | undefined;
  problem: string | undefined;
}
export interface NoteNodeData extends Record<string, unknown> {
  note: CanvasNote;
}
export interface ConditionEdgeData extends Record<string, unknown> {
  dependency: Dependency;
  isFromDecision: boolean;
}
export type TaskNode = Node<TaskNodeData, "task">;
export type NoteNode = Node<NoteNodeData, "note">;
export type FlowNode = TaskNode | NoteNode;
export type FlowEdge = Edge<ConditionEdgeData, "condition">;

const noteSize = { width: 240, height: 96 };

export interface FlowInput {
  draft: Draft;
  catalog: ReadonlyMap<string, TaskDefinition> | undefined;
  problems: readonly WorkflowProblem[];
  selected: ReadonlySet<string>;
  /** Where nodes are while they are dragged. */
  dragged: ReadonlyMap<string, Point>;
  isFixed: boolean;
}

export interface FlowGraph {
  nodes: FlowNode[];
  edges: FlowEdge[];
}

/** A function that remembers what it made the last time. */
export function createFlowBuilder(): (input: FlowInput) => FlowGraph {
  let kept = new Map<string, { parts: readonly unknown[]; made: FlowNode | FlowEdge }>();
  return (input) => {
    const next: typeof kept = new Map();
    const keep = <T extends FlowNode | FlowEdge>(key: string, parts: readonly unknown[], make: () => T): T => {
      const before = kept.get(key);
      const isSame = before?.parts.length === parts.length && before.parts.every((part, index) => Object.is(part, parts[index]));
      const made = isSame ? (before.made as T) : make();
      next.set(key, { parts, made });
      return made;
    };
    const graph = { nodes: [...noteNodes(input, keep), ...taskNodes(input, keep)], edges: edgesOf(input, keep) };
    kept = next;
    return graph;
  };
}

type Keep = <T extends FlowNode | FlowEdge>(key: string, parts: readonly unknown[], make: () => T) => T;

function taskNodes({ draft, catalog, problems, selected, dragged, isFixed }: FlowInput, keep: Keep): FlowNode[] {
  const wrong = new Map([...problems].reverse().map(({ node, message }) => [node, message]));
  const seen = new Map<string, number>();
  return draft.tasks.map((task) => {
    const count = (seen.get(task.name) ?? 0) + 1;
    seen.set(task.name, count);
    // Two of one name are a problem that is told; until it is mended the second one has an id of its own.
    const id = count === 1 ? task.name : `${task.name}#${count}`;
    const definition = catalog?.get(task.taskRef ?? "");
    const problem = wrong.get(task.name);
    const at = dragged.get(id);
    const isSelected = selected.has(id);
    return keep(`node ${id}`, [task, definition, problem, at, isSelected, isFixed], () => ({
      id,
      type: "task" as const,
      position: at ?? positionOf(task) ?? { x: 0, y: 0 },
      data: { task, definition, problem },
      selected: isSelected,
      draggable: !isFixed,
      ...sized(nodeSize),
      handles: handlesOf(task),
      ariaLabel: labelOf(task, definition, problem),
    }));
  });
}

function noteNodes({ draft, selected, dragged, isFixed }: FlowInput, keep: Keep): FlowNode[] {
  return (draft.canvasNotes ?? []).map((note) => {
    const at = dragged.get(note.id);
    const isSelected = selected.has(note.id);
    return keep(`node ${note.id}`, [note, at, isSelected, isFixed], () => ({
      id: note.id,
      type: "note" as const,
      position: at ?? note.position,
      data: { note },
      selected: isSelected,
      draggable: !isFixed,
      connectable: false,
      zIndex: -1,
      ...sized(noteSize),
      ariaLabel: `Note: ${note.text.slice(0, 80)}`,
    }));
  });
}

function sized(size: { width: number; height: number }) {
  return { ...size, measured: size };
}

/** Where edges end, said here so that no node has to be measured. */
function handlesOf(task: DraftTask) {
  const marker = markerOf(task);
  const at = { y: nodeSize.height / 2, width: 1, height: 1 };
  return [
    ...(marker === "start" ? [] : [{ ...at, x: 0, type: "target" as const, position: Position.Left }]),
    ...(marker === "end" ? [] : [{ ...at, x: nodeSize.width, type: "source" as const, position: Position.Right }]),
  ];
}

function labelOf(task: DraftTask, definition: TaskDefinition | undefined, problem: string | undefined): string {
  const what = markerOf(task) ?? definition?.displayName ?? task.taskRef ?? "no task";
  return `${task.name}, ${what}${problem === undefined ? "" : `, problem: ${problem}`}`;
}

function edgesOf({ draft, catalog, selected }: FlowInput, keep: Keep): FlowEdge[] {
  const decisions = new Set(draft.tasks.filter((task) => typeOf(task, catalog) === "decision").map(({ name }) => name));
  const names = new Set(draft.tasks.map(({ name }) => name));
  const edges = new Map<string, FlowEdge>();
  for (const { name, dependencies } of draft.tasks) {
    for (const dependency of dependencies ?? []) {
      if (!names.has(dependency.taskRef)) continue;
      const id = edgeId(dependency.taskRef, name);
      const isFromDecision = decisions.has(dependency.taskRef);
      const isSelected = selected.has(id);
      const made = keep(`edge ${id}`, [dependency, isFromDecision, isSelected], () => ({
        id,
        type: "condition" as const,
        source: dependency.taskRef,
        target: name,
        data: { dependency, isFromDecision },
        selected: isSelected,
        ariaLabel: `From ${dependency.taskRef} to ${name}, ${conditionWord(dependency, isFromDecision)}`,
      }));
      edges.set(id, made);
    }
  }
  return [...edges.values()];
}

export function edgeId(from: string, to: string): string {
  return JSON.stringify([from, to]);
}

/** The two ends of the edge with that id; undefined when it is the id of something else. */
export function endsOf(id: string): { from: string; to: string } | undefined {
  if (!id.startsWith('["')) return undefined;
  const [from, to] = JSON.parse(id) as [string, string];
  return { from, to };
}

export function typeOf(task: DraftTask, catalog: ReadonlyMap<string, TaskDefinition> | undefined): string | undefined {
  return task.type ?? catalog?.get(task.taskRef ?? "")?.type ?? undefined;
}

/** When the edge is taken, in a word or two. */
export function conditionWord({ executionCondition, decisionCondition }: Dependency, isFromDecision: boolean): string {
  if (isFromDecision) return decisionCondition ? decisionCondition.split("\n").join(" | ") : "otherwise";
  return executionCondition ?? "always";
}
