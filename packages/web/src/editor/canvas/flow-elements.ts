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

/** Whether a large graph is zoomed out so far that tasks are boxes without text. */
export const FarContext = createContext(false);

/** The selection on the canvas: names of tasks, ids of notes and of edges. */
export interface Selection {
  selected: ReadonlySet<string>;
  select: (ids: Iterable<string> | ((before: ReadonlySet<string>) => Iterable<string>)) => void;
  /** Renames a selected element from `from` to `to`. */
  rename: (from: string, to: string) => void;
  /** The same key for a task before and after it is renamed, so that its form keeps its state and the focus. */
  keyOf: (id: string) => string;
}

export const SelectionContext = createContext<Selection | undefined>(undefined);

/** Usable only inside the designer. */
export function useSelection(): Selection {
  const selection = useContext(SelectionContext);
  if (!selection) throw new Error("the selection is used outside of the designer");
  return selection;
}

/**
 * The elements that the canvas renders, derived from the draft. Unchanged elements keep the same object identity, so that they aren't
 * rendered again.
 */

export interface TaskNodeData extends Record<string, unknown> {
  task: DraftTask;
  definition: TaskDefinition | undefined;
  problem: string | undefined;
  /** A problem that doesn't prevent saving. */
  warning: string | undefined;
  turn: TaskTurn;
  /** For a compensation: the task that it undoes. */
  undoes: string | undefined;
  /** The result of its last trial: `STATUS|stale|pinned`, see `trialMarks`. */
  trial: string | undefined;
}
export interface NoteNodeData extends Record<string, unknown> {
  note: CanvasNote;
}
export interface ConditionEdgeData extends Record<string, unknown> {
  dependency: Dependency;
  isFromDecision: boolean;
  /** Whether it leads from a task to its compensation; such an edge can't be edited here. */
  isUndo: boolean;
  /** The position of its label; undefined: no label. */
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
  /** The positions of nodes that are being dragged. */
  dragged: ReadonlyMap<string, Point>;
  isFixed: boolean;
  /** The result of the last trial, by task. */
  trials?: ReadonlyMap<string, string>;
  /** The names that references can use; undefined: not known yet. */
  names?: KnownNames | undefined;
  /** The part to render; undefined: everything. */
  near?: Box | undefined;
  /** Whether text is unreadable at this zoom: edges are drawn as plain lines. */
  isFar?: boolean;
}

export interface FlowGraph {
  nodes: FlowNode[];
  edges: FlowEdge[];
  /** The edges of a graph that is zoomed far out; selected ones are also in `edges`. */
  farEdges: FarEdge[];
}

/** Returns the object that was created from the same parts last time, or creates it. */
export type Keep = <T extends object>(key: string, parts: readonly unknown[], make: () => T) => T;

/** For a task without a position. */
export const origin: Point = { x: 0, y: 0 };

export function edgeId(from: string, to: string): string {
  return JSON.stringify([from, to]);
}

/** The two ends of the edge with that id; undefined if the id belongs to something else. */
export function endsOf(id: string): { from: string; to: string } | undefined {
  if (!id.startsWith('["')) return undefined;
  const [from, to] = JSON.parse(id) as [string, string];
  return { from, to };
}

export function typeOf(task: DraftTask, catalog: ReadonlyMap<string, TaskDefinition> | undefined): string | undefined {
  return task.type ?? catalog?.get(task.taskRef ?? "")?.type ?? undefined;
}

/** The condition of an edge, in a word or two. */
const conditionWords = {
  always: t("graphLabels.always"),
  success: t("graphLabels.success"),
  failure: t("graphLabels.failure"),
} as const;

export function conditionWord({ executionCondition, decisionCondition }: Dependency, isFromDecision: boolean): string {
  if (isFromDecision) return decisionCondition ? decisionCondition.split("\n").join(" | ") : t("graphLabels.otherwise");
  return conditionWords[executionCondition ?? "always"];
}
