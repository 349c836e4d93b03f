import { labelRoom } from "../../graph/label-place.ts";
import type { Point } from "../../graph/layout.ts";
import { markerOf, nodeGap, nodeSize, sizeOf } from "../../graph/node-size.ts";
import { layoutOf, positionOf } from "../../graph/task-places.ts";
import { turnsOf } from "../../graph/task-turns.ts";
import { t } from "../../texts/workflow/designer.ts";
import { renameReferences } from "../form/references.ts";
import { type CanvasNote, type Dependency, type Draft, type DraftTask, isMarker, placed } from "./draft.ts";

/** All changes to the graph of a draft, as functions from one draft to the next. Unchanged parts keep the same object identity. */

/** The distance between the tops of two nodes, one below the other. */
const rowHeight = nodeSize.height + nodeGap.y;

export function findTask(draft: Draft, name: string): DraftTask | undefined {
  return draft.tasks.find((task) => task.name === name);
}

/** `name`, or the first unused name of `name-2`, `name-3` … */
function freeName(draft: Draft, wanted: string, taken: ReadonlySet<string> = new Set()): string {
  const names = new Set([...draft.tasks.map(({ name }) => name), ...taken]);
  const base = wanted.replace(/-\d+$/, "");
  if (!names.has(wanted)) return wanted;
  for (let number = 2; ; number++) if (!names.has(`${base}-${number}`)) return `${base}-${number}`;
}

export function changeTask(draft: Draft, name: string, change: (task: DraftTask) => DraftTask): Draft {
  return { ...draft, tasks: draft.tasks.map((task) => (task.name === name ? change(task) : task)) };
}

/** Renames a task, with the dependencies on it and the references to its results. A name that is in use or empty changes nothing. */
export function renameTask(draft: Draft, from: string, to: string): Draft {
  if (from === to || to.trim() === "" || findTask(draft, to)) return draft;
  const tasks = draft.tasks.map((task) => {
    const { name, dependencies, annotations, ...rest } = task;
    const followed = renameReferences(rest, new Map([[from, to]]));
    const moved = dependencies?.some(({ taskRef }) => taskRef === from)
      ? dependencies.map((each) => (each.taskRef === from ? { ...each, taskRef: to } : each))
      : dependencies;
    const isUndone = task.compensatedBy === from;
    if (name !== from && followed === rest && moved === dependencies && !isUndone) return task;
    const members = {
      ...(isUndone && { compensatedBy: to }),
      ...(dependencies !== undefined && { dependencies: moved }),
      ...(annotations !== undefined && { annotations }),
    };
    return { name: name === from ? to : name, ...followed, ...members } as DraftTask;
  });
  return { ...draft, tasks };
}

export function moveTasks(draft: Draft, positions: ReadonlyMap<string, Point>): Draft {
  const notes = draft.canvasNotes?.map((note) => ({ ...note, position: positions.get(note.id) ?? note.position }));
  const tasks = draft.tasks.map((task) => {
    const to = positions.get(task.name);
    return to ? placed(task, to) : task;
  });
  return { ...draft, tasks, ...(notes && { canvasNotes: notes }) };
}

/** Moves all tasks to the positions of an automatic layout. */
export function arrange(draft: Draft): Draft {
  return moveTasks(draft, layoutOf(draft.tasks));
}

/** Why the two tasks can't be connected; undefined if they can. */
export function whyNotConnect(draft: Draft, from: string, to: string): string | undefined {
  const [source, target] = [findTask(draft, from), findTask(draft, to)];
  if (!source || !target) return t("graphEdits.oneTwoTasksDoesnt");
  if (from === to) return t("graphEdits.taskCantDependItself");
  if (markerOf(target) === "start") return t("graphEdits.nothingLeadStart");
  if (markerOf(source) === "end") return t("graphEdits.nothingFollowEnd");
  if (target.dependencies?.some(({ taskRef }) => taskRef === from)) return t("graphEdits.theseTasksAlreadyConnected");
  const turns = turnsOf(draft.tasks);
  if (turns.get(from) !== turns.get(to) || turns.get(from) === "compensation") return t("graphEdits.notFlow");
  return upstreamOf(draft, from).has(to) ? t("graphEdits.linkWouldCreateCycle") : undefined;
}

/** All tasks on paths to that task. */
export function upstreamOf(draft: Draft, name: string): Set<string> {
  const byName = new Map(draft.tasks.map((task) => [task.name, task]));
  const found = new Set<string>();
  const open = [name];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const { taskRef } of byName.get(next)?.dependencies ?? []) {
      if (!found.has(taskRef)) open.push(taskRef);
      found.add(taskRef);
    }
  }
  return found;
}

export function connect(draft: Draft, from: string, to: string, edge: Partial<Dependency> = {}): Draft {
  if (whyNotConnect(draft, from, to) !== undefined) return draft;
  return changeTask(draft, to, (task) => ({
    ...task,
    dependencies: [...(task.dependencies ?? []), { executionCondition: "always", ...edge, taskRef: from }],
  }));
}

export function changeEdge(draft: Draft, from: string, to: string, change: Partial<Dependency>): Draft {
  return changeTask(draft, to, (task) => ({
    ...task,
    dependencies: (task.dependencies ?? []).map((each) => (each.taskRef === from ? withoutUndefined({ ...each, ...change }) : each)),
  }));
}

export function disconnect(draft: Draft, from: string, to: string): Draft {
  return changeTask(draft, to, (task) => ({ ...task, dependencies: (task.dependencies ?? []).filter(({ taskRef }) => taskRef !== from) }));
}

function withoutUndefined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as T;
}

/** Removes tasks and notes; start and end are kept. */
export function removeNodes(draft: Draft, names: ReadonlySet<string>): Draft {
  const gone = new Set(draft.tasks.filter((task) => names.has(task.name) && !isMarker(task)).map(({ name }) => name));
  const tasks = draft.tasks
    .filter(({ name }) => !gone.has(name))
    .map((task) => (gone.has(task.compensatedBy ?? "") ? { ...task, compensatedBy: null } : task))
    .map((task) =>
      task.dependencies?.some(({ taskRef }) => gone.has(taskRef))
        ? { ...task, dependencies: task.dependencies.filter(({ taskRef }) => !gone.has(taskRef)) }
        : task,
    );
  const notes = draft.canvasNotes?.filter(({ id }) => !names.has(id));
  return { ...draft, tasks, ...(notes && { canvasNotes: notes }) };
}

/** Where a new task goes: to a position, after a task, or between the two ends of an edge. */
export interface Spot {
  at?: Point;
  after?: string;
  before?: string;
}

/**
 * Adds a task under an unused name. After a task, it takes over that task's unconditional edge to the end. Between two tasks, the following
 * tasks are moved to make room.
 * @returns the draft and the final name of the task
 */
export function addTask(draft: Draft, wanted: DraftTask, spot: Spot): { draft: Draft; name: string } {
  const name = freeName(draft, wanted.name);
  const after = spot.after === undefined ? undefined : findTask(draft, spot.after);
  if (!after) return { draft: withTask(draft, { ...wanted, name }, freePoint(draft, spot.at ?? { x: 0, y: 0 })), name };
  const before = spot.before ?? plainEndOf(draft, after.name);
  const from = positionOf(after) ?? { x: 0, y: 0 };
  const edge = (before && findTask(draft, before)?.dependencies?.find(({ taskRef }) => taskRef === after.name)) || {};
  const words = labelRoom({}, after.type === "decision").width;
  const wish = { x: from.x + sizeOf(after).width + nodeGap.x + words, y: from.y };
  const free = wish.x + nodeSize.width + nodeGap.x;
  let next = before === undefined ? draft : makeRoom(disconnect(draft, after.name, before), before, free);
  next = withTask(next, { ...wanted, name }, freePoint(next, wish));
  next = connect(next, after.name, name, spot.before === undefined ? {} : edge);
  return { draft: before === undefined ? next : connect(next, name, before), name };
}

function withTask(draft: Draft, task: DraftTask, at: Point): Draft {
  const tasks = [...draft.tasks];
  const end = tasks.findIndex((each) => markerOf(each) === "end");
  tasks.splice(end < 0 ? tasks.length : end, 0, placed(task, at));
  return { ...draft, tasks };
}

/** The end, if an unconditional edge leads there: a task added after this one takes the edge over. */
function plainEndOf(draft: Draft, name: string): string | undefined {
  const end = draft.tasks.find((task) => markerOf(task) === "end");
  const edge = end?.dependencies?.find(({ taskRef }) => taskRef === name);
  const isPlain = edge && (edge.executionCondition ?? "always") === "always" && !edge.decisionCondition;
  return isPlain ? end?.name : undefined;
}

/** Moves the tasks after an inserted one to the right where they are too close. */
function makeRoom(draft: Draft, before: string, least: number): Draft {
  const target = positionOf(findTask(draft, before) as DraftTask);
  if (!target || target.x >= least) return draft;
  const shift = least - target.x;
  const behind = draft.tasks.flatMap((task) => {
    const at = positionOf(task);
    return at && at.x >= target.x ? [[task.name, { x: at.x + shift, y: at.y }] as const] : [];
  });
  return moveTasks(draft, new Map(behind));
}

/** That point, or the nearest one below it without a task. */
function freePoint(draft: Draft, wish: Point): Point {
  const taken = draft.tasks.flatMap((task) => positionOf(task) ?? []);
  const isFree = ({ x, y }: Point) =>
    taken.every((each) => Math.abs(each.x - x) >= nodeSize.width + 16 || Math.abs(each.y - y) >= nodeSize.height + 8);
  const at = { ...wish };
  while (!isFree(at)) at.y += rowHeight;
  return at;
}

/** What was copied: tasks with the edges between them, and notes. */
export interface Clip {
  tasks: DraftTask[];
  notes: CanvasNote[];
}

export function copyNodes(draft: Draft, names: ReadonlySet<string>): Clip {
  const tasks = draft.tasks
    .filter((task) => names.has(task.name) && !isMarker(task))
    .map((task) => ({ ...task, dependencies: (task.dependencies ?? []).filter(({ taskRef }) => names.has(taskRef)) }));
  const inside = new Set(tasks.map(({ name }) => name));
  return {
    tasks: tasks.map((task) => ({ ...task, dependencies: task.dependencies.filter(({ taskRef }) => inside.has(taskRef)) })),
    notes: (draft.canvasNotes ?? []).filter(({ id }) => names.has(id)),
  };
}

/** Adds copies under unused names, slightly offset from the originals. References between the copied tasks are changed to the copies. */
export function pasteNodes(draft: Draft, clip: Clip, newId: () => string): { draft: Draft; names: string[] } {
  const names = new Map<string, string>();
  for (const { name } of clip.tasks) names.set(name, freeName(draft, name, new Set(names.values())));
  let next = draft;
  for (const task of clip.tasks) {
    const at = positionOf(task) ?? { x: 0, y: 0 };
    const dependencies = (task.dependencies ?? []).map((each) => ({ ...each, taskRef: names.get(each.taskRef) ?? each.taskRef }));
    // The compensation of the original doesn't compensate the copy.
    const undo = task.compensatedBy == null ? {} : { compensatedBy: names.get(task.compensatedBy) ?? null };
    const copy: DraftTask = { ...renameReferences(task, names), dependencies, ...undo };
    next = withTask(next, { ...copy, name: names.get(task.name) as string }, freePoint(next, { x: at.x, y: at.y + rowHeight }));
  }
  const notes = clip.notes.map((note) => ({ ...note, id: newId(), position: { x: note.position.x + 32, y: note.position.y + 32 } }));
  if (notes.length > 0) next = { ...next, canvasNotes: [...(next.canvasNotes ?? []), ...notes] };
  return { draft: next, names: [...names.values(), ...notes.map(({ id }) => id)] };
}

export function changeNote(draft: Draft, note: CanvasNote): Draft {
  const notes = draft.canvasNotes ?? [];
  const isThere = notes.some(({ id }) => id === note.id);
  return { ...draft, canvasNotes: isThere ? notes.map((each) => (each.id === note.id ? note : each)) : [...notes, note] };
}
