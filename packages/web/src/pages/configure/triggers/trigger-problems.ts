import type { WorkflowProblem } from "../../../api/queries/workflow-draft.ts";

/** Something that would be refused. */
export interface TriggerProblem {
  /** JSON pointer: `/conditions/0/value`, `/filters/1/any/0/sql`. */
  path: string;
  message: string;
}

/** Those of one kind of trigger, by their places in it. */
export function triggerProblems(problems: readonly WorkflowProblem[], kind: string): TriggerProblem[] {
  return problemsIn(
    problems.map(({ path = "", message }) => ({ path: path.startsWith("/") ? path : `/${path}`, message })),
    `/triggers/${kind}`,
  );
}

/** Those at a place or below it, by their paths from there. What begins with the number of a place is said of "it". */
export function problemsIn(problems: readonly TriggerProblem[], place: string): TriggerProblem[] {
  return problems
    .filter(({ path }) => path === place || path.startsWith(`${place}/`))
    .map(({ path, message }) => ({ path: path.slice(place.length), message: message.replace(/^\d+ /, "It ") }));
}
