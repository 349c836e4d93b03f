import type { DraftTask } from "../draft/draft.ts";

/**
 * The tasks that match a search: each word must occur in the name, in the name of the task definition, or in a value. Matches in the name
 * come first.
 */
export function findNodes(tasks: readonly DraftTask[], search: string): string[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const holds = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  const named = tasks.filter(({ name }) => holds(name));
  const others = tasks.filter((task) => !named.includes(task) && holds(textOf(task)));
  return [...named, ...others].map(({ name }) => name);
}

function textOf({ name, taskRef, params }: DraftTask): string {
  const values = (params ?? []).map(({ name: param, value }) => `${param} ${typeof value === "string" ? value : JSON.stringify(value)}`);
  return [name, taskRef, ...values].join("\n");
}
