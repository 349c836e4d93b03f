import type { TaskDefinition } from "../../api/queries/task/task-catalog.ts";
import type { Point } from "../../graph/layout.ts";
import { markerOf } from "../../graph/node-size.ts";
import { t } from "../../texts/workflow/designer.ts";
import { endsOf } from "../canvas/flow-elements.ts";
import { type DraftTask, isMarker } from "../draft/draft.ts";
import type { Spot } from "../draft/graph-edits.ts";
import { emptyNested } from "../nested/nested-draft.ts";

/** The data type of a drag from the palette to the canvas: the name of a task. */
export const draggedTask = "application/x-millrace-task";

export interface TaskGroup {
  category: string;
  tasks: TaskDefinition[];
}

/** The active tasks that match a search, by category: each word must occur in the name, title, category or description. */
export function groupTasks(tasks: readonly TaskDefinition[], search: string): TaskGroup[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const groups = new Map<string, TaskDefinition[]>();
  for (const task of [...tasks].sort((one, other) => rank(one, words) - rank(other, words) || titleOf(one).localeCompare(titleOf(other)))) {
    const text = [task.name, task.displayName, task.category, task.description].join(" ").toLowerCase();
    if (task.status !== "active" || !words.every((word) => text.includes(word))) continue;
    const category = task.category || (task.isOfTeam ? t("paletteGroups.team") : t("paletteGroups.other"));
    groups.set(category, [...(groups.get(category) ?? []), task]);
  }
  const sorted = [...groups].map(([category, found]) => ({ category, tasks: found }));
  return words.length > 0 ? sorted : sorted.sort((one, other) => one.category.localeCompare(other.category));
}

/** Matches in the title come before matches in the description. */
function rank(task: TaskDefinition, words: readonly string[]): number {
  const title = `${task.name} ${titleOf(task)}`.toLowerCase();
  return words.every((word) => title.includes(word)) ? 0 : 1;
}

function titleOf({ displayName, name }: TaskDefinition): string {
  return displayName || name || "";
}

/** Can't collide with the name of a task. */
const nestedEntry = "nested workflow~";

/** Everything that can be added: the tasks and, next to the task that runs a workflow, a nested workflow. */
export function paletteTasks(catalog: ReadonlyMap<string, TaskDefinition> | undefined): TaskDefinition[] {
  const runs = catalog?.get("run-workflow");
  const nested = runs && { ...runs, name: nestedEntry, displayName: t("nested.title"), description: t("nested.paletteHelp") };
  return [...(catalog?.values() ?? []), ...(nested ? [nested] : [])];
}

/** A new use of that task, without links. */
export function taskOf(definition: TaskDefinition): DraftTask {
  if (definition.name !== nestedEntry) return plainUse(definition);
  return { ...plainUse({ ...definition, name: "run-workflow" }), name: t("nested.newName"), workflow: emptyNested } as DraftTask;
}

function plainUse({ name, type, version }: TaskDefinition): DraftTask {
  return {
    name: name ?? "task",
    taskRef: name ?? "",
    type: (type ?? "template") as NonNullable<DraftTask["type"]>,
    taskVersion: version ?? 1,
    params: [],
    dependencies: [],
  };
}

/** Where a new task goes by default. */
export function spotFor(tasks: readonly DraftTask[], selected: ReadonlySet<string>, middle: () => Point): Spot {
  const [only] = selected.size === 1 ? selected : [];
  const ends = only === undefined ? undefined : endsOf(only);
  if (ends) return { after: ends.from, before: ends.to };
  const chosen = tasks.find(({ name }) => name === only);
  if (chosen && markerOf(chosen) !== "end") return { after: chosen.name };
  const start = tasks.find((task) => markerOf(task) === "start");
  return start && tasks.every(isMarker) ? { after: start.name } : { at: middle() };
}
