import { declaredValues } from "../parameter/node-secrets.ts";
import { findReferences } from "../parameter/references.ts";
import type { Plan } from "../workflow/plan.ts";

/**
 * The context parameter that holds callback addresses by topic. With such an address, an external system can complete a wait of the run
 * without a token. The topics are those that the tasks of the workflow refer to: `$(context.params.callback-url.paid)` is the address for
 * the topic `paid`.
 */
export const callbackParameter = "callback-url";

/** The topics whose addresses tasks of the plan refer to. */
export function callbackTopics(plan: Plan): readonly string[] {
  const known = topics.get(plan);
  if (known) return known;
  const found = findTopics(plan);
  topics.set(plan, found);
  return found;
}

/** Cached, since a plan never changes and is asked for its topics by each of its runs. */
const topics = new WeakMap<Plan, readonly string[]>();

function findTopics(plan: Plan): string[] {
  const values = plan.nodes.map((node) => [
    node.params,
    node.forEach?.items,
    node.loop?.value,
    declaredValues(node).map((param) => param.default),
  ]);
  const found = findReferences(values).flatMap((reference) => {
    if (reference.kind !== "param" || reference.layer !== "context" || reference.name !== callbackParameter) return [];
    const [topic] = reference.path;
    return topic === undefined ? [] : [String(topic)];
  });
  return [...new Set(found)];
}
