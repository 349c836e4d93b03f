import type { TaskState } from "../run/run-state.ts";
import type { Plan } from "./plan.ts";

/** A substitute for a plan that can't be compiled any more: it has the nodes but not their links. This is enough to end a run. */
export function barePlan(tasks: readonly Pick<TaskState, "node" | "name" | "type">[]): Plan {
  const nodes = tasks.map(({ node, name, type }) => ({
    index: node,
    name,
    type,
    task: undefined,
    incoming: [],
    outgoing: [],
    params: [],
    results: [],
    timeoutMinutes: undefined,
    retry: undefined,
    forEach: undefined,
    loop: undefined,
    onLost: "fail" as const,
    workspaces: [],
    labels: {},
    annotations: {},
    pin: undefined,
    keepsUnresolved: false,
    turn: "flow" as const,
  }));
  return {
    trial: undefined,
    nodes,
    start: 0,
    end: nodes.length - 1,
    byName: new Map(nodes.map(({ name, index }) => [name, index])),
    handlers: undefined,
  };
}
