import { escapePointer, unescapePointer } from "@millrace/contract/json-pointer.ts";
import type { WorkflowProblem } from "../../api/queries/workflow/workflow-draft.ts";
import { type Draft, type DraftTask, placeMissing } from "../draft/draft.ts";

/**
 * A nested workflow as a draft of its own: the content of a task's member `workflow`. It is identified by the names of the tasks that
 * contain it, starting at the outer workflow.
 */

/** The workflow nested in the task; undefined: none. */
export function nestedIn(task: DraftTask): Pick<Draft, "params" | "tasks"> | undefined {
  const { workflow } = task as { workflow?: Partial<Draft> | null };
  if (typeof workflow !== "object" || workflow === null) return undefined;
  return { ...workflow, params: workflow.params ?? [], tasks: workflow.tasks ?? [] };
}

/** The number of its tasks, without start and end. */
export function countNested(task: DraftTask): number | undefined {
  return nestedIn(task)?.tasks.filter(({ name, type }) => !["start", "end"].includes(type ?? name)).length;
}

/** @returns undefined if there is none at that path */
export function nestedDraft(draft: Draft, path: readonly string[]): Draft | undefined {
  let found: Draft | undefined = draft;
  for (const name of path) {
    const task: DraftTask | undefined = found?.tasks.find((each) => each.name === name);
    const nested: Pick<Draft, "params" | "tasks"> | undefined = task && nestedIn(task);
    found = nested && { ...nested, name: draft.name };
  }
  return found && path.length > 0 ? placeMissing(found) : found;
}

/** The outer draft with the nested one replaced at that path. */
export function withNested(draft: Draft, path: readonly string[], inner: Draft): Draft {
  const [first, ...rest] = path;
  if (first === undefined) return inner;
  const tasks = draft.tasks.map((task) => {
    const nested = task.name === first ? nestedIn(task) : undefined;
    if (nested === undefined) return task;
    const { name: _outer, ...workflow } = withNested({ ...nested, name: draft.name }, rest, inner);
    return { ...task, workflow };
  });
  return { ...draft, tasks: tasks as DraftTask[] };
}

/** The outer draft's problems that concern the nested workflow, with paths relative to it. */
export function problemsIn(draft: Draft, path: readonly string[], problems: readonly WorkflowProblem[]): WorkflowProblem[] {
  const prefix = pointerOf(draft, path);
  const tasks = nestedDraft(draft, path)?.tasks ?? [];
  return problems.flatMap((problem) => {
    if (!problem.path?.startsWith(`${prefix}/`)) return [];
    const { node: _outer, ...rest } = problem;
    const at = problem.path.slice(prefix.length);
    const index = /^\/tasks\/(\d+)/.exec(at)?.[1];
    const node = index === undefined ? undefined : tasks[Number(index)]?.name;
    return [{ ...rest, path: at, ...(node !== undefined && { node }) }];
  });
}

function pointerOf(draft: Draft, path: readonly string[]): string {
  let at: Draft | undefined = draft;
  let pointer = "";
  for (const [depth, name] of path.entries()) {
    pointer += `/tasks/${at?.tasks.findIndex((task) => task.name === name) ?? -1}/workflow`;
    at = nestedDraft(draft, path.slice(0, depth + 1));
  }
  return pointer;
}

/** The path in a URL: the names separated by /. */
export function writePath(path: readonly string[]): string {
  return path.map(escapePointer).join("/");
}

export function readPath(text: string): string[] {
  return text === "" ? [] : text.split("/").map(unescapePointer);
}

/** A task with an empty nested workflow. */
export const emptyNested = {
  params: [],
  tasks: [
    { name: "start", type: "start" },
    { name: "end", type: "end" },
  ],
};
