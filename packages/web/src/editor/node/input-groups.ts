import type { PreviewReference } from "../../api/queries/workflow/trials.ts";

/** Values that are shown together: parameters, the results of one task, or what the system sets. */
export interface InputGroup {
  kind: PreviewReference["kind"] | "own";
  /** Of results. */
  task?: string | undefined;
  references: PreviewReference[];
}

/** What is meant most often comes first. */
const order: readonly InputGroup["kind"][] = ["parameter", "result", "own", "system"];

/** Parameters, each task's results, the parameters of the task itself, the system. @param search all of its words must be in the name or the value */
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

/** What it is called within its group: without what all of them begin with. */
export function shortName({ reference }: Pick<PreviewReference, "reference">): string {
  const inside = reference.replace(/^\$\((.*)\)$/s, "$1");
  return inside.replace(/^tasks?(?:\.[^.[]+|\[(?:'[^']*'|"[^"]*")\])\.results\.?/, "").replace(/^params\./, "");
}
