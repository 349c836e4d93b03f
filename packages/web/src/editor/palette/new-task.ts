import type { TaskDefinition } from "../../api/queries/task-catalog.ts";
import type { Point } from "../../graph/layout.ts";
import { endsOf } from "../canvas/flow-elements.ts";
import { type DraftTask, isMarker, markerOf } from "../draft/draft.ts";
import type { Spot } from "../draft/graph-edits.ts";

/** A new use of that task, without a link. */
export function taskOf({ name, type, version }: TaskDefinition): DraftTask {
  return {
    name: name ?? "task",
    taskRef: name ?? "",
    type: (type ?? "template") as NonNullable<DraftTask["type"]>,
    taskVersion: version ?? 1,
    params: [],
    dependencies: [],
  };
}

/** Where a new task goes when nobody says where. */
export function spotFor(tasks: readonly DraftTask[], selected: ReadonlySet<string>, middle: () => Point): Spot {
  const [only] = selected.size === 1 ? selected : [];
  const ends = only === undefined ? undefined : endsOf(only);
  if (ends) return { after: ends.from, before: ends.to };
  const chosen = tasks.find(({ name }) => name === only);
  if (chosen && markerOf(chosen) !== "end") return { after: chosen.name };
  const start = tasks.find((task) => markerOf(task) === "start");
  return start && tasks.every(isMarker) ? { after: start.name } : { at: middle() };
}
