import type { components } from "@millrace/client/schema.generated.ts";
import { actionFieldNames, opensAction } from "@millrace/contract/action/action-fields.ts";
import type { TaskDefinition } from "../../api/queries/task/task-catalog.ts";
import type { Draft, DraftTask } from "../draft/draft.ts";
import { upstreamOf } from "../draft/graph-edits.ts";
import { type Offer, stepTo } from "./references.ts";

export type NodeParam = components["schemas"]["RunParam"];

/** Sets a parameter. Undefined or an empty text removes it, so that the task's default applies; a stored secret is kept instead. */
export function setParam(task: DraftTask, name: string, value: unknown): DraftTask {
  const params = task.params ?? [];
  const present = params.find((param) => param.name === name);
  const isEmpty = value === undefined || value === null || value === "";
  if (isEmpty && !present?.hiddenValue) return { ...task, params: params.filter((param) => param.name !== name) };
  const next = { ...present, name, value: isEmpty ? "" : value };
  return { ...task, params: present ? params.map((param) => (param === present ? next : param)) : [...params, next] };
}

export function hasReference(value: unknown): boolean {
  return typeof value === "string" && value.includes("$(");
}

/** The value of a JSON editor: the parsed value if the text is valid and contains no reference, otherwise the text. */
export function valueOfJson(text: string): unknown {
  if (text.includes("$(")) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * The references possible at one task, most common first: parameters, then results of the tasks that finish before this one starts, then
 * the values that the system sets.
 * @param saved from the endpoint available-parameters, for the saved workflow
 */
export function availableReferences(
  draft: Draft,
  task: DraftTask,
  saved: readonly string[],
  catalog: ReadonlyMap<string, TaskDefinition> | undefined,
): string[] {
  const upstream = upstreamOf(draft, task.name);
  const results = draft.tasks
    .filter(({ name }) => upstream.has(name))
    .flatMap((each) => resultsOf(each, catalog).map((result) => `tasks${stepTo(each.name)}.results${stepTo(result)}`));
  const own = draft.params.map(({ name }) => `params${stepTo(name)}`);
  const item = task.forEach ? ["params.item", "params.item-index"] : [];
  const ofRound = resultsOf(task, catalog).map((result) => `loop.previous.results${stepTo(result)}`);
  const round = task.loop ? ["loop.index", ...ofRound, "loop.previous.status"] : [];
  const others = saved.filter((each) => !/^tasks?[.[]/.test(each));
  const isGiven = (name: string) => /^(?:team|global|workflow)\.params[.[]/.test(name);
  return [...new Set([...item, ...round, ...own, ...others.filter(isGiven), ...results, ...others])];
}

/** The same with the last values, as soon as the service has returned them. */
export function offersOf(local: readonly string[], told: readonly { reference: string; lastValue?: string | undefined }[]): Offer[] {
  const names = told.map((each) => ({ name: each.reference.replace(/^\$\((.*)\)$/s, "$1"), last: each.lastValue }));
  const known = new Map(names.map((each) => [each.name, each]));
  const system = names.filter(({ name }) => !local.includes(name));
  return [...local.map((name) => known.get(name) ?? { name }), ...system];
}

/** The fields that people fill in for an approval or a manual task are its results. */
export function fieldsOf(task: DraftTask): string[] {
  return opensAction(task.type) ? (actionFieldNames((task.params ?? []) as NodeParam[]) ?? []) : [];
}

/** The results that the definition declares, the task's own, and its fields. */
function resultsOf(task: DraftTask, catalog: ReadonlyMap<string, TaskDefinition> | undefined): string[] {
  const declared = catalog?.get(task.taskRef ?? "")?.spec?.results ?? [];
  return [...new Set([...[...declared, ...(task.results ?? [])].map(({ name }) => name), ...fieldsOf(task)])];
}
