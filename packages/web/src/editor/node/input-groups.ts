import type { PreviewReference } from "../../api/queries/workflow/trials.ts";

/** Values that are shown together: parameters, the results of one task, or values of the system. */
export interface InputGroup {
  kind: PreviewReference["kind"] | "own";
  /** Only for results. */
  task?: string | undefined;
  references: PreviewReference[];
}

/** The most common group comes first. */
const order: readonly InputGroup["kind"][] = ["parameter", "result", "own", "system"];

/**
 * Parameters, the results of each task, the task's own parameters, the system. @param search each of its words must occur in the name or
 * value
 */
export function inputGroups(references: readonly PreviewReference[], search: string): InputGroup[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const groups = new Map<string, InputGroup>();
  for (const each of references) {
    const text = `${each.reference} ${each.lastValue ?? ""}`.toLowerCase();
    if (!words.every((word) => text.includes(word))) continue;
    const kind = each.layer === "task" ? "own" : each.kind;
    const key = `${kind} ${each.task ?? ""}`;
    const group = groups.get(key) ?? { kind, ...(each.task !== undefined && { task: each.task }), references: [] };
    group.references.push(each);
    groups.set(key, group);
  }
  return [...groups.values()].sort((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind));
}

/** The name within its group: without the common prefix. */
export function shortName({ reference }: Pick<PreviewReference, "reference">): string {
  const inside = reference.replace(/^\$\((.*)\)$/s, "$1");
  return inside.replace(/^tasks?(?:\.[^.[]+|\[(?:'[^']*'|"[^"]*")\])\.results\.?/, "").replace(/^params\./, "");
}
