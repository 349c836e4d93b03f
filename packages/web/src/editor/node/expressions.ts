import type { DraftTask } from "../draft/draft.ts";
import { hasReference } from "../form/node-params.ts";

/** An expression of a task, identified by the parameter whose value it is, the place in that value, or the setting. */
export interface NodeExpression {
  param: string;
  text: string;
  isParam: boolean;
}

/** The word under which the list of a forEach is asked for, and the value that the condition of a loop checks. */
export const itemsExpression = "forEach.items";
export const loopExpression = "loop.value";

/** All texts of a task that contain references. */
export function expressionsOf(task: DraftTask): NodeExpression[] {
  const params = (task.params ?? []).flatMap(({ name, value }) =>
    textsIn(value, name).map(([place, text]) => ({ param: place, text, isParam: place === name })),
  );
  const settings = [
    { param: itemsExpression, text: task.forEach?.items },
    { param: loopExpression, text: (task.loop?.while ?? task.loop?.until)?.value },
  ];
  return [
    ...params,
    ...settings.flatMap(({ param, text }) => (typeof text === "string" && hasReference(text) ? [{ param, text, isParam: false }] : [])),
  ];
}

/** Includes texts inside lists, each with its place, e.g. `links/0/url`. */
function textsIn(value: unknown, place: string): [place: string, text: string][] {
  if (typeof value === "string") return hasReference(value) ? [[place, value]] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => textsIn(inner, `${place}/${key}`));
}

/** The start and end of a part of a text. */
export interface Part {
  from: number;
  to: number;
}

/** Each `$(…)` in a text, with its content. */
export function referencesIn(text: string): (Part & { inside: string })[] {
  return [...text.matchAll(/\$\(([^()\n]*)\)/g)].map((match) => ({
    from: match.index,
    to: match.index + match[0].length,
    inside: (match[1] ?? "").trim(),
  }));
}

/** What can be checked in a reference without a request: the names of tasks and parameters. */
export interface KnownNames {
  tasks: ReadonlySet<string>;
  params: ReadonlySet<string>;
}

const name = /^\.([^.[\]()'"]+)|^\[(?:'([^']*)'|"([^"]*)")\]/;

/** Whether the reference is certainly invalid. */
export function isUnknown(inside: string, { tasks, params }: KnownNames): boolean {
  const [, word = "", rest = ""] = /^(tasks?|workflow\.params|params)([.[].*)$/.exec(inside) ?? [];
  const found = name.exec(rest);
  if (word === "" || !found) return false;
  const named = (found[1] ?? found[2] ?? found[3] ?? "").trim();
  return word.startsWith("task") ? !tasks.has(named) : !params.has(named);
}

/** The invalid references of a text, both those found here and those the service refused. */
export function unknownParts(text: string, known: KnownNames | undefined, refused: readonly { reference: string }[] = []): Part[] {
  const told = new Set(refused.map(({ reference }) => reference));
  return referencesIn(text).filter(
    ({ from, to, inside }) => told.has(text.slice(from, to)) || (known !== undefined && isUnknown(inside, known)),
  );
}

const unknowns = new WeakMap<DraftTask, string[]>();

/** The references of a task, cached while the task object is the same. */
function allInside(task: DraftTask): string[] {
  const before = unknowns.get(task);
  if (before) return before;
  const found = expressionsOf(task).flatMap(({ text }) => referencesIn(text).map(({ inside }) => inside));
  unknowns.set(task, found);
  return found;
}

/** The first invalid reference of the task. */
export function firstUnknown(task: DraftTask, known: KnownNames): string | undefined {
  const own = (task.params ?? []).map((param) => param.name);
  return allInside(task).find((inside) => isUnknown(inside, known) && isUnknown(inside, { ...known, params: new Set(own) }));
}
