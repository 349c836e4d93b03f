import fc from "fast-check";
import type { DocumentNode } from "../../../src/core/workflow/plan.ts";
import {
  type AttemptEnd,
  type ModelCompensation,
  type ModelEdge,
  type ModelHandler,
  type ModelNode,
  roundLimit,
  runsChild,
  type Scenario,
} from "./rules-model.ts";

/** Random workflows and the ends of their attempts, small enough to be read when one fails. */

const attemptEnd = fc.oneof(
  { weight: 4, arbitrary: fc.constant<AttemptEnd>("succeeded") },
  { weight: 3, arbitrary: fc.constantFrom<AttemptEnd>("failed", "timedout", "invalid") },
  { weight: 2, arbitrary: fc.constant<AttemptEnd>("lost") },
);

/** About as many as a task run tolerates. */
const manyLosses = fc.integer({ min: 4, max: 6 }).map((count) => Array.from({ length: count }, (): AttemptEnd => "lost"));

const kinds = ["script", "script", "script", "forEach", "loop", "child", "childEach", "childLoop", "decision", "property"] as const;

const draft = fc.record({
  kind: fc.constantFrom<ModelNode["kind"]>(...kinds),
  /** Taken modulo the number of existing ones. */
  from: fc.uniqueArray(fc.nat(6), { minLength: 1, maxLength: 3 }),
  on: fc.constantFrom<ModelEdge["on"][]>(
    ["always"],
    ["success"],
    ["failure"],
    ["success", "failure", "always"],
    ["always", "success", "failure"],
  ),
  when: fc.constantFrom<(string[] | undefined)[]>([["a"]], [["b"]], [["a", "b"]], [undefined], [["c"]]),
  ends: fc.array(fc.oneof({ weight: 9, arbitrary: fc.array(attemptEnd, { maxLength: 6 }) }, { weight: 1, arbitrary: manyLosses }), {
    maxLength: 4,
  }),
  retries: fc.nat(2),
  retryOn: fc.subarray<"failed" | "timedout">(["failed", "timedout"]),
  onLost: fc.constantFrom<ModelNode["onLost"]>("retry", "retry", "fail"),
  stops: fc.boolean(),
  batches: fc.boolean(),
  isUntil: fc.boolean(),
  isNested: fc.boolean(),
  value: fc.constantFrom("a", "b", "z", undefined),
});

const script = {
  ends: fc.array(fc.array(attemptEnd, { maxLength: 3 }), { minLength: 1, maxLength: 1 }),
  retries: fc.nat(1),
  retryOn: fc.subarray<"failed" | "timedout">(["failed", "timedout"]),
  onLost: fc.constantFrom<ModelNode["onLost"]>("retry", "fail"),
};

const handlerDraft = fc.record({
  ...script,
  on: fc.constantFrom<ModelHandler["on"]>("onFailure", "finally", "finally"),
  /** The earlier ones of its kind, taken modulo; none: it starts when it is the turn of its kind. */
  from: fc.option(fc.record({ pick: fc.nat(3), on: fc.constantFrom<ModelEdge["on"]>("always", "success", "failure") })),
});

const compensationDraft = fc.record({ ...script, of: fc.nat(7) });

/** Most workflows have neither. */
const rarely = <T>(one: fc.Arbitrary<T>) => fc.oneof(fc.constant<T[]>([]), fc.array(one, { minLength: 1, maxLength: 4 }));

export const randomScenario: fc.Arbitrary<Scenario> = fc
  .record({
    drafts: fc.array(draft, { minLength: 1, maxLength: 8 }),
    endOn: fc.array(fc.constantFrom<ModelEdge["on"]>("always", "success", "failure"), { minLength: 1, maxLength: 4 }),
    override: fc.constantFrom("succeeded", "failed", undefined, undefined, undefined),
    handlers: rarely(handlerDraft),
    compensations: rarely(compensationDraft),
  })
  .map(({ drafts, endOn, override, ...after }) => {
    const nodes: ModelNode[] = [];
    for (const [index, { from, on, when, value, ...rest }] of drafts.entries()) {
      const kind = override && index === drafts.length - 1 ? "status" : rest.kind;
      const sources = [...new Set(from.map((pick) => (index === 0 ? "start" : (nodes[pick % index]?.name ?? "start"))))];
      const edges = sources.map((source, place) => edge(nodes, source, on[place % on.length] ?? "always", when[0]));
      const given = kind === "status" ? override : value;
      nodes.push({ ...rest, name: `n${index}`, kind, edges, ...(given !== undefined && { value: given }) });
    }
    const used = new Set(nodes.flatMap((node) => node.edges.map((one) => one.from)));
    const last = nodes.filter((node) => !used.has(node.name));
    return {
      nodes,
      endEdges: last.map((node, place) => edge(nodes, node.name, endOn[place % endOn.length] ?? "always", undefined)),
      handlers: handlersOf(after.handlers),
      compensations: compensationsOf(after.compensations, nodes),
    };
  });

type Drafted<T> = T extends fc.Arbitrary<infer One> ? readonly One[] : never;

function handlersOf(drafts: Drafted<typeof handlerDraft>): ModelHandler[] {
  const made: ModelHandler[] = [];
  for (const [index, { from, ...rest }] of drafts.entries()) {
    const kin = made.filter(({ on }) => on === rest.on);
    const source = from && kin[from.pick % kin.length];
    made.push({ ...rest, name: `h${index}`, kind: "script", edges: source ? [{ from: source.name, on: from.on }] : [] });
  }
  return made;
}

function compensationsOf(drafts: Drafted<typeof compensationDraft>, nodes: readonly ModelNode[]): ModelCompensation[] {
  const byTarget = new Map(drafts.map(({ of, ...rest }) => [nodes[of % nodes.length]?.name ?? "n0", rest]));
  return [...byTarget].map(([undoes, rest]) => ({ ...rest, name: `undo_${undoes}`, kind: "script", edges: [], undoes }));
}

/** Edges out of a decision only have a condition on its value. */
function edge(nodes: readonly ModelNode[], from: string, on: ModelEdge["on"], when: string[] | undefined): ModelEdge {
  const isDecision = nodes.find((node) => node.name === from)?.kind === "decision";
  return isDecision ? { from, on: "always", ...(when && { when }) } : { from, on };
}

export function documentOf({ nodes, endEdges, handlers, compensations }: Scenario): DocumentNode[] {
  const undoing = new Map(compensations.map(({ undoes, name }) => [undoes, name]));
  return [
    { name: "start", type: "start" },
    ...nodes.map((node) => ({
      name: node.name,
      dependencies: node.edges.map(dependencyOf),
      ...bodyOf(node),
      ...compensated(undoing.get(node.name)),
    })),
    ...handlers.map((node) => ({ name: node.name, handler: node.on, dependencies: node.edges.map(dependencyOf), ...bodyOf(node) })),
    ...compensations.map((node) => ({ name: node.name, ...bodyOf(node) })),
    { name: "end", type: "end", dependencies: endEdges.map(dependencyOf) },
  ];
}

function compensated(by: string | undefined): Pick<DocumentNode, "compensatedBy"> {
  return by === undefined ? {} : { compensatedBy: by };
}

function dependencyOf({ from, on, when }: ModelEdge) {
  return { taskRef: from, executionCondition: on, ...(when && { decisionCondition: when.join("\n") }) };
}

function bodyOf(node: ModelNode): Omit<DocumentNode, "name" | "dependencies"> {
  const value = (name: string, given: unknown) => ({ name, value: given });
  if (node.kind === "decision") return { type: "decision", params: node.value === undefined ? [] : [value("value", node.value)] };
  if (node.kind === "property") return { type: "setwfproperty", params: [value("output", node.name), value("value", "1")] };
  if (node.kind === "status") return { type: "setwfstatus", params: [value("status", node.value)] };
  return {
    ...(runsChild(node) ? childOf(node) : { type: "script", params: [value("script", "true")] }),
    retry: { count: node.retries, backoffMs: 1, factor: 1, maxBackoffMs: 1, on: node.retryOn },
    onLost: node.onLost,
    ...((node.kind === "forEach" || node.kind === "childEach") && { forEach: forEachOf(node) }),
    ...((node.kind === "loop" || node.kind === "childLoop") && { loop: loopOf(node) }),
  };
}

function childOf({ isNested }: ModelNode): Pick<DocumentNode, "type" | "params" | "workflow"> {
  if (isNested) return { type: "runworkflow", workflow: { tasks: childDocument } };
  const called = [
    { name: "workflowRef", value: childWorkflow },
    { name: "wait", value: "true" },
  ];
  return { type: "runworkflow", params: called };
}

/** The workflow that tasks of a scenario run: one script. */
export const childWorkflow = "child";
export const childDocument: DocumentNode[] = [
  { name: "start", type: "start" },
  { name: "work", type: "script", dependencies: [{ taskRef: "start" }], params: [{ name: "script", value: "true" }] },
  { name: "end", type: "end", dependencies: [{ taskRef: "work" }] },
];

/** As many items as there are ends. A list that stops at failures has one item at a time, so that it is known which ones exist. */
function forEachOf({ ends, stops = false, batches }: ModelNode): NonNullable<DocumentNode["forEach"]> {
  const values = Array.from({ length: batches ? Math.max(0, 2 * ends.length - 1) : ends.length }, (_, index) => index);
  return { items: values, parallel: stops ? 1 : 2, stopAtFailure: stops, ...(batches && { batchSize: 2 }) };
}

/** As many rounds as there are ends. */
function loopOf({ ends, stops = false, isUntil }: ModelNode): NonNullable<DocumentNode["loop"]> {
  const more = { maxRounds: roundLimit, stopAtFailure: stops };
  if (isUntil) return { until: { value: "$(loop.index)", matches: String(Math.max(1, ends.length)) }, ...more };
  const rounds = ends.map((_, index) => String(index));
  return { while: { value: "$(loop.index)", matches: rounds.join("\n") || "none" }, ...more };
}
