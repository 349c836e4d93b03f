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

/** `result`, `result-2` and so on: the first name that is not in use. */
export function freshName(list: readonly Result[]): string {
  const names = new Set(list.map(({ name }) => name));
  for (let count = 1; ; count++) {
    const name = count === 1 ? "result" : `result-${count}`;
    if (!names.has(name)) return name;
  }
}

/** The problem with the name of one result. */
export function resultFault(list: readonly Result[], index: number): string | undefined {
  const name = list[index]?.name ?? "";
  if (name.trim() === "") return t("resultList.nameMissing");
  return list.some((other, place) => place !== index && other.name === name) ? t("resultList.nameTaken") : undefined;
}

/** Why the list can't be saved. */
export function resultsFault(list: readonly Result[]): string | undefined {
  return list.map((_, index) => resultFault(list, index)).find((fault) => fault !== undefined);
}

/** The tasks by the result they set, where its name is written literally. */
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

/** Results that tasks set but the list doesn't declare: once there is a list, such tasks can't be saved. */
export function undeclared(list: readonly Result[], setters: ReadonlyMap<string, unknown>): string[] {
  const names = new Set(list.map(({ name }) => name));
  return [...setters.keys()].filter((name) => !names.has(name));
}

/** A new task that sets the result, and its position: after the last task. */
export function newSetter(tasks: readonly DraftTask[], result: string): [task: DraftTask, spot: { after: string }] {
  const end = tasks.find((task) => isMarker(task) && task.name !== "start");
  const last = end?.dependencies?.at(-1)?.taskRef ?? tasks.find((task) => isMarker(task))?.name ?? "start";
  const params = [
    { name: "output", value: result },
    { name: "value", value: "" },
  ];
  return [{ name: `set-${result}`, taskRef: "set-result-parameter", type: "setwfproperty", params } as DraftTask, { after: last }];
}
