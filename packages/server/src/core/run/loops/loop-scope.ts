import type { Status } from "@millrace/contract/status.ts";
import type { Lookup } from "../../parameter/parameters-substitution.ts";
import { findReferences, previousResults, previousStatus } from "../../parameter/references.ts";
import { declaredValues } from "../../parameter/secret-params.ts";
import type { NamedValue, PlanNode } from "../../workflow/plan.ts";
import type { RunResult } from "../run-state.ts";

/**
 * What a round knows of its loop: `$(loop.index)` and, of the round before, `$(loop.previous.status)` and `$(loop.previous.results.NAME)`.
 * A condition, which is examined between two rounds, sees the same as the round that would follow.
 */

export interface LoopScope {
  /** The number of rounds that have ended. */
  index: number;
  /** Undefined: this is the first round. */
  previous: { status: Status; results: readonly RunResult[] } | undefined;
}

/** In a node that is no loop, such a reference stays as written: it may mean something to a shell. */
export function lookUpInLoop(node: PlanNode, loop: LoopScope | undefined, name: string): Lookup {
  if (!node.loop || !loop) return { found: false };
  if (name === "index") return { found: true, value: loop.index };
  const { previous } = loop;
  if (!previous) return { found: true, isEmpty: true };
  if (name === previousStatus) return { found: true, value: previous.status };
  return resultOf(node, previous, name.slice(previousResults.length));
}

function resultOf(node: PlanNode, { status, results }: NonNullable<LoopScope["previous"]>, name: string): Lookup {
  const found = results.find((result) => result.name === name);
  if (found) return { found: true, value: found.value };
  if (status === "succeeded" && !isDeclared(node, name)) return { found: false, why: `the round before left no result "${name}"` };
  const why = status === "succeeded" ? "did not leave it" : `ended as ${status}`;
  return { found: true, why: `the round before ${why}, so its result "${name}" is empty` };
}

function isDeclared(node: PlanNode, name: string): boolean {
  const ofTask = (node.task?.spec["results"] as { name: string }[] | undefined) ?? [];
  return [...node.results, ...ofTask].some((result) => result.name === name);
}

const storedName = "previous";
const lengthName = "resultsLength";

/**
 * What the loop's own task run stores for passing a round to an executor: those results of the round before that the task refers to
 * (already masked, as all results are), and the total length of the results of all rounds, so that they need not be read to compute it.
 */
export function storedRound(node: PlanNode, { previous }: LoopScope, resultsLength: number): NamedValue[] {
  if (!previous) return [];
  const wanted = resultsReferred(node);
  const results = previous.results.filter(({ name }) => wanted.has(name)).map(({ name, value }) => ({ name, value }));
  return [
    { name: storedName, value: { status: previous.status, results } },
    { name: lengthName, value: resultsLength },
  ];
}

/** Characters of the results of all rounds but the last one. For a loop that an older version started, this is a lower bound. */
export function storedLength(params: readonly NamedValue[] | undefined): number {
  return Number(params?.find(({ name }) => name === lengthName)?.value ?? 0);
}

/** @param params of the loop's own task run */
export function readRound(params: readonly NamedValue[] | undefined, index: number): LoopScope {
  const stored = params?.find(({ name }) => name === storedName)?.value;
  return { index, previous: index === 0 ? undefined : (stored as LoopScope["previous"]) };
}

function resultsReferred(node: PlanNode): ReadonlySet<string> {
  const references = findReferences([node.params, declaredValues(node).map((param) => param.default)]);
  return new Set(
    references.flatMap((reference) =>
      reference.kind === "param" && reference.layer === "loop" && reference.name.startsWith(previousResults)
        ? [reference.name.slice(previousResults.length)]
        : [],
    ),
  );
}
