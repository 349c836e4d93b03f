import { findReferences } from "../parameter/references.ts";
import { declaredValues } from "../parameter/secret-params.ts";
import { jobSteps, type ProgramTask } from "../task/tekton/job-steps.ts";
import type { PlanNode } from "../workflow/plan.ts";

/**
 * `$(context.codehost-token)`: a token of the team's installation of the codehost's app, for this attempt. Like a path, it is known only
 * when the job is passed to its executor; everything that is stored or shown contains the reference as written.
 */
export function isCodehostToken(words: readonly string[]): boolean {
  return words.length === 2 && words[0] === "context" && words[1] === "codehost-token";
}

/** Whether the node, or its task, refers to the token. */
export function asksForCodehostToken(node: PlanNode): boolean {
  const known = asking.get(node);
  if (known !== undefined) return known;
  const texts = [
    node.params,
    declaredValues(node).map((param) => param.default),
    node.task && [jobSteps(node.task), givenToActions(node.task)],
  ];
  const asks = findReferences(texts).some((reference) => reference.kind === "place" && isCodehostToken(reference.words));
  asking.set(node, asks);
  return asks;
}

function givenToActions({ spec }: Pick<ProgramTask, "spec">): unknown {
  return spec.steps?.map(({ params }) => params);
}

/** A cache, since a node never changes. */
const asking = new WeakMap<PlanNode, boolean>();
