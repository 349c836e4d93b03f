import type { Reason } from "@millrace/contract/errors.ts";
import type { TaskType } from "@millrace/contract/status.ts";
import { maxForEachItems, retryReasons } from "@millrace/contract/workflow/for-each.ts";
import { type LoopDraft, loopProblems } from "./check-loop.ts";

/**
 * A problem of a graph: where (JSON pointer), what, and the reason with its values for the case that it becomes the error of the response.
 */
export interface GraphProblem {
  path: string;
  message: string;
  reason: Reason;
  values: readonly unknown[];
}

/** The members of a node that the graph checks read; all other members are kept. */
export interface GraphNode {
  name: string;
  type?: TaskType | null;
  taskRef?: string | null;
  dependencies?: readonly GraphDependency[] | null;
  timeout?: number | null;
  forEach?: { items: unknown; parallel?: number | null; batchSize?: number | null; stopAtFailure?: boolean | null } | null;
  loop?: LoopDraft | null;
  retry?: {
    count: number;
    backoffMs?: number | null;
    factor?: number | null;
    maxBackoffMs?: number | null;
    on?: readonly string[] | null;
  } | null;
  onLost?: string | null;
  handler?: string | null;
  compensatedBy?: string | null;
}

export interface GraphDependency {
  taskRef: string;
  executionCondition?: string | null;
  decisionCondition?: string | null;
}

const maxNameLength = 200;
const maxMinutes = 525_600;
const maxBatchSize = 10_000;
const maxBackoffMs = 86_400_000;

/** Problems of a node itself, apart from its dependencies. */
export function checkNode(node: GraphNode, path: string): GraphProblem[] {
  const { forEach, retry } = node;
  const checks: [boolean, string, string][] = [
    [isName(node.name), "name", `must have 1 to ${maxNameLength} characters, without line breaks, and without spaces at either end`],
    [isReservedRight(node), "name", `is reserved: only the ${node.name} of the graph is named ${node.name}`],
    [isWhole(node.timeout, 0, maxMinutes), "timeout", `must be 0 to ${maxMinutes} whole minutes`],
    [node.onLost == null || node.onLost === "retry" || node.onLost === "fail", "onLost", "must be retry or fail"],
    [!forEach || !isMarker(node), "forEach", `is not supported for ${node.type ?? node.name}`],
    [!retry || !isMarker(node), "retry", `is not supported for ${node.type ?? node.name}`],
    [!forEach || node.type !== "decision", "forEach", "is not supported for a decision: its links could not choose"],
    [
      !forEach || isItems(forEach.items),
      "forEach/items",
      `must be a list of at most ${maxForEachItems} items, or text with a reference to one`,
    ],
    [!forEach || isWhole(forEach.parallel, 1, 1000), "forEach/parallel", "must be a whole number from 1 to 1000"],
    [!forEach || isWhole(forEach.batchSize, 1, maxBatchSize), "forEach/batchSize", `must be a whole number from 1 to ${maxBatchSize}`],
    [!forEach || isBoolean(forEach.stopAtFailure), "forEach/stopAtFailure", "must be true or false"],
    ...loopProblems(node, isMarker(node)).map(([member, must]): [boolean, string, string] => [false, member, must]),
    [!retry || (retry.count != null && isWhole(retry.count, 0, 100)), "retry/count", "must be a whole number from 0 to 100"],
    [!retry || isWhole(retry.backoffMs, 0, maxBackoffMs), "retry/backoffMs", `must be 0 to ${maxBackoffMs} whole milliseconds`],
    [!retry || isWhole(retry.maxBackoffMs, 0, maxBackoffMs), "retry/maxBackoffMs", `must be 0 to ${maxBackoffMs} whole milliseconds`],
    [!retry || isBetween(retry.factor, 1, 100), "retry/factor", "must be a number from 1 to 100"],
    [!retry || isReasons(retry.on), "retry/on", `must be a list of ${retryReasons.join(" and ")}`],
  ];
  return checks
    .filter(([isRight]) => !isRight)
    .map(([, member, message]) => problem(node.name, `${path}/${member}`, `${member.replaceAll("/", ".")} ${message}`));
}

/** How a name complicates references to the task; undefined: not at all. */
export function nameWarning(name: string): string | undefined {
  if (name.includes("'") && name.includes('"'))
    return `results of "${name}" cannot be referred to, since its name has both kinds of quotes`;
  return /[.()[\]]/.test(name) ? `results of "${name}" are referred to in brackets: $(tasks['${name}'].results.NAME)` : undefined;
}

export function isStart(node: GraphNode): boolean {
  return (node.type ?? node.name) === "start";
}

export function isEnd(node: GraphNode): boolean {
  return (node.type ?? node.name) === "end";
}

function isMarker(node: GraphNode): boolean {
  return isStart(node) || isEnd(node);
}

function problem(name: string, path: string, message: string): GraphProblem {
  return { path, message, reason: "VALIDATION_FAILED", values: [`task "${name}": ${message}`] };
}

function isName(name: unknown): boolean {
  return typeof name === "string" && name.length <= maxNameLength && /^\P{Cc}+$/u.test(name) && name.trim() === name;
}

function isReservedRight(node: GraphNode): boolean {
  return (node.name !== "start" || isStart(node)) && (node.name !== "end" || isEnd(node));
}

function isItems(items: unknown): boolean {
  return Array.isArray(items) ? items.length <= maxForEachItems : typeof items === "string" && items.includes("$(");
}

function isReasons(on: unknown): boolean {
  return on == null || (Array.isArray(on) && on.every((reason) => retryReasons.includes(reason)));
}

function isBoolean(value: unknown): boolean {
  return value == null || typeof value === "boolean";
}

function isWhole(value: unknown, least: number, most: number): boolean {
  return value == null || (Number.isInteger(value) && isBetween(value, least, most));
}

function isBetween(value: unknown, least: number, most: number): boolean {
  return value == null || (typeof value === "number" && value >= least && value <= most);
}
