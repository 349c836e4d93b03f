import type { PreviewReference } from "../../api/queries/trials.ts";

/** Values that are shown together: parameters, the results of one task, or what the system sets. */
export interface InputGroup {
  kind: PreviewReference["kind"];
  /** Of results. */
  task?: string | undefined;
  references: PreviewReference[];
}

/** In the order of the references: parameters, each task's results, the system. @param search all of its words must be in the name or the value */
export function inputGroups(references: readonly PreviewReference[], search: string): InputGroup[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const groups = new Map<string, InputGroup>();
  for (const each of references) {
    const text = `${each.reference} ${each.lastValue ?? ""}`.toLowerCase();
    if (!words.every((word) => text.includes(word))) continue;
    const key = `${each.kind} ${each.task ?? ""}`;
    const group = groups.get(key) ?? { kind: each.kind, ...(each.task !== undefined && { task: each.task }), references: [] };
    group.references.push(each);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** What it is called within its group: without what all of them begin with. */
export function shortName({ reference }: Pick<PreviewReference, "reference">): string {
  const inside = reference.replace(/^\$\((.*)\)$/s, "$1");
  return inside.replace(/^tasks?(?:\.[^.[]+|\[(?:'[^']*'|"[^"]*")\])\.results\.?/, "").replace(/^params\./, "");
}
