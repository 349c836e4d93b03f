import type { HandlerKind } from "@millrace/contract/workflow/workflow.ts";

/**
 * When a node of a workflow has its turn. Most belong to the flow. The others are its handlers: they stand beside the flow, have no
 * links with it, and begin when it is over. First come compensations, one after the other, then `onFailure`, then `finally`.
 */
export type NodeTurn = "flow" | "compensation" | HandlerKind;

/** In their order. */
const nodeTurns = ["flow", "compensation", "onFailure", "finally"] as const satisfies readonly NodeTurn[];

export interface TurnNode {
  name: string;
  handler?: string | null;
  compensatedBy?: string | null;
}

/** By node. What says something impossible is a problem of its own (check-handlers.ts). */
export function turnsOf(nodes: readonly TurnNode[]): NodeTurn[] {
  const undoing = new Set(nodes.flatMap(({ compensatedBy }) => compensatedBy ?? []));
  return nodes.map(({ name, handler }) => {
    if (handler === "finally" || handler === "onFailure") return handler;
    return undoing.has(name) ? "compensation" : "flow";
  });
}

/** Whether all nodes of one turn are over before those of the other begin. */
export function isBeforeTurn(one: NodeTurn, other: NodeTurn): boolean {
  return nodeTurns.indexOf(one) < nodeTurns.indexOf(other);
}
