import type { HandlerKind } from "@millrace/contract/workflow/workflow.ts";

/**
 * When a node of a workflow runs. Most nodes belong to the flow. The others are handlers: they are separate from the flow, have no links
 * with it, and start when it has ended. First come compensations, one after the other, then `onFailure`, then `finally`.
 */
export type NodeTurn = "flow" | "compensation" | HandlerKind;

/** In their order. */
const nodeTurns = ["flow", "compensation", "onFailure", "finally"] as const satisfies readonly NodeTurn[];

export interface TurnNode {
  name: string;
  handler?: string | null;
  compensatedBy?: string | null;
}

/** The turn of each node. Contradictory settings are reported elsewhere (check-handlers.ts). */
export function turnsOf(nodes: readonly TurnNode[]): NodeTurn[] {
  const undoing = new Set(nodes.flatMap(({ compensatedBy }) => compensatedBy ?? []));
  return nodes.map(({ name, handler }) => {
    if (handler === "finally" || handler === "onFailure") return handler;
    return undoing.has(name) ? "compensation" : "flow";
  });
}

/** Whether all nodes of one turn have ended before those of the other start. */
export function isBeforeTurn(one: NodeTurn, other: NodeTurn): boolean {
  return nodeTurns.indexOf(one) < nodeTurns.indexOf(other);
}
