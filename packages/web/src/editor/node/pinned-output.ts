import type { TaskPin } from "../../api/queries/workflow/trials.ts";

/** The results of an output as one JSON object, by name. */
export function outputText({ results }: Pick<TaskPin, "results">): string {
  return JSON.stringify(Object.fromEntries((results ?? []).map(({ name, value }) => [name, value])), null, 2);
}

/** The results in a text; undefined if it isn't a JSON object. */
export function resultsFrom(text: string): NonNullable<TaskPin["results"]> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
    return Object.entries(value).map(([name, member]) => ({ name, value: member }));
  } catch {
    return undefined;
  }
}
