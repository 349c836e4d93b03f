import { handlerKinds } from "@millrace/contract/workflow/workflow.ts";
import { type NodeTurn, turnsOf } from "../node-turn.ts";
import { type GraphNode, type GraphProblem, isEnd, isStart } from "./check-node.ts";

/** Problems with the handlers of a graph (node-turn.ts): they must have no links with its flow, and each compensation undoes one task. */
export function handlerProblems(nodes: readonly GraphNode[], pathOf: (node: GraphNode) => string): GraphProblem[] {
  if (!nodes.some(({ handler, compensatedBy }) => handler != null || compensatedBy != null)) return [];
  const turns = new Map(turnsOf(nodes).map((turn, index) => [nodes[index]?.name as string, turn]));
  const undoes = new Map<string, string>();
  return nodes.flatMap((node) => {
    const path = pathOf(node);
    return [...ownProblems(node, path), ...compensationProblems(node, path, turns, undoes), ...linkProblems(node, path, turns)];
  });
}

function ownProblems(node: GraphNode, path: string): GraphProblem[] {
  const { name, type, handler } = node;
  if (handler == null) return [];
  const at = `${path}/handler`;
  if (!(handlerKinds as readonly string[]).includes(handler))
    return [wrong(at, `"${name}" has the handler ${JSON.stringify(handler)}; possible: ${handlerKinds.join(", ")}`)];
  if (isStart(node) || isEnd(node)) return [wrong(at, `"${name}" is the ${type ?? name}, so it cannot be a handler`)];
  return setsStatus(node) ? [statusProblem(node, path)] : [];
}

function compensationProblems(
  node: GraphNode,
  path: string,
  turns: ReadonlyMap<string, NodeTurn>,
  undoes: Map<string, string>,
): GraphProblem[] {
  const { name, compensatedBy } = node;
  const problems = turns.get(name) === "compensation" && setsStatus(node) ? [statusProblem(node, path)] : [];
  if (compensatedBy == null) return problems;
  const at = `${path}/compensatedBy`;
  const by = `"${name}" is compensated by "${compensatedBy}"`;
  const turn = turns.get(compensatedBy);
  const other = undoes.get(compensatedBy);
  undoes.set(compensatedBy, name);
  if (turn === undefined) return [...problems, wrong(at, `${by}, which is not in the workflow`)];
  if (name === compensatedBy) return [...problems, wrong(at, `"${name}" cannot compensate itself; name another task`)];
  if (isStart(node) || isEnd(node)) return [...problems, wrong(at, `"${name}" does nothing, so there is nothing to compensate`)];
  if (turns.get(name) !== "flow")
    return [...problems, wrong(at, `"${name}" runs after the flow of the workflow, so nothing can compensate it`)];
  if (turn !== "compensation") return [...problems, wrong(at, `${by}, which is a handler; remove its member handler`)];
  if (other !== undefined)
    return [...problems, wrong(at, `${by}, which compensates "${other}" already; a compensation undoes one task, so add another one`)];
  return problems;
}

function linkProblems({ name, dependencies }: GraphNode, path: string, turns: ReadonlyMap<string, NodeTurn>): GraphProblem[] {
  const turn = turns.get(name) as NodeTurn;
  return (dependencies ?? []).flatMap(({ taskRef }, index) => {
    const other = turns.get(taskRef);
    const at = `${path}/dependencies/${index}/taskRef`;
    if (other === undefined) return [];
    if (turn === "compensation")
      return [wrong(at, `"${name}" is a compensation, which runs when its task is undone; remove its dependency on "${taskRef}"`)];
    if (turn === other) return [];
    if (turn === "flow") return [wrong(at, `"${name}" cannot depend on "${taskRef}", which runs after the flow of the workflow`)];
    return [wrong(at, `"${name}" has the handler ${turn}, so it can depend only on tasks with the same one, and not on "${taskRef}"`)];
  });
}

function setsStatus({ type }: GraphNode): boolean {
  return type === "setwfstatus";
}

function statusProblem({ name }: GraphNode, path: string): GraphProblem {
  return wrong(`${path}/type`, `"${name}" sets the status of the run, which is known before the handlers run; do it in the flow`);
}

function wrong(path: string, message: string): GraphProblem {
  return { path, message, reason: "WORKFLOW_INVALID_GRAPH", values: [message] };
}
