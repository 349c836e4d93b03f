import { olderPositionKey, positionKey } from "../../graph/task-places.ts";
import { t } from "../../texts/workflow/designer.ts";
import { type Draft, sameJson } from "./draft.ts";

/**
 * Three-way merge of drafts of a workflow: what each side has changed since their common base. Tasks, parameters, results, links and notes
 * are identified by their names, so that changes to different tasks, or to different members of one task, never conflict.
 */
export interface MergedDraft {
  /** The changes of both sides; in a conflict, the value of `mine`. */
  draft: Draft;
  /** What both sides changed in different ways, in words: `task build › timeout`. */
  conflicts: string[];
}

/** @param base the common base of both sides @param theirs what was saved in the meantime */
export function mergeDrafts(base: Draft, mine: Draft, theirs: Draft): MergedDraft {
  const conflicts: string[] = [];
  const draft = mergeValues({ base, mine, theirs }, [], conflicts) as Draft;
  return { draft, conflicts };
}

interface Sides<Value = unknown> {
  base: Value;
  mine: Value;
  theirs: Value;
}

/** Members that are lists of named elements: the member that identifies an element, and the word for one. */
const named: Readonly<Record<string, { key: string; word: string }>> = {
  tasks: { key: "name", word: t("mergeDrafts.task") },
  params: { key: "name", word: t("mergeDrafts.parameter") },
  results: { key: "name", word: t("mergeDrafts.result") },
  workspaces: { key: "name", word: t("mergeDrafts.workspace") },
  dependencies: { key: "taskRef", word: t("mergeDrafts.link") },
  canvasNotes: { key: "id", word: t("mergeDrafts.note") },
};

/** Positions on the canvas: conflicts about them aren't worth a question. */
const silent = new Set(["position", positionKey, olderPositionKey]);

function mergeValues(sides: Sides, path: readonly string[], conflicts: string[]): unknown {
  const { base, mine, theirs } = sides;
  if (sameJson(mine, base)) return theirs;
  if (sameJson(theirs, base) || sameJson(mine, theirs)) return mine;
  if (isObject(mine) && isObject(theirs) && (isObject(base) || base == null)) {
    return mergeMembers({ base: base ?? {}, mine, theirs }, path, conflicts);
  }
  const list = named[path.at(-1) ?? ""];
  if (list) {
    const maps = { base: byKey(base ?? [], list.key), mine: byKey(mine, list.key), theirs: byKey(theirs, list.key) };
    if (maps.base && maps.mine && maps.theirs) {
      const before = path.slice(0, -1);
      return mergeLists(maps as Sides<Map<string, unknown>>, (key) => [...before, `${list.word} ${key}`], conflicts);
    }
  }
  if (!path.some((part) => silent.has(part))) conflicts.push(path.join(" › "));
  return mine;
}

function mergeMembers({ base, mine, theirs }: Sides<Record<string, unknown>>, path: readonly string[], conflicts: string[]) {
  const merged: Record<string, unknown> = {};
  for (const key of new Set([...Object.keys(mine), ...Object.keys(theirs)])) {
    const value = mergeValues({ base: base[key], mine: mine[key], theirs: theirs[key] }, [...path, key], conflicts);
    if (value !== undefined) merged[key] = value;
  }
  return merged;
}

/** In the order of `mine`. Elements added by `theirs` come after the element they follow there. */
function mergeLists({ base, mine, theirs }: Sides<Map<string, unknown>>, pathOf: (key: string) => string[], conflicts: string[]) {
  const keys = [...mine.keys()];
  let last = -1;
  for (const key of theirs.keys()) {
    const at = keys.indexOf(key);
    if (at >= 0) last = at;
    else keys.splice(++last, 0, key);
  }
  return keys.flatMap((key) => {
    const value = mergeValues({ base: base.get(key), mine: mine.get(key), theirs: theirs.get(key) }, pathOf(key), conflicts);
    return value === undefined ? [] : [value];
  });
}

/** Undefined if it isn't a list of objects that each have a unique key. */
function byKey(list: unknown, key: string): Map<string, unknown> | undefined {
  if (!Array.isArray(list)) return undefined;
  const map = new Map(list.map((item): [unknown, unknown] => [isObject(item) ? item[key] : undefined, item]));
  return map.size === list.length && [...map.keys()].every((name) => typeof name === "string") ? (map as Map<string, unknown>) : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
