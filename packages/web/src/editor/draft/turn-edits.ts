import { nodeGap, nodeSize } from "../../graph/node-size.ts";
import { positionOf } from "../../graph/task-places.ts";
import { type TaskTurn, turnsOf } from "../../graph/task-turns.ts";
import { type Draft, type DraftTask, isMarker, placed } from "./draft.ts";

/**
 * When the tasks of a draft run: in the flow, as handlers, or to undo other tasks. Tasks of different kinds can't be linked, so such links
 * are removed.
 */

/** @param handler null: in the flow */
export function setHandler(draft: Draft, name: string, handler: "finally" | "onFailure" | null): Draft {
  return inTurn(draft, name, (task) => {
    if (task.name === name) return { ...task, handler };
    // A handler neither undoes another task nor has a compensation.
    return handler !== null && task.compensatedBy === name ? { ...task, compensatedBy: null } : task;
  });
}

/** @param by null: no task undoes it */
export function setCompensation(draft: Draft, name: string, by: string | null): Draft {
  return inTurn(draft, by ?? name, (task) => {
    if (task.name === name) return { ...task, compensatedBy: by };
    return by !== null && task.compensatedBy === by ? { ...task, compensatedBy: null } : task;
  });
}

/** The names of the tasks that could undo that one. */
export function possibleCompensations(draft: Draft, name: string): string[] {
  const turns = turnsOf(draft.tasks);
  const own = draft.tasks.find((task) => task.name === name)?.compensatedBy;
  const others = draft.tasks.filter((task) => task.name !== name && !isMarker(task) && task.compensatedBy == null);
  return others.filter((task) => turns.get(task.name) === "flow" || task.name === own).map((task) => task.name);
}

/** Changes tasks, and removes the links that are no longer possible. */
function inTurn(draft: Draft, moved: string, change: (task: DraftTask) => DraftTask): Draft {
  const before = turnsOf(draft.tasks).get(moved);
  const changed = draft.tasks.map((task) => {
    const next = change(task);
    const isOutside = next.name === moved && next.handler != null && next.compensatedBy != null;
    return isOutside ? { ...next, compensatedBy: null } : next;
  });
  const turns = turnsOf(changed);
  const turn = turns.get(moved);
  const tasks = changed.map((task) => withoutStrangers(task, turns));
  return { ...draft, tasks: turn !== before && turn !== "flow" ? below(tasks, moved) : tasks };
}

function withoutStrangers(task: DraftTask, turns: ReadonlyMap<string, TaskTurn>): DraftTask {
  const turn = turns.get(task.name);
  const kept = task.dependencies?.filter(({ taskRef }) => turn !== "compensation" && turns.get(taskRef) === turn);
  return kept?.length === task.dependencies?.length ? task : { ...task, dependencies: kept };
}

/** Places it in the lane below the flow, after the tasks already there. */
function below(tasks: readonly DraftTask[], name: string): DraftTask[] {
  const turns = turnsOf(tasks);
  const at = (isMeant: (task: DraftTask) => boolean) => tasks.filter(isMeant).flatMap((task) => positionOf(task) ?? []);
  const flow = at((task) => turns.get(task.name) === "flow");
  const lane = at((task) => task.name !== name && turns.get(task.name) !== "flow");
  const y = Math.max(0, ...flow.map((point) => point.y)) + 2 * (nodeSize.height + nodeGap.y);
  const x = lane.length === 0 ? Math.min(...flow.map((point) => point.x), 0) : Math.max(...lane.map((point) => point.x)) + laneStep;
  return tasks.map((task) => (task.name === name ? placed(task, { x, y: Math.max(y, ...lane.map((point) => point.y)) }) : task));
}

const laneStep = nodeSize.width + nodeGap.x;
