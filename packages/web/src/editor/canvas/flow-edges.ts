import type { FarEdge } from "../../graph/far-edges.tsx";
import { meets, span } from "../../graph/near-view.ts";
import { t } from "../../texts/designer.ts";
import { type Dependency, positionOf } from "../draft/draft.ts";
import { conditionWord, edgeId, type FlowEdge, type FlowInput, type Keep, origin, typeOf } from "./flow-elements.ts";
import { nodeSize } from "./node-size.ts";

/** A dependency, between the places of its two tasks. */
export interface Link extends FarEdge {
  id: string;
  source: string;
  target: string;
  dependency: Dependency;
}

/** Of two between the same tasks the last one counts. */
export function linksOf({ draft, dragged }: FlowInput): Link[] {
  const boxes = new Map(draft.tasks.map((task) => [task.name, { ...(dragged.get(task.name) ?? positionOf(task) ?? origin), ...nodeSize }]));
  const links = new Map<string, Link>();
  for (const { name, dependencies } of draft.tasks) {
    const to = boxes.get(name);
    for (const dependency of dependencies ?? []) {
      const source = dependency.taskRef;
      const from = boxes.get(source);
      if (from && to) links.set(edgeId(source, name), { id: edgeId(source, name), source, target: name, dependency, from, to });
    }
  }
  return [...links.values()];
}

/** Near enough to what is seen, or chosen. */
export function isDrawn({ near, isFar, selected }: FlowInput): (link: Link) => boolean {
  return ({ id, from, to }) => selected.has(id) || (!isFar && (near === undefined || meets(near, span(from, to))));
}

export function edgesOf(links: readonly Link[], { draft, catalog, selected }: FlowInput, keep: Keep): FlowEdge[] {
  const decisions = new Set(draft.tasks.filter((task) => typeOf(task, catalog) === "decision").map(({ name }) => name));
  return links.map(({ id, source, target, dependency }) => {
    const isFromDecision = decisions.has(source);
    const isSelected = selected.has(id);
    return keep(`edge ${id}`, [dependency, isFromDecision, isSelected], () => ({
      id,
      type: "condition" as const,
      source,
      target,
      data: { dependency, isFromDecision },
      selected: isSelected,
      ariaLabel: t("flowEdges.fromTo", { source, target, conditionWord: conditionWord(dependency, isFromDecision) }),
    }));
  });
}
