import type { AbstractParam, RunParam } from "@millrace/contract/common.ts";
import type { WorkflowInput } from "@millrace/contract/workflow/workflow.ts";
import { isReadMark, isSecretParam } from "../parameter/secret-params.ts";
import type { DocumentTask, WorkflowDocument } from "../workflow/workflow-document.ts";

/**
 * Tasks are identified by their names, so a renamed task looks like one that was removed and one that was added. Designers often rename
 * tasks, and can't send their secrets, which are empty in responses. This finds the former task of a renamed one, so that its secrets are
 * kept.
 *
 * A canvas identifies renamed tasks by the ID of the node. Otherwise an added task only takes over secrets that it asks for (it sends back
 * the mark of a response, `hiddenValue`, with an empty value). It gets them only from the single removed task that has the same definition
 * and such a secret, and only if no other added task asks for it. A weaker rule could give a secret to a task that was not meant to have
 * it.
 */
export interface NewTasks {
  /** Params that were sent back as in a response, hidden and empty, by the names of their tasks. */
  asking: ReadonlyMap<string, readonly string[]>;
  formerNames?: FormerNames | undefined;
}

/** Which tasks were renamed, as far as a canvas shows: the former name by the present one; each former name occurs once. */
export type FormerNames = (stored: readonly string[]) => ReadonlyMap<string, string>;

export function newTasksOf({ tasks }: WorkflowInput, formerNames?: FormerNames): NewTasks {
  const asked = (params: readonly RunParam[]) => params.filter(isReadMark).map((param) => param.name);
  return { asking: new Map((tasks ?? []).map(({ name, params }) => [name, asked(params ?? [])])), formerNames };
}

/** The sealed param that a task keeps under a name, either from the stored task of the same name or from its former task. */
export type FindKept = (task: DocumentTask, param: string) => RunParam | undefined;

/** @param stored the tasks before the write, sealed */
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

/** The former tasks of renamed ones, by the present name. A task whose definition has changed counts as a new task. */
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

/** Groups tasks by their definition and each of the given params. */
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
 * The stored secrets that a list of declared parameters keeps: each by its name. A renamed secret is also kept under its new name, if
 * exactly one secret was removed and exactly one new parameter asks for it.
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
 * Params that claim to have a stored secret (with the mark of a response), although there is none: indexes into the input.
 * @param stored the document created from the input, sealed
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
