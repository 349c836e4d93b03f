import { Position } from "@xyflow/react";
import { type Box, meets, span } from "../../graph/boxes.ts";
import type { FarEdge } from "../../graph/far-edges.tsx";
import { coveredBy, type LabelPlace, labelPlace, labelRoom } from "../../graph/label-place.ts";
import { markerOf, nodeSize, sizeOf } from "../../graph/node-size.ts";
import { positionOf } from "../../graph/task-places.ts";
import { turnsOf, undoneBy } from "../../graph/task-turns.ts";
import { turnWords } from "../../graph/turn-mark.tsx";
import { t } from "../../texts/workflow/designer.ts";
import type { Dependency, DraftTask } from "../draft/draft.ts";
import { firstUnknown } from "../node/expressions.ts";
import {
  conditionWord,
  edgeId,
  type FlowEdge,
  type FlowGraph,
  type FlowInput,
  type FlowNode,
  type Keep,
  noteSize,
  origin,
  type TaskNodeData,
  typeOf,
} from "./flow-elements.ts";

/** Up to this many selected elements are rendered even when out of view, so that they keep the focus. */
const fewChosen = 20;

/** Creates a function that remembers its last result. */
export function createFlowBuilder(): (input: FlowInput) => FlowGraph {
  let kept = new Map<string, { parts: readonly unknown[]; made: object }>();
  return (input) => {
    const next: typeof kept = new Map();
    const keep = <T extends object>(key: string, parts: readonly unknown[], make: () => T): T => {
      const before = kept.get(key);
      const isSame = before?.parts.length === parts.length && before.parts.every((part, index) => Object.is(part, parts[index]));
      const made = isSame ? (before.made as T) : make();
      next.set(key, { parts, made });
      return made;
    };
    const links = linksOf(input);
    const graph = {
      nodes: [...noteNodes(input, keep), ...taskNodes(input, keep)],
      edges: edgesOf(links.filter(isDrawn(input)), input, keep),
      farEdges: input.isFar ? links : [],
    };
    kept = next;
    return graph;
  };
}

function taskNodes(input: FlowInput, keep: Keep): FlowNode[] {
  const { draft, catalog, problems, selected, dragged, isFixed } = input;
  const wrong = firstByNode(problems, "error");
  const doubtful = firstByNode(problems, "warning");
  const seen = new Map<string, number>();
  const turns = turnsOf(draft.tasks);
  const undone = undoneBy(draft.tasks);
  return draft.tasks.map((task) => {
    const count = (seen.get(task.name) ?? 0) + 1;
    seen.set(task.name, count);
    // Duplicate names are reported as a problem. Until it is fixed, the second task gets an id of its own.
    const id = count === 1 ? task.name : `${task.name}#${count}`;
    const definition = catalog?.get(task.taskRef ?? "");
    const problem = wrong.get(task.name);
    const unknown = input.names && firstUnknown(task, input.names);
    const warning = doubtful.get(task.name) ?? (unknown === undefined ? undefined : t("flowGraph.leadsNowhere", { reference: unknown }));
    const trial = input.trials?.get(task.name);
    const at = dragged.get(id);
    const isSelected = selected.has(id);
    const position = at ?? positionOf(task) ?? origin;
    const size = sizeOf(task);
    const hidden = isAway(input, id, { ...position, ...size });
    // Computed independently of the position, so that a moved task isn't rendered again.
    const turn = turns.get(task.name) ?? "flow";
    const undoes = turn === "compensation" ? undone.get(task.name) : undefined;
    const content = keep(`task ${id}`, [task, definition, problem, warning, trial, turn, undoes], () => ({
      data: { task, definition, problem, warning, trial, turn, undoes },
      handles: handlesOf(task),
      ariaLabel: labelOf({ task, definition, problem, warning, trial, turn, undoes }),
    }));
    return keep(`node ${id}`, [content, position.x, position.y, isSelected, isFixed, hidden], () => ({
      id,
      type: "task" as const,
      position,
      selected: isSelected,
      draggable: !isFixed,
      hidden,
      ...sized(size),
      ...content,
    }));
  });
}

/** Too far outside the view to be rendered. */
function isAway({ near, selected }: FlowInput, id: string, box: Box): boolean {
  return near !== undefined && !meets(near, box) && !(selected.size <= fewChosen && selected.has(id));
}

function noteNodes(input: FlowInput, keep: Keep): FlowNode[] {
  const { draft, selected, dragged, isFixed } = input;
  return (draft.canvasNotes ?? []).map((note) => {
    const position = dragged.get(note.id) ?? note.position;
    const isSelected = selected.has(note.id);
    const hidden = isAway(input, note.id, { ...position, ...noteSize });
    const data = keep(`note ${note.id}`, [note], () => ({ note }));
    return keep(`node ${note.id}`, [data, position.x, position.y, isSelected, isFixed, hidden], () => ({
      id: note.id,
      type: "note" as const,
      position,
      data,
      selected: isSelected,
      draggable: !isFixed,
      hidden,
      connectable: false,
      zIndex: -1,
      ...sized(noteSize),
      ariaLabel: t("flowGraph.note", { text: note.text.slice(0, 80) }),
    }));
  });
}

/** Everything on the canvas, for the mini map. */
export function nodeBoxes({ draft, selected, dragged }: Pick<FlowInput, "draft" | "selected" | "dragged">) {
  return [
    ...(draft.canvasNotes ?? []).map(({ id, position }) => ({ ...(dragged.get(id) ?? position), ...noteSize, isChosen: selected.has(id) })),
    ...draft.tasks.map((task) => ({
      ...boxOf(task, dragged),
      isChosen: selected.has(task.name),
    })),
  ];
}

function boxOf(task: DraftTask, dragged: FlowInput["dragged"]): Box {
  return { ...(dragged.get(task.name) ?? positionOf(task) ?? origin), ...sizeOf(task) };
}

function sized(size: { width: number; height: number }) {
  return { ...size, measured: size };
}

/** The ends of the edges, set here so that nodes needn't be measured. */
function handlesOf(task: DraftTask) {
  const marker = markerOf(task);
  const at = { y: nodeSize.height / 2, width: 1, height: 1 };
  return [
    ...(marker === "start" ? [] : [{ ...at, x: 0, type: "target" as const, position: Position.Left }]),
    ...(marker === "end" ? [] : [{ ...at, x: sizeOf(task).width, type: "source" as const, position: Position.Right }]),
  ];
}

function labelOf({ task, definition, problem, warning, trial, turn, undoes }: TaskNodeData): string {
  const what = markerOf(task) ?? definition?.displayName ?? task.taskRef ?? t("flowGraph.noTaskSelected");
  const told = [
    ...(turn === "flow" ? [] : [turnWords(turn, undoes)]),
    ...(problem === undefined ? [] : [t("flowGraph.problem", { message: problem })]),
    ...(warning === undefined ? [] : [t("flowGraph.warning", { message: warning })]),
    ...trialWords(trial),
  ];
  return [task.name, what, ...told].join(", ");
}

/** The marks of the last trial, in words. */
export function trialWords(trial: string | undefined): string[] {
  const [status = "", stale = "", pinned = ""] = trial?.split("|") ?? [];
  return [
    ...(status === "" ? [] : [t(status === "succeeded" ? "flowGraph.trialSucceeded" : "flowGraph.trialFailed")]),
    ...(stale === "" ? [] : [t("flowGraph.changedSince")]),
    ...(pinned === "" ? [] : [t("flowGraph.outputPinned")]),
  ];
}

/** The first message about each task. */
function firstByNode(problems: FlowInput["problems"], severity: "error" | "warning"): Map<string | undefined, string> {
  return new Map([...problems].reverse().flatMap((each) => (each.severity === severity ? [[each.node, each.message] as const] : [])));
}

/** A dependency with the positions of its two tasks. */
interface Link extends FarEdge {
  id: string;
  source: string;
  target: string;
  dependency: Dependency;
  isUndo: boolean;
}

/** If there are several between the same tasks, the last one counts. */
function linksOf({ draft, dragged }: FlowInput): Link[] {
  const boxes = new Map(draft.tasks.map((task) => [task.name, boxOf(task, dragged)]));
  const links = new Map<string, Link>();
  for (const { name, dependencies } of draft.tasks) {
    const to = boxes.get(name);
    for (const dependency of dependencies ?? []) {
      const source = dependency.taskRef;
      const from = boxes.get(source);
      if (from && to)
        links.set(edgeId(source, name), { id: edgeId(source, name), source, target: name, dependency, from, to, isUndo: false });
    }
  }
  for (const [target, source] of undoneBy(draft.tasks)) {
    const [from, to] = [boxes.get(source), boxes.get(target)];
    const id = `undo ${edgeId(source, target)}`;
    if (from && to) links.set(id, { id, source, target, dependency: { taskRef: source }, from, to, isUndo: true });
  }
  return [...links.values()];
}

/** Whether a link is near enough to the view to be rendered, or selected. */
function isDrawn({ near, isFar, selected }: FlowInput): (link: Link) => boolean {
  return ({ id, from, to }) => selected.has(id) || (!isFar && (near === undefined || meets(near, span(from, to))));
}

function edgesOf(links: readonly Link[], { draft, catalog, selected, dragged }: FlowInput, keep: Keep): FlowEdge[] {
  const decisions = new Set(draft.tasks.filter((task) => typeOf(task, catalog) === "decision").map(({ name }) => name));
  const boxes = draft.tasks.map((task) => boxOf(task, dragged));
  return links.map(({ id, source, target, dependency, from, to, isUndo }) => {
    const isFromDecision = decisions.has(source) && !isUndo;
    const isSelected = selected.has(id);
    const label = labelOfEdge({ dependency, isFromDecision, from, to }, boxes);
    if (label) boxes.push(coveredBy(label));
    return keep(`edge ${id}`, [dependency, isFromDecision, isSelected, label?.x, label?.y, label?.width], () => ({
      id,
      type: "condition" as const,
      source,
      target,
      data: { dependency, isFromDecision, isUndo, label },
      ...(isUndo && { selectable: false, focusable: false, deletable: false }),
      selected: isSelected,
      zIndex: isSelected ? 1 : 0,
      ariaLabel: isUndo
        ? t("flowEdges.undo", { source, target })
        : t("flowEdges.fromTo", { source, target, conditionWord: conditionWord(dependency, isFromDecision) }),
    }));
  });
}

function labelOfEdge(
  { dependency, isFromDecision, from, to }: Pick<Link, "dependency" | "from" | "to"> & { isFromDecision: boolean },
  boxes: readonly Box[],
): LabelPlace | undefined {
  const { width } = labelRoom(dependency, isFromDecision);
  return width === 0 ? undefined : labelPlace(from, to, width, boxes);
}
