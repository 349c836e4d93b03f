import type { Task } from "../../api/queries/tasks.ts";

/** Which tasks of a list are shown, as it stands in the address; empty: any. */
export const anyTask = { q: "", category: "", type: "", status: "" };
export type TaskFilter = typeof anyTask;

export function categoryOf({ category }: Pick<Task, "category">): string {
  return category || "Without category";
}

/** Every word stands in its name or description, in whatever case. */
export function matchesFilter(task: Task, { q, category, type, status }: TaskFilter): boolean {
  const words = `${task.name} ${task.displayName ?? ""} ${task.description ?? ""}`.toLowerCase();
  const isFound = String(q)
    .toLowerCase()
    .split(/\s+/)
    .every((word) => words.includes(word));
  return isFound && (!category || categoryOf(task) === category) && (!type || task.type === type) && (!status || task.status === status);
}
