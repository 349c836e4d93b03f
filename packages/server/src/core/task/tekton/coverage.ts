import { AppError, type ErrorDetail } from "../../../base/error/app-error.ts";
import { readYamlDocuments, YamlError } from "../../document/yaml-tree.ts";
import { readYamlValue } from "../../document/yaml-values.ts";
import { findTaskFaults } from "./check-task.ts";
import { contentOfDocument } from "./content-of-document.ts";
import { readTaskDocument } from "./read-task-document.ts";
import { type ExecutorKind, executorKinds, findRunDemands, type RunnableTask } from "./runnable.ts";
import { findActionFaults } from "./step-action/check-action.ts";
import { actionOf, type NamedAction, withActions } from "./step-action/step-action.ts";
import type { TaskContent } from "./task-content.ts";

/** Whether one document of kind Task or StepAction can be saved and run here. */
export interface TaskCoverage {
  /** Name of the task, or a placeholder. */
  name: string;
  /** Executors that can run it, given its images and its secrets; undefined: it is refused when it is saved. */
  executors: readonly ExecutorKind[] | undefined;
  /** Why some executors can't: members of the document, without indexes of lists, with a message each. */
  reasons: { member: string; message: string }[];
}

export interface Coverage {
  tasks: TaskCoverage[];
  /** StepActions. Which executors run them depends on the tasks that use them. */
  actions: TaskCoverage[];
  /** Documents of other kinds, by kind. */
  others: Map<string, number>;
}

/** @param texts of files, each with any number of documents */
export function findCoverage(texts: readonly string[]): Coverage {
  const coverage: Coverage = { tasks: [], actions: [], others: new Map() };
  const documents = texts.flatMap((file) => file.split(/^---(?:[ \t].*)?$/m)).map((text) => ({ text, ...headOf(text) }));
  const actions = new Map<string, NamedAction>();
  for (const { text, name } of documents.filter(({ kind }) => kind === "StepAction")) {
    const found = coverageOf(text, name, findActionFaults, (content) => {
      actions.set(name, { ...actionOf(content.spec, name), name, version: 1, isGlobal: false });
      return { executors: executorKinds, reasons: [] };
    });
    coverage.actions.push(found);
  }
  const complete = (content: TaskContent) => ({ ...content, spec: withActions(content.spec, (name) => actions.get(name)) });
  for (const { text, kind, name } of documents) {
    if (kind === "StepAction") continue;
    if (kind === "Task") coverage.tasks.push(coverageOf(text, name, (content) => findTaskFaults(content, "template"), whatRuns, complete));
    else if (kind !== undefined) coverage.others.set(kind, (coverage.others.get(kind) ?? 0) + 1);
  }
  return coverage;
}

/** An unreadable document counts as a task that is refused, and an empty one is ignored. */
function headOf(text: string): { kind: string | undefined; name: string } {
  try {
    const [document] = readYamlDocuments(text);
    if (document === undefined) return { kind: undefined, name: "" };
    const { kind, metadata } = (readYamlValue(document, {}).value ?? {}) as { kind?: unknown; metadata?: { name?: unknown } };
    return { kind: String(kind ?? "without a kind"), name: String(metadata?.name ?? "without a name") };
  } catch (error) {
    if (error instanceof YamlError) return { kind: "Task", name: "unreadable" };
    throw error;
  }
}

function coverageOf(
  text: string,
  name: string,
  find: (content: TaskContent) => ErrorDetail[],
  accept: (content: TaskContent) => Pick<TaskCoverage, "executors" | "reasons">,
  complete = (content: TaskContent): TaskContent => content,
): TaskCoverage {
  try {
    const content = complete(contentOfDocument(readTaskDocument(text).definition));
    const faults = find(content);
    if (faults.length > 0) return { name, executors: undefined, reasons: faults.map(reason) };
    return { name, ...accept(content) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const details = error.details ?? [];
    return {
      name,
      executors: undefined,
      reasons: details.length > 0 ? details.map(reason) : [{ member: "document", message: error.message }],
    };
  }
}

/**
 * Demands for an image are ignored: a setting can provide an image for steps without one, and steps with one can run as processes if the
 * author says so.
 */
function whatRuns(task: RunnableTask): Pick<TaskCoverage, "executors" | "reasons"> {
  const demands = findRunDemands(task).filter(({ isImage }) => !isImage);
  const executors = executorKinds.filter((kind) => demands.every((demand) => demand.executors.includes(kind)));
  return { executors, reasons: demands.map(({ path, what }) => reason({ path, message: `the task ${what}` })) };
}

function reason({ path, message }: { path: string; message: string }): TaskCoverage["reasons"][number] {
  const words = path.split("/").filter((word) => word !== "");
  const member = words.map((word) => (/^\d+$/.test(word) ? "[]" : word)).join(".");
  return { member: member.replaceAll(".[]", "[]") || "document", message };
}

/** As Markdown: the number of documents of each kind, and why some are refused or can't run on some executors. */
export function coverageTable({ tasks, actions, others }: Coverage): string {
  const count = (is: (task: TaskCoverage) => boolean): number => tasks.filter(is).length;
  const rows: [string, number][] = [
    ["Task documents", tasks.length],
    ["accepted", count(({ executors }) => executors !== undefined)],
    ["runnable, given their images and secrets", count(({ executors }) => (executors?.length ?? 0) > 0)],
    ...executorKinds.map((kind): [string, number] => [
      `… by the executor \`${kind}\``,
      count(({ executors }) => executors?.includes(kind) === true),
    ]),
    ["refused", count(({ executors }) => executors === undefined)],
    ...(actions.length > 0 ? actionRows(actions) : []),
    ...[...others].sort().map(([kind, number]): [string, number] => [`documents of kind ${kind}, left out`, number]),
  ];
  return `${table(
    ["", "number"],
    rows.map((row) => row.map(String)),
  )}\n${reasonTable([...tasks, ...actions])}`;
}

function actionRows(actions: readonly TaskCoverage[]): [string, number][] {
  const refused = actions.filter(({ executors }) => executors === undefined).length;
  return [
    ["StepAction documents", actions.length],
    ["StepActions accepted", actions.length - refused],
    ["StepActions refused", refused],
  ];
}

function reasonTable(tasks: readonly TaskCoverage[]): string {
  const byMember = new Map<string, { tasks: Set<TaskCoverage>; message: string }>();
  for (const task of tasks)
    for (const { member, message } of task.reasons) {
      const key = `${task.executors === undefined ? "refused" : "accepted"} \`${member}\``;
      const found = byMember.get(key) ?? { tasks: new Set(), message };
      byMember.set(key, found);
      found.tasks.add(task);
    }
  const found = [...byMember].sort(([a, x], [b, y]) => y.tasks.size - x.tasks.size || (a < b ? -1 : 1));
  const rows = found.map(
    ([
      key,
      {
        tasks: { size },
        message,
      },
    ]) => [key, String(size), message],
  );
  return rows.length === 0 ? "" : `\n${table(["member", "tasks", "for example"], rows)}\n`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replace(/\s+/g, " ").replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
}
