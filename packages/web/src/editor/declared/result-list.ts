import type { WorkflowResultType } from "@millrace/contract/workflow/workflow.ts";
import type { Workflow } from "../../api/queries/workflow/workflows.ts";
import { t } from "../../texts/results.ts";
import { type DraftTask, isMarker } from "../draft/draft.ts";

/** The declared results of a workflow, and the tasks that set them. */

export type Result = NonNullable<Workflow["results"]>[number];

const words: Record<WorkflowResultType, string> = {
  text: t("resultTypes.text"),
  number: t("resultTypes.number"),
  boolean: t("resultTypes.boolean"),
  array: t("resultTypes.array"),
  json: t("resultTypes.json"),
};

export function resultTypes(): { value: string; label: string }[] {
  return Object.entries(words).map(([value, label]) => ({ value, label }));
}

/** `result`, `result-2` and so on: the first that is free. */
export function freshName(list: readonly Result[]): string {
  const names = new Set(list.map(({ name }) => name));
  for (let count = 1; ; count++) {
    const name = count === 1 ? "result" : `result-${count}`;
    if (!names.has(name)) return name;
  }
}

/** What is wrong with the name of one of them. */
export function resultFault(list: readonly Result[], index: number): string | undefined {
  const name = list[index]?.name ?? "";
  if (name.trim() === "") return t("resultList.nameMissing");
  return list.some((other, place) => place !== index && other.name === name) ? t("resultList.nameTaken") : undefined;
}

/** What keeps the list from being saved. */
export function resultsFault(list: readonly Result[]): string | undefined {
  return list.map((_, index) => resultFault(list, index)).find((fault) => fault !== undefined);
}

/** Tasks by the result that they set, where that is written out. */
export function settersOf(
  tasks: readonly DraftTask[],
  typeOf: (task: DraftTask) => string | undefined,
): ReadonlyMap<string, readonly DraftTask[]> {
  const setters = new Map<string, DraftTask[]>();
  for (const task of tasks) {
    const output = typeOf(task) === "setwfproperty" && task.params?.find(({ name }) => name === "output")?.value;
    if (typeof output === "string" && output !== "" && !output.includes("$(")) setters.set(output, [...(setters.get(output) ?? []), task]);
  }
  return setters;
}

/** What tasks set and the list does not have: once there is a list, such a task can't be saved. */
export function undeclared(list: readonly Result[], setters: ReadonlyMap<string, unknown>): string[] {
  const names = new Set(list.map(({ name }) => name));
  return [...setters.keys()].filter((name) => !names.has(name));
}

/** A task that sets the result, and where it goes: behind what now is last. */
export function newSetter(tasks: readonly DraftTask[], result: string): [task: DraftTask, spot: { after: string }] {
  const end = tasks.find((task) => isMarker(task) && task.name !== "start");
  const last = end?.dependencies?.at(-1)?.taskRef ?? tasks.find((task) => isMarker(task))?.name ?? "start";
  const params = [
    { name: "output", value: result },
    { name: "value", value: "" },
  ];
  return [{ name: `set-${result}`, taskRef: "set-result-parameter", type: "setwfproperty", params } as DraftTask, { after: last }];
}
