import type { Reason } from "@millrace/contract/errors.ts";
import type { TaskType } from "@millrace/contract/status.ts";
import { executionConditions } from "@millrace/contract/workflow/workflow.ts";
import { AppError } from "../../../base/error/app-error.ts";
import { atOnce, flatMapSteps, type Steps } from "../../../base/process/slices.ts";
import { conditionLines, conditionProblem } from "../../parameter/condition.ts";
import { turnsOf } from "../node-turn.ts";
import { findCycle } from "./check-graph-cycle.ts";
import { handlerProblems } from "./check-handlers.ts";
import { checkNode, type GraphDependency, type GraphNode, type GraphProblem, isEnd, isStart, nameWarning } from "./check-node.ts";

/**
 * The checks of a graph when it is saved: a workflow that passes them can run. Missing start and end nodes are added, with edges from start
 * to each node that has no dependencies, and to end from each node that nothing depends on. In a graph without cycles, this makes every
 * node reachable from start, and every node leads to end. Handlers (node-turn.ts) are separate and get none of these edges. Time is linear
 * in nodes and edges.
 */

export interface GraphOptions<N> {
  /** JSON pointer of the list of nodes, for problems. Default `/tasks`. */
  path?: string;
  /** Type of the task that a node uses, if the caller knows it. */
  taskTypeOf?(node: N): TaskType | undefined;
  /** Creates an added start or end. Default: name, type and dependencies only. */
  makeMarker?(type: "start" | "end"): N;
}

export interface CheckedGraph<N> {
  /** The nodes with the additions; unchanged nodes are the same objects. Use them only if there is no problem. */
  nodes: N[];
  problems: GraphProblem[];
  /** Not errors, but worth showing. */
  warnings: { path: string; message: string }[];
}

export const maxNodes = 10_000;
const maxEdges = 100_000;
/** The most patterns in all decisions together that are more than a plain word, since compiling them takes time. */
const maxPatterns = 1000;
/** Enough to show at once. */
const maxProblems = 100;

export function checkGraph<N extends GraphNode>(given: readonly N[], options: GraphOptions<N> = {}): CheckedGraph<N> {
  return atOnce(checkGraphSteps(given, options));
}

/** The same in steps. */
export function* checkGraphSteps<N extends GraphNode>(given: readonly N[], options: GraphOptions<N> = {}): Steps<CheckedGraph<N>> {
  const path = options.path ?? "/tasks";
  const tooLarge = checkSize(given, path);
  if (tooLarge) return { nodes: [...given], problems: [tooLarge], warnings: [] };
  const nodes = withMarkers(given, options.makeMarker ?? ((type) => ({ name: type, type, dependencies: [] }) as unknown as N));
  const byName = new Map(nodes.map((node, index) => [node.name, index]));
  const graph = { given, nodes, byName, path, patternsLeft: maxPatterns };
  const pathOf = new Map(given.map((node, index) => [node as GraphNode, `${path}/${index}`]));
  yield;
  const ofNodes = yield* nodeProblems(graph, options);
  const ofEdges = yield* edgeProblems(graph);
  const problems = [...ofNodes, ...ofEdges, ...handlerProblems(nodes, (node) => pathOf.get(node) ?? path)];
  yield;
  if (problems.length === 0) problems.push(...cycleProblems(graph));
  const warnings = given.flatMap((node, index) => {
    const message = nameWarning(node.name);
    return message ? [{ path: `${path}/${index}/name`, message }] : [];
  });
  yield;
  return { nodes: problems.length === 0 ? withEdges(nodes) : nodes, problems: problems.slice(0, maxProblems), warnings };
}

/** The error of the response: the reason of the first problem, with a detail for each. */
export function graphError(problems: readonly GraphProblem[]): AppError {
  const [first] = problems;
  if (!first) throw new Error("a graph without problems is no error");
  return new AppError(first.reason, first.values, { details: problems.map(({ path, message }) => ({ path, message })) });
}

interface Graph {
  given: readonly GraphNode[];
  nodes: readonly GraphNode[];
  /** If a name is used twice, the last node with it; duplicates are reported as a problem of their own. */
  byName: ReadonlyMap<string, number>;
  path: string;
  patternsLeft: number;
}

function checkSize(nodes: readonly GraphNode[], path: string): GraphProblem | undefined {
  if (nodes.length > maxNodes) return invalidGraph(path, `there are ${nodes.length} tasks; at most ${maxNodes} are allowed`);
  const edges = nodes.reduce((sum, node) => sum + (node.dependencies?.length ?? 0), 0);
  return edges > maxEdges ? invalidGraph(path, `there are ${edges} dependencies; at most ${maxEdges} are allowed`) : undefined;
}

/** An added start comes first, and an added end last. The given nodes keep their order; an added start moves their indexes by one. */
function withMarkers<N extends GraphNode>(given: readonly N[], make: (type: "start" | "end") => N): N[] {
  return [...(given.some(isStart) ? [] : [make("start")]), ...given, ...(given.some(isEnd) ? [] : [make("end")])];
}

function nodeProblems<N extends GraphNode>(graph: Graph, options: GraphOptions<N>): Steps<GraphProblem[]> {
  const seen = new Set<string>();
  let starts = 0;
  let ends = 0;
  return flatMapSteps(graph.given, (node, index) => {
    const path = `${graph.path}/${index}`;
    const problems = checkNode(node, path);
    if (seen.has(node.name))
      problems.push(newProblem("WORKFLOW_NON_UNIQUE_TASK_NAME", [node.name], `${path}/name`, `another task has the name "${node.name}"`));
    seen.add(node.name);
    if (isStart(node) && ++starts > 1) problems.push(invalidGraph(path, `"${node.name}" is a second start; there can be only one`));
    if (isEnd(node) && ++ends > 1) problems.push(invalidGraph(path, `"${node.name}" is a second end; there can be only one`));
    return [...problems, ...typeProblems(node, path, options.taskTypeOf?.(node as N))];
  });
}

function typeProblems(node: GraphNode, path: string, taskType: TaskType | undefined): GraphProblem[] {
  if (!taskType || !node.type || node.type === taskType) return [];
  const why = `its type is ${taskType}, so the type of "${node.name}" cannot be ${node.type}`;
  return [newProblem("WORKFLOW_INVALID_TASK_REF", [node.name, node.taskRef, why], `${path}/type`, why)];
}

function edgeProblems(graph: Graph): Steps<GraphProblem[]> {
  return flatMapSteps(graph.given, (node, index) => {
    const seen = new Set<string>();
    return (node.dependencies ?? []).flatMap((dependency, place) => {
      const path = `${graph.path}/${index}/dependencies/${place}`;
      const isTwice = seen.has(dependency.taskRef);
      seen.add(dependency.taskRef);
      return checkEdge(graph, node, dependency, path, isTwice);
    });
  });
}

function checkEdge(graph: Graph, node: GraphNode, dependency: GraphDependency, path: string, isTwice: boolean): GraphProblem[] {
  const upstream = graph.nodes[graph.byName.get(dependency.taskRef) ?? -1];
  const at = `${path}/taskRef`;
  if (!upstream) {
    const message = `"${node.name}" depends on "${dependency.taskRef}", which is not in the workflow`;
    return [newProblem("WORKFLOWRUN_INVALID_DEPENDENCY", [node.name, dependency.taskRef], at, message)];
  }
  if (upstream.name === node.name) return [invalidGraph(at, `"${node.name}" depends on itself`)];
  if (isStart(node)) return [invalidGraph(at, `"${node.name}" is the start, so it cannot depend on "${upstream.name}"`)];
  if (isEnd(upstream)) return [invalidGraph(at, `"${node.name}" cannot depend on "${upstream.name}", which is the end`)];
  if (isTwice) return [invalidGraph(at, `"${node.name}" depends on "${upstream.name}" twice; join both into one dependency`)];
  return conditionProblems(graph, node, upstream, dependency, path);
}

function conditionProblems(graph: Graph, node: GraphNode, upstream: GraphNode, dependency: GraphDependency, path: string): GraphProblem[] {
  const { executionCondition, decisionCondition } = dependency;
  if (executionCondition && !(executionConditions as readonly string[]).includes(executionCondition)) {
    const message = `the link from "${upstream.name}" to "${node.name}" has the condition ${executionCondition}; possible: ${executionConditions.join(", ")}`;
    return [invalidGraph(`${path}/executionCondition`, message)];
  }
  if (upstream.type !== "decision" || !decisionCondition || graph.patternsLeft < 0) return [];
  graph.patternsLeft -= conditionLines(decisionCondition).filter((line) => /[^\w -]/.test(line)).length;
  const wrong =
    graph.patternsLeft < 0 ? `there are more than ${maxPatterns} patterns in this workflow` : conditionProblem(decisionCondition);
  if (!wrong) return [];
  return [invalidGraph(`${path}/decisionCondition`, `the link from switch "${upstream.name}" to "${node.name}": ${wrong}`)];
}

function cycleProblems(graph: Graph): GraphProblem[] {
  const upstream = graph.nodes.map((node) => (node.dependencies ?? []).map((dependency) => graph.byName.get(dependency.taskRef) as number));
  const cycle = findCycle(upstream);
  if (!cycle) return [];
  const names = cycle.map((index) => graph.nodes[index]?.name as string);
  const shown = names.length > 12 ? [...names.slice(0, 6), `… ${names.length - 12} more …`, ...names.slice(-6)] : names;
  return [invalidGraph(graph.path, `these tasks depend on each other in a cycle: ${[...shown, names[0]].join(" -> ")}`)];
}

/** Adds links from start to nodes without dependencies, and from nodes that nothing depends on to end. */
function withEdges<N extends GraphNode>(nodes: readonly N[]): N[] {
  const start = nodes.find(isStart)?.name as string;
  const turns = turnsOf(nodes);
  const linked = nodes.map((node, index) =>
    isStart(node) || isEnd(node) || node.dependencies?.length || turns[index] !== "flow"
      ? node
      : { ...node, dependencies: [edgeFrom(start)] },
  );
  const followed = new Set(linked.flatMap((node) => (node.dependencies ?? []).map((dependency) => dependency.taskRef)));
  const last = linked
    .filter((node, index) => turns[index] === "flow" && !isEnd(node) && !followed.has(node.name))
    .map((node) => edgeFrom(node.name));
  if (last.length === 0) return linked;
  return linked.map((node) => (isEnd(node) ? { ...node, dependencies: [...(node.dependencies ?? []), ...last] } : node));
}

function edgeFrom(taskRef: string): GraphDependency {
  return { taskRef, executionCondition: "always" };
}

function invalidGraph(path: string, message: string): GraphProblem {
  return newProblem("WORKFLOW_INVALID_GRAPH", [message], path, message);
}

function newProblem(reason: Reason, values: readonly unknown[], path: string, message: string): GraphProblem {
  return { path, message, reason, values };
}
