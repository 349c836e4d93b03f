import type { RunParam, RunResult } from "@millrace/contract/common.ts";
import { neverMarkedTypes, type TaskType } from "@millrace/contract/status.ts";
import { AppError } from "../../../base/error/app-error.ts";
import type { NodePlan } from "../../../core/run/rerun/plan-rerun.ts";
import { maxResultsLength, textLengthOf } from "../../../core/run/result-sizes.ts";
import type { RunState } from "../../../core/run/run-state.ts";
import type { Plan, PlanNode } from "../../../core/workflow/plan.ts";
import { refused } from "./refused.ts";

/** Which tasks a person may mark as succeeded, and what its results may be. */

const neverMarked: readonly TaskType[] = neverMarkedTypes;

interface Declared {
  name: string;
  type?: string;
  description?: string;
}

/**
 * The results that the task run will have.
 * @throws WORKFLOWRUN_INVALID_REQUIREMENT for a task that can't be marked, or results that it does not declare
 */
export function checkMark(plan: Plan, { nodes, items }: RunState, name: string, given: readonly RunParam[]): RunResult[] {
  const node = plan.nodes[plan.byName.get(name) ?? -1];
  const task = node && nodes[node.index];
  if (!node || !task) throw refused(`the run has no task ${JSON.stringify(name)}`);
  if (neverMarked.includes(node.type))
    throw refused(`task ${JSON.stringify(name)} is of type ${node.type}, which can't be marked as succeeded`);
  if (node.turn !== "flow") throw refused(`task ${JSON.stringify(name)} runs when the flow is over; only a task of the flow can be marked`);
  if (!["failed", "timedout", "invalid"].includes(task.status))
    throw refused(`task ${JSON.stringify(name)} ended as ${task.status}; only a task that failed can be marked as succeeded`);
  const declared = declaredResults(node);
  const count = items.get(node.index)?.length;
  const faults = [
    ...repeated(given).map((result) => `result ${JSON.stringify(result)} is given more than once`),
    ...given.flatMap((result) => faultOf(node, declared, result, count) ?? []),
  ];
  if (faults.length > 0) throw refused(faults.join("; "));
  if (textLengthOf(given) > maxResultsLength / 4) throw refused("the results are too large; keep large data in a workspace");
  const values = new Map(given.map((result) => [result.name, result.value ?? null]));
  return declared
    .filter((result) => values.has(result.name))
    .map(({ name: of, description }) => ({ name: of, value: values.get(of), ...(description !== undefined && { description }) }));
}

export function declaredResults(node: PlanNode): Declared[] {
  const own = (node.task?.spec["results"] as Declared[] | undefined) ?? [];
  return [...new Map([...own, ...node.results].map((result) => [result.name, result])).values()];
}

function repeated(given: readonly RunParam[]): string[] {
  const names = given.map(({ name }) => name);
  return [...new Set(names.filter((name, place) => names.indexOf(name) !== place))];
}

/** @param count of items, if the task had any */
function faultOf(node: PlanNode, declared: readonly Declared[], { name, value }: RunParam, count: number | undefined): string | undefined {
  const found = declared.find((result) => result.name === name);
  const known = declared.map((result) => result.name).join(", ") || "none";
  if (!found) return `task "${node.name}" declares no result ${JSON.stringify(name)}; it declares: ${known}`;
  if (node.forEach) {
    if (Array.isArray(value) && value.length === (count ?? value.length)) return undefined;
    const given = Array.isArray(value) ? `, which are ${count}; it has ${value.length}` : "";
    return `result "${name}" must be a list with one value for each item${given}`;
  }
  if (found.type === "array") return Array.isArray(value) ? undefined : `result "${name}" must be a list`;
  if (found.type === "object")
    return typeof value === "object" && value !== null && !Array.isArray(value) ? undefined : `result "${name}" must be an object`;
  return found.type === "string" && typeof value !== "string" ? `result "${name}" must be text` : undefined;
}

/** @throws CONFLICT if a task before it runs again, since then it would run again as well */
export function refuseUnmarked(nodes: readonly NodePlan[], name: string): void {
  const found = nodes.find((node) => node.name === name);
  if (found?.decision !== "marked")
    throw new AppError("CONFLICT", [`Task "${name}" can't be marked as succeeded: ${found?.text ?? "the workflow does not have it"}`]);
}
