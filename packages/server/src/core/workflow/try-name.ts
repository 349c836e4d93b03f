/**
 * A task that is tried runs in a workflow of its own, made for that one run. Nobody else can make one of such a name (names that people
 * give are slugs), so what bears it may be left out of lists and cleared away.
 */
export const tryPrefix = "try~";

/** Of a workflow that is tried: its runs are in no list and in no statistics, either. The indexes of the database know these words, too. */
export const trialPrefix = `${tryPrefix}workflow~`;

/** Of a task that is tried: nothing of it counts, either. */
export const taskTrialPrefix = `${trialPrefix}task~`;

/** A trial that waits for something that does not come ends, and can be cleared away. */
export const maxTrialMinutes = 24 * 60;

/**
 * Of a workflow that holds a nested one (core/workflow/nested-workflow.ts): it is left out wherever trials are. The ID of the workflow that it
 * belongs to comes next.
 */
export const nestedPrefix = `${trialPrefix}nested~`;

export function isNestedName(name: string): boolean {
  return name.startsWith(nestedPrefix);
}

/** Such a workflow runs once: it can't be scheduled or put away, although who knows its ID can read it. */
export function isTryName(name: string): boolean {
  return name.startsWith(tryPrefix);
}
