import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { startWork } from "../../../../test/kit/processor-ms.ts";
import { checkGraph, graphError, maxNodes } from "./check-graph.ts";
import { findCycle } from "./check-graph-cycle.ts";
import type { GraphNode } from "./check-node.ts";

const start: GraphNode = { name: "start", type: "start" };
const end: GraphNode = { name: "end", type: "end" };

/** `a<b,c` is a script that depends on b and c. */
function node(text: string, more: Partial<GraphNode> = {}): GraphNode {
  const [name = "", upstream] = text.split("<");
  return { name, type: "script", dependencies: upstream?.split(",").map((taskRef) => ({ taskRef })), ...more };
}

function edges(nodes: readonly GraphNode[]): string[] {
  return nodes.flatMap((to) => (to.dependencies ?? []).map((from) => `${from.taskRef}>${to.name}`)).sort();
}

describe("checkGraph completes", () => {
  it.each<[string, GraphNode[], string[], string[]]>([
    ["an empty graph", [], ["start", "end"], ["start>end"]],
    ["start and end alone", [start, end], ["start", "end"], ["start>end"]],
    ["one task", [node("a")], ["start", "a", "end"], ["a>end", "start>a"]],
    ["a chain", [node("a"), node("b<a")], ["start", "a", "b", "end"], ["a>b", "b>end", "start>a"]],
    [
      "a diamond",
      [node("a<start"), node("b<a"), node("c<a"), node("d<b,c"), { ...end, dependencies: [{ taskRef: "d" }] }, start],
      ["a", "b", "c", "d", "end", "start"],
      ["a>b", "a>c", "b>d", "c>d", "d>end", "start>a"],
    ],
    [
      "a loose task beside a chain that is linked",
      [start, node("a<start"), node("loose"), { ...end, dependencies: [{ taskRef: "a" }] }],
      ["start", "a", "loose", "end"],
      ["a>end", "loose>end", "start>a", "start>loose"],
    ],
    ["markers known by their names", [{ name: "start" }, { name: "end" }, node("a")], ["start", "end", "a"], ["a>end", "start>a"]],
  ])("%s", (_, nodes, names, expected) => {
    const checked = checkGraph(nodes);
    expect(checked.problems).toEqual([]);
    expect(checked.nodes.map(({ name }) => name)).toEqual(names);
    expect(edges(checked.nodes)).toEqual(expected);
  });

  it("leaves a complete graph and all that it does not know as they are", () => {
    const nodes = [start, { ...node("a<start"), extra: { x: 1 } }, { ...end, dependencies: [{ taskRef: "a", note: "kept" }] }];
    const checked = checkGraph(nodes);
    expect(checked.nodes).toEqual(nodes);
    for (const [index, kept] of checked.nodes.entries()) expect(kept).toBe(nodes[index]);
  });

  it("makes missing markers the way the caller wants them", () => {
    const made = checkGraph([node("a")], { makeMarker: (type) => ({ name: type, type, labels: {} }) as GraphNode }).nodes;
    expect(made[0]).toEqual({ name: "start", type: "start", labels: {} });
  });
});

describe("checkGraph refuses", () => {
  const to = (taskRef: string, more = {}) => ({ dependencies: [{ taskRef, ...more }] });
  it.each<[string, GraphNode[], string, string, RegExp]>([
    ["two tasks of one name", [node("a"), node("a")], "/tasks/1/name", "WORKFLOW_NON_UNIQUE_TASK_NAME", /another task has the name "a"/],
    [
      "an unknown dependency",
      [node("a<nope")],
      "/tasks/0/dependencies/0/taskRef",
      "WORKFLOWRUN_INVALID_DEPENDENCY",
      /"a" depends on "nope", which is not/,
    ],
    ["a task that depends on itself", [node("a<a")], "/tasks/0/dependencies/0/taskRef", "WORKFLOW_INVALID_GRAPH", /depends on itself/],
    ["a dependency that is there twice", [node("b"), node("a<b,b")], "/tasks/1/dependencies/1/taskRef", "WORKFLOW_INVALID_GRAPH", /twice/],
    [
      "a cycle",
      [node("a<c"), node("b<a"), node("c<b"), node("d<c")],
      "/tasks",
      "WORKFLOW_INVALID_GRAPH",
      /in a cycle: (a -> b -> c -> a|b -> c -> a -> b|c -> a -> b -> c)$/,
    ],
    ["a second start", [start, { name: "again", type: "start" }], "/tasks/1", "WORKFLOW_INVALID_GRAPH", /"again" is a second start/],
    ["a second end", [end, { name: "again", type: "end" }], "/tasks/1", "WORKFLOW_INVALID_GRAPH", /"again" is a second end/],
    [
      "a start that waits",
      [node("a"), { ...start, ...to("a") }],
      "/tasks/1/dependencies/0/taskRef",
      "WORKFLOW_INVALID_GRAPH",
      /is the start/,
    ],
    ["a task behind the end", [end, node("a<end")], "/tasks/1/dependencies/0/taskRef", "WORKFLOW_INVALID_GRAPH", /which is the end/],
    ["a script named start", [{ name: "start", type: "script" }], "/tasks/0/name", "VALIDATION_FAILED", /reserved/],
    ["an empty name", [node("")], "/tasks/0/name", "VALIDATION_FAILED", /1 to 200 characters/],
    ["a name with a line end", [node("a\nb")], "/tasks/0/name", "VALIDATION_FAILED", /without line breaks/],
    ["a name with blanks at its ends", [node(" a")], "/tasks/0/name", "VALIDATION_FAILED", /without spaces at either end/],
    [
      "an unknown condition",
      [node("a"), node("b", to("a", { executionCondition: "sometimes" }))],
      "/tasks/1/dependencies/0/executionCondition",
      "WORKFLOW_INVALID_GRAPH",
      /always, success, failure/,
    ],
    [
      "a bad pattern",
      [node("a", { type: "decision" }), node("b", to("a", { decisionCondition: "ok\n(" }))],
      "/tasks/1/dependencies/0/decisionCondition",
      "WORKFLOW_INVALID_GRAPH",
      /from switch "a" to "b": line 2 is not a valid pattern/,
    ],
    [
      "a fan-out at a decision",
      [node("a", { type: "decision", forEach: { items: [] } })],
      "/tasks/0/forEach",
      "VALIDATION_FAILED",
      /not supported for a decision/,
    ],
    ["a fan-out at the start", [{ ...start, forEach: { items: [] } }], "/tasks/0/forEach", "VALIDATION_FAILED", /not supported/],
    [
      "items that are no list",
      [node("a", { forEach: { items: "a,b" } })],
      "/tasks/0/forEach/items",
      "VALIDATION_FAILED",
      /a list of at most 100000 items, or text with a reference/,
    ],
    [
      "too many items",
      [node("a", { forEach: { items: Array(100_001).fill(0) } })],
      "/tasks/0/forEach/items",
      "VALIDATION_FAILED",
      /at most 100000/,
    ],
    [
      "parallel beyond its bounds",
      [node("a", { forEach: { items: [], parallel: 0 } })],
      "/tasks/0/forEach/parallel",
      "VALIDATION_FAILED",
      /1 to 1000/,
    ],
    ["retries beyond their bounds", [node("a", { retry: { count: 101 } })], "/tasks/0/retry/count", "VALIDATION_FAILED", /0 to 100/],
    ["a factor below one", [node("a", { retry: { count: 1, factor: 0.5 } })], "/tasks/0/retry/factor", "VALIDATION_FAILED", /1 to 100/],
    [
      "a negative pause",
      [node("a", { retry: { count: 1, backoffMs: -1 } })],
      "/tasks/0/retry/backoffMs",
      "VALIDATION_FAILED",
      /milliseconds/,
    ],
    [
      "an unknown reason to retry",
      [node("a", { retry: { count: 1, on: ["lost"] } })],
      "/tasks/0/retry/on",
      "VALIDATION_FAILED",
      /failed and timedout/,
    ],
    ["an unknown onLost", [node("a", { onLost: "panic" })], "/tasks/0/onLost", "VALIDATION_FAILED", /retry or fail/],
    ["a timeout in parts of minutes", [node("a", { timeout: 0.5 })], "/tasks/0/timeout", "VALIDATION_FAILED", /whole minutes/],
    [
      "too many tasks",
      Array.from({ length: maxNodes + 1 }, (_, index) => node(`n${index}`)),
      "/tasks",
      "WORKFLOW_INVALID_GRAPH",
      /10001 tasks; at most 10000/,
    ],
  ])("%s", (_, nodes, path, reason, message) => {
    const { problems } = checkGraph(nodes);
    expect(problems).toContainEqual({ path, reason, message: expect.stringMatching(message), values: expect.any(Array) });
    const error = graphError(problems);
    expect(error.status).toBe(400);
    expect(error.details).toHaveLength(problems.length);
  });

  it("a node whose type is not that of its task", () => {
    const nodes = [node("a", { type: "script", taskRef: "switch" })];
    const { problems } = checkGraph(nodes, { taskTypeOf: (one) => (one.taskRef === "switch" ? "decision" : undefined), path: "/nodes" });
    expect(problems).toEqual([
      {
        path: "/nodes/0/type",
        reason: "WORKFLOW_INVALID_TASK_REF",
        message: expect.stringContaining("its type is decision"),
        values: ["a", "switch", expect.any(String)],
      },
    ]);
    expect(graphError(problems).message).toContain("Task a refers to switch: its type is decision");
  });

  it("everything at once, up to a readable number", () => {
    expect(checkGraph([node("a<x"), node("a<y"), node("b<b")]).problems).toHaveLength(4);
    expect(checkGraph(Array.from({ length: 1000 }, () => node("same<nope"))).problems).toHaveLength(100);
  });
});

describe("checkGraph", () => {
  it("warns of names that need brackets", () => {
    const { warnings, problems } = checkGraph([node("v1.2"), node("plain name"), node(`it's "both"`)]);
    expect(problems).toEqual([]);
    expect(warnings).toEqual([
      { path: "/tasks/0/name", message: expect.stringContaining("$(tasks['v1.2'].results.NAME)") },
      { path: "/tasks/2/name", message: expect.stringContaining("both kinds of quotes") },
    ]);
  });

  it("takes linear time for ten thousand tasks", () => {
    const chain = Array.from({ length: maxNodes }, (_, index) => node(index === 0 ? "n0" : `n${index}<n${index - 1}`));
    const wide = Array.from({ length: maxNodes }, (_, index) =>
      node(
        index < 100
          ? `n${index}`
          : `n${index}<${[1, 2, 3, 4, 5].map((by) => `n${(index * by) % 100}`).filter((name, at, all) => all.indexOf(name) === at)}`,
      ),
    );
    const ring = chain.map((one, index) => (index === 0 ? node(`n0<n${maxNodes - 1}`) : one));
    const expectWithin = startWork();
    expect(checkGraph(chain).problems).toEqual([]);
    expect(checkGraph(wide).problems).toEqual([]);
    expect(checkGraph(ring).problems[0]?.message).toMatch(/… 9988 more …/);
    expectWithin(3000);
  });

  it("bounds the work that patterns may cause", () => {
    const lines = Array.from({ length: 300 }, (_, index) => `(a|b)*a{90}${index}`).join("\n");
    const nodes = [
      node("s", { type: "decision" }),
      ...Array.from({ length: 20 }, (_, index) => node(`n${index}`, { dependencies: [{ taskRef: "s", decisionCondition: lines }] })),
    ];
    const expectWithin = startWork();
    const { problems } = checkGraph(nodes);
    expect(problems).toHaveLength(1);
    expect(problems[0]?.message).toMatch(/more than 1000 patterns/);
    expectWithin(10_000);
  });

  const random = fc
    .integer({ min: 1, max: 25 })
    .chain((size) =>
      fc.tuple(
        fc.array(fc.array(fc.nat({ max: 1000 }), { maxLength: 4 }), { minLength: size, maxLength: size }),
        fc.shuffledSubarray([...Array(size).keys()], { minLength: size }),
      ),
    );

  it("makes every random graph without cycles reachable from start and leading to end, and keeps its edges", () => {
    fc.assert(
      fc.property(random, ([choices, order]) => {
        const nodes = choices.map((chosen, index) => ({
          name: `n${index}`,
          type: "script" as const,
          dependencies: [...new Set(index === 0 ? [] : chosen.map((choice) => choice % index))].map((from) => ({ taskRef: `n${from}` })),
        }));
        const checked = checkGraph(order.map((index) => nodes[index]!));
        expect(checked.problems).toEqual([]);
        expect(edges(checked.nodes)).toEqual(expect.arrayContaining(edges(nodes)));
        const pairs = edges(checked.nodes).map((edge) => edge.split(">") as [string, string]);
        expect(reach("start", pairs)).toHaveLength(nodes.length + 2);
        expect(
          reach(
            "end",
            pairs.map(([from, to]) => [to, from]),
          ),
        ).toHaveLength(nodes.length + 2);
        expect(checkGraph(checked.nodes).nodes).toEqual(checked.nodes);
      }),
    );
  });

  it("finds a cycle exactly when there is one, and it is one", () => {
    fc.assert(
      fc.property(random, ([choices]) => {
        const upstream = choices.map((chosen) => [...new Set(chosen.map((choice) => choice % choices.length))]);
        const cycle = findCycle(upstream);
        const hasCycle = upstream.some((_, index) =>
          upstream[index]?.some((before) => reach(String(before), pairsOf(upstream)).includes(String(index))),
        );
        expect(cycle !== undefined).toBe(hasCycle);
        for (const [at, index] of (cycle ?? []).entries()) expect(upstream[cycle![(at + 1) % cycle!.length]!]).toContain(index);
      }),
    );
  });

  it("never throws for any nodes", () => {
    const name = fc.constantFrom("a", "b", "start", "end", "", "__proto__");
    const any = fc.record({
      name,
      type: fc.constantFrom("start", "end", "script", "decision", null, undefined),
      dependencies: fc.option(
        fc.array(
          fc.record({ taskRef: name, executionCondition: fc.constantFrom("always", "x", null), decisionCondition: fc.option(fc.string()) }),
        ),
      ),
      forEach: fc.option(fc.record({ items: fc.anything() })),
      retry: fc.option(fc.record({ count: fc.integer(), on: fc.option(fc.array(fc.string())) })),
    });
    fc.assert(
      fc.property(fc.array(any, { maxLength: 6 }), (nodes) => void expect(checkGraph(nodes as GraphNode[]).problems).toBeInstanceOf(Array)),
    );
  });
});

/** Edges in the direction of execution: from a node to each node that depends on it. */
function pairsOf(upstream: readonly (readonly number[])[]): [string, string][] {
  return upstream.flatMap((before, index) => before.map((from): [string, string] => [String(index), String(from)]));
}

function reach(from: string, pairs: readonly (readonly [string, string])[]): string[] {
  const found = new Set([from]);
  for (const one of found) for (const [source, target] of pairs) if (source === one) found.add(target);
  return [...found];
}
