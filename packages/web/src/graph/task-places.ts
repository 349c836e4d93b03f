import { labelRoom } from "./label-place.ts";
import { layoutGraph, type Point } from "./layout.ts";
import { nodeSize, sizeOf } from "./node-size.ts";

/** What is read of a task to know where it stands. */
export interface PlacedTask {
  name: string;
  type?: string | null | undefined;
  annotations?: Record<string, unknown> | null | undefined;
  dependencies?: readonly { taskRef: string; executionCondition?: string | null; decisionCondition?: string | null }[] | null | undefined;
}

export const positionKey = "millrace.dev/position";
export const olderPositionKey = "boomerang.io/position";

/** Where its author has put the task. */
export function positionOf({ annotations }: Pick<PlacedTask, "annotations">): Point | undefined {
  for (const key of [positionKey, olderPositionKey]) {
    const { x, y } = (annotations?.[key] ?? {}) as Partial<Point>;
    if (Number.isFinite(x) && Number.isFinite(y)) return { x: x as number, y: y as number };
  }
  return undefined;
}

/**
 * Where each task stands, the same in every drawing of the graph: where its author has put it. Tasks without a place stand below
 * the others, or all of them in ranks when none has one.
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

/** Where each task would stand if nobody had placed any. Edges with words get room for them. */
export function layoutOf(tasks: readonly PlacedTask[]): Map<string, Point> {
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
