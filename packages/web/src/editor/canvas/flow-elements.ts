import type { Edge, Node } from "@xyflow/react";
import { createContext, useContext } from "react";
import type { TaskDefinition } from "../../api/queries/task/task-catalog.ts";
import type { WorkflowProblem } from "../../api/queries/workflow/workflow-draft.ts";
import type { Box } from "../../graph/boxes.ts";
import type { FarEdge } from "../../graph/far-edges.tsx";
import type { LabelPlace } from "../../graph/label-place.ts";
import type { Point } from "../../graph/layout.ts";
import type { TaskTurn } from "../../graph/task-turns.ts";
import { t } from "../../texts/shared.ts";
import type { CanvasNote, Dependency, Draft, DraftTask } from "../draft/draft.ts";
import type { KnownNames } from "../node/expressions.ts";

/** Whether a large graph is seen from so far away that a task is a box without words. */
export const FarContext = createContext(false);

/** What is chosen on the canvas: names of tasks, ids of notes and of edges. */
export interface Selection {
  selected: ReadonlySet<string>;
  select: (ids: Iterable<string> | ((before: ReadonlySet<string>) => Iterable<string>)) => void;
  /** What is chosen as `from` is called `to` from now on. */
  rename: (from: string, to: string) => void;
  /** The same for a task before and after it was renamed, so that its form stays as it is, with the focus in it. */
  keyOf: (id: string) => string;
}

export const SelectionContext = createContext<Selection | undefined>(undefined);

/** Only inside of the designer. */
export function useSelection(): Selection {
  const selection = useContext(SelectionContext);
  if (!selection) throw new Error("the selection is used outside of the designer");
  return selection;
}

/**
 * What the canvas draws, made of the draft. An element of which nothing changed stays the very same object, so that it is not drawn again.
 */

export interface TaskNodeData extends Record<string, unknown> {
  task: DraftTask;
  definition: TaskDefinition | undefined;
  problem: string | undefined;
  /** What does not keep it from being saved. */
  warning: string | undefined;
  turn: TaskTurn;
  /** Of a compensation: the task. */
  undoes: string | undefined;
  /** Of its last trial: `STATUS|stale|pinned`, as `trialMarks` has it. */
  trial: string | undefined;
}
export interface NoteNodeData extends Record<string, unknown> {
  note: CanvasNote;
}
export interface ConditionEdgeData extends Record<string, unknown> {
  dependency: Dependency;
  isFromDecision: boolean;
  /** It leads from a task to what undoes it, and can't be changed here. */
  isUndo: boolean;
  /** Where its words stand; undefined: it has none. */
  label: LabelPlace | undefined;
}
export type TaskNode = Node<TaskNodeData, "task">;
export type NoteNode = Node<NoteNodeData, "note">;
export type FlowNode = TaskNode | NoteNode;
export type FlowEdge = Edge<ConditionEdgeData, "condition">;

export const noteSize = { width: 240, height: 96 };

export interface FlowInput {
  draft: Draft;
  catalog: ReadonlyMap<string, TaskDefinition> | undefined;
  problems: readonly WorkflowProblem[];
  selected: ReadonlySet<string>;
  /** Where nodes are while they are dragged. */
  dragged: ReadonlyMap<string, Point>;
  isFixed: boolean;
  /** By task, how its last trial ended. */
  trials?: ReadonlyMap<string, string>;
  /** Names that references may lead to; undefined: not known yet. */
  names?: KnownNames | undefined;
  /** The part that is drawn; undefined: all of it. */
  near?: Box | undefined;
  /** Nothing can be read: edges are lines only. */
  isFar?: boolean;
}

export interface FlowGraph {
  nodes: FlowNode[];
  edges: FlowEdge[];
  /** Those of a graph that is seen from far away; what is chosen is among `edges` there, too. */
  farEdges: FarEdge[];
}

/** What was made of the same parts the last time, else what is made now. */
export type Keep = <T extends object>(key: string, parts: readonly unknown[], make: () => T) => T;

/** Of a task that has no place. */
export const origin: Point = { x: 0, y: 0 };

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
  if (isFromDecision) return decisionCondition ? decisionCondition.split("\n").join(" | ") : t("graphLabels.otherwise");
  return executionCondition ?? "always";
}
