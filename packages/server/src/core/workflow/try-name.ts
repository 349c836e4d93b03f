/**
 * A task that is tried runs in a workflow of its own, created for that one run. Users can't create one with such a name (their names are
 * slugs), so a workflow with this prefix may be left out of lists and removed later.
 */
export const tryPrefix = "try~";

/**
 * Prefix for a trial of a workflow: its runs appear in no list and in no statistics, either. Indexes of the database use these prefixes,
 * too.
 */
export const trialPrefix = `${tryPrefix}workflow~`;

/** Prefix for a trial of a single task: it does not count anywhere, either. */
export const taskTrialPrefix = `${trialPrefix}task~`;

/** Ends a trial that waits for something that never comes, so that it can be removed. */
export const maxTrialMinutes = 24 * 60;

/**
 * Prefix of the hidden workflow for a nested one (core/workflow/nested-workflow.ts): it is left out wherever trials are. The ID of the
 * workflow that it belongs to follows the prefix.
 */
export const nestedPrefix = `${trialPrefix}nested~`;

export function isNestedName(name: string): boolean {
  return name.startsWith(nestedPrefix);
}

/** Such a workflow runs once. It can't be scheduled or archived, although anyone with its ID can read it. */
export function isTryName(name: string): boolean {
  return name.startsWith(tryPrefix);
}
