import type { AbstractParam, RunParam } from "@millrace/contract/common.ts";
import type { WorkflowInput } from "@millrace/contract/workflow/workflow.ts";
import { isReadMark, isSecretParam } from "../parameter/secret-params.ts";
import type { DocumentTask, WorkflowDocument } from "../workflow/workflow-document.ts";

/**
 * A task is known by its name, so one that was renamed looks like one that went and another that came. Designers rename tasks all
 * the time, and none of them has the secrets, which are read empty: here the new task finds the one that it was, to keep them.
 *
 * A canvas says it by the ID of the node. Otherwise a task that came takes over only what it asks for (the mark of a read,
 * `hiddenValue`, came back with its empty value), and only from the one task of the same definition that went and had such a secret,
 * if it is the only one that asks. Anything less would hand a secret to a task that nobody meant.
 */
export interface NewTasks {
  /** Params that came back as they were read, hidden and empty, by the names of their tasks. */
  asking: ReadonlyMap<string, readonly string[]>;
  formerNames?: FormerNames | undefined;
}

/** Which tasks have another name than before, as far as a canvas tells: the former name by the present one, each of them once. */
export type FormerNames = (stored: readonly string[]) => ReadonlyMap<string, string>;

export function newTasksOf({ tasks }: WorkflowInput, formerNames?: FormerNames): NewTasks {
  const asked = (params: readonly RunParam[]) => params.filter(isReadMark).map((param) => param.name);
  return { asking: new Map((tasks ?? []).map(({ name, params }) => [name, asked(params ?? [])])), formerNames };
}

/** The sealed param that a task keeps for a name, from the task of its name or from the one that it was. */
export type FindKept = (task: DocumentTask, param: string) => RunParam | undefined;

/** @param stored the tasks before, sealed */
export function createKeptFinder(stored: readonly DocumentTask[], tasks: readonly DocumentTask[], newTasks: NewTasks): FindKept {
  const before = new Map(stored.map((task) => [task.name, task]));
  const names = new Set(tasks.map((task) => task.name));
  const drawn = drawnBefore(before, tasks, newTasks);
  const taken = new Set(drawn.values());
  const self = (task: DocumentTask) => drawn.get(task.name) ?? unlessTaken(before.get(task.name), taken);
  const rivals = groupBy(
    tasks.filter((task) => !self(task)),
    (task) => newTasks.asking.get(task.name) ?? [],
  );
  const candidates = groupBy(
    stored.filter((task) => !names.has(task.name) && !taken.has(task)),
    (task) => task.params.filter(isHidden).map(({ name }) => name),
  );
  return (task, param) => {
    const known = self(task);
    if (known) return sealedParam(known, param);
    const key = placeKey(task, param);
    const [rival, ...otherRivals] = rivals.get(key) ?? [];
    const [candidate, ...otherCandidates] = candidates.get(key) ?? [];
    if (rival !== task || candidate === undefined || otherRivals.length + otherCandidates.length > 0) return undefined;
    return sealedParam(candidate, param);
  };
}

function unlessTaken(task: DocumentTask | undefined, taken: ReadonlySet<DocumentTask>): DocumentTask | undefined {
  return task && taken.has(task) ? undefined : task;
}

/** The tasks that have another name than before, by their present one. One that now has another definition is another task. */
function drawnBefore(
  before: ReadonlyMap<string, DocumentTask>,
  tasks: readonly DocumentTask[],
  { formerNames }: NewTasks,
): Map<string, DocumentTask> {
  const names = formerNames?.([...before.keys()]);
  const drawn = new Map<string, DocumentTask>();
  for (const task of names ? tasks : []) {
    const former = before.get(names?.get(task.name) ?? "");
    if (former && former.taskRef === task.taskRef) drawn.set(task.name, former);
  }
  return drawn;
}

/** Tasks by their definition and each of those params. */
function groupBy(tasks: readonly DocumentTask[], paramsOf: (task: DocumentTask) => readonly string[]): Map<string, DocumentTask[]> {
  const groups = new Map<string, DocumentTask[]>();
  for (const task of tasks) {
    for (const param of paramsOf(task)) {
      const key = placeKey(task, param);
      const group = groups.get(key);
      if (group) group.push(task);
      else groups.set(key, [task]);
    }
  }
  return groups;
}

function placeKey(task: DocumentTask, param: string): string {
  return JSON.stringify([task.taskRef, param]);
}

function sealedParam(task: DocumentTask, name: string): RunParam | undefined {
  return task.params.find((param) => param.name === name && isHidden(param));
}

function isHidden(param: RunParam): boolean {
  return param.hiddenValue === true;
}

/**
 * The secrets before as a list of declared parameters takes them over: each by its name, and under its new name that of a parameter
 * that went, if it is the only secret that did, and one parameter came that asks for it.
 */
export function keptParams(stored: readonly AbstractParam[], params: readonly AbstractParam[]): readonly AbstractParam[] {
  const before = new Set(stored.map(({ name }) => name));
  const names = new Set(params.map(({ name }) => name));
  const [gone, ...otherGone] = stored.filter((param) => isSecretParam(param) && !names.has(param.name) && (param.value ?? param.default));
  const [came, ...otherCame] = params.filter((param) => isSecretParam(param) && !before.has(param.name) && isReadMark(param));
  if (gone === undefined || came === undefined || otherGone.length + otherCame.length > 0) return stored;
  return [...stored, { ...gone, name: came.name }];
}

/**
 * Where a write says that a secret is there (the mark of a read came back), and there is none: indices in what was written.
 * @param stored the document that was made of it, sealed
 */
export function missingSecrets({ tasks }: WorkflowInput, stored: WorkflowDocument): { task: number; param: number }[] {
  const made = new Map(stored.tasks.map((task) => [task.name, task]));
  return (tasks ?? []).flatMap(({ name, params }, task) =>
    (params ?? []).flatMap((param, index) => {
      const self = made.get(name);
      return isReadMark(param) && !(self && sealedParam(self, param.name)) ? [{ task, param: index }] : [];
    }),
  );
}
