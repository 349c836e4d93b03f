import { isFinal } from "@millrace/contract/status.ts";
import type { Handlers, Plan } from "../../workflow/plan.ts";
import type { RunState } from "../run-state.ts";

/** Which handlers run when the flow of a run has ended, and until when (run-handlers.ts). */

type Ending = Pick<RunState, "phase" | "nodes">;

/** One of the three kinds of handlers, as indexes of nodes. */
export interface HandlerTurn {
  nodes: readonly number[];
  /** One after the other. */
  isInOrder: boolean;
}

export function handlerTurns({ compensations, onFailure, finally: last }: Handlers): HandlerTurn[] {
  return [
    { nodes: compensations.map(({ index }) => index), isInOrder: true },
    { nodes: onFailure, isInOrder: false },
    { nodes: last, isInOrder: false },
  ];
}

/** Whether the flow of a run that is running is over, and its handlers run. */
export function isEnding(plan: Plan, { phase, nodes }: Ending): boolean {
  return plan.handlers !== undefined && phase === "running" && isFinal(nodes[plan.end]?.status ?? "notstarted");
}

/** When the handlers that are running must be over, in epoch milliseconds; null: they are not running. */
export function handlerDeadline(plan: Plan, run: Ending): number | null {
  if (!plan.handlers || !isEnding(plan, run)) return null;
  let since = run.nodes[plan.end]?.endedAt ?? 0;
  for (const { nodes } of handlerTurns(plan.handlers)) {
    const tasks = nodes.flatMap((index) => run.nodes[index] ?? []);
    if (tasks.some(({ status }) => !isFinal(status))) return since + plan.handlers.timeoutMinutes * 60_000;
    since = tasks.reduce((latest, { endedAt }) => Math.max(latest, endedAt ?? 0), since);
  }
  return null;
}
