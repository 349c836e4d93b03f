import { labelRoom } from "./label-place.ts";
import { layoutGraph, type Point } from "./layout.ts";
import { nodeGap, nodeSize, sizeOf } from "./node-size.ts";
import { type TurnTask, turnsOf, undoneBy } from "./task-turns.ts";

/** The members of a task that determine its position. */
export interface PlacedTask extends TurnTask {
  type?: string | null | undefined;
  annotations?: Record<string, unknown> | null | undefined;
  dependencies?: readonly { taskRef: string; executionCondition?: string | null; decisionCondition?: string | null }[] | null | undefined;
}

export const positionKey = "millrace.dev/position";
export const olderPositionKey = "boomerang.io/position";

/** The position that the author chose for the task. */
export function positionOf({ annotations }: Pick<PlacedTask, "annotations">): Point | undefined {
  for (const key of [positionKey, olderPositionKey]) {
    const { x, y } = (annotations?.[key] ?? {}) as Partial<Point>;
    if (Number.isFinite(x) && Number.isFinite(y)) return { x: x as number, y: y as number };
  }
  return undefined;
}

/**
 * The position of each task, the same in every drawing: where the author put it. Tasks without a position are arranged below the others; if
 * no task has one, all are arranged in ranks.
 */
export function placesOf(tasks: readonly PlacedTask[], layout: typeof layoutOf = layoutOf): Map<string, Point> {
  const known = tasks.map(positionOf);
  if (known.every((position) => position !== undefined)) return new Map(tasks.map(({ name }, index) => [name, known[index] as Point]));
  const free = layout(tasks);
  const ys = known.flatMap((position) => (position ? [position.y] : []));
  const below = ys.length === 0 ? 0 : Math.max(...ys) + 2 * nodeSize.height;
  return new Map(
    tasks.map(({ name }, index) => {
      const { x, y } = free.get(name) ?? { x: 0, y: 0 };
      return [name, known[index] ?? { x, y: y + below }];
    }),
  );
}

/** The automatic layout, for when no task has a position: handlers and compensations are below the flow, each kind in its own lane. */
export function layoutOf(tasks: readonly PlacedTask[]): Map<string, Point> {
  const turns = turnsOf(tasks);
  const places = new Map<string, Point>();
  for (const turn of ["flow", "compensation", "onFailure", "finally"] as const) {
    const lane = tasks.filter(({ name }) => turns.get(name) === turn);
    const top = places.size === 0 ? 0 : Math.max(...[...places.values()].map(({ y }) => y)) + laneHeight;
    const own = turn === "compensation" ? belowUndone(tasks, places) : flowOf(lane);
    for (const [name, { x, y }] of own) places.set(name, { x, y: y + top });
  }
  return places;
}

const laneHeight = 2 * nodeSize.height;

/** A compensation is placed below the task it undoes, or as close as there is space. */
function belowUndone(tasks: readonly PlacedTask[], places: ReadonlyMap<string, Point>): Map<string, Point> {
  const wanted = [...undoneBy(tasks)].map(([name, undoes]) => ({ name, x: places.get(undoes)?.x ?? 0 }));
  let free = Number.NEGATIVE_INFINITY;
  const found = new Map<string, Point>();
  for (const { name, x } of wanted.toSorted((one, other) => one.x - other.x)) {
    found.set(name, { x: Math.max(x, free), y: 0 });
    free = Math.max(x, free) + nodeSize.width + nodeGap.x;
  }
  return found;
}

/** Edges with labels get space for them. */
function flowOf(tasks: readonly PlacedTask[]): Map<string, Point> {
  if (tasks.length === 0) return new Map();
  const decisions = new Set(tasks.filter(({ type }) => type === "decision").map(({ name }) => name));
  return layoutGraph(
    tasks.map((task) => ({ id: task.name, ...sizeOf(task) })),
    tasks.flatMap(({ name, dependencies }) =>
      (dependencies ?? []).map((dependency) => ({
        from: dependency.taskRef,
        to: name,
        label: labelRoom(dependency, decisions.has(dependency.taskRef)),
      })),
    ),
  );
}
