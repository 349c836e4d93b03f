import type { Workflow } from "@millrace/contract/workflow/workflow.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { startWork } from "../../../test/kit/processor-ms.ts";
import { canvasOf, workflowOfCanvas } from "./canvas.ts";
import { documentOf } from "./workflow-document.ts";

const anyName = fc.string({ minLength: 1, maxLength: 20, unit: "binary" });
const anyMembers = fc.dictionary(
  anyName.filter((name) => !["nodes", "edges", "config", "__proto__"].includes(name)),
  fc.jsonValue(),
  { maxKeys: 3 },
);
const anyPosition = fc.record({ x: fc.integer(), y: fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 }) });

/** Tasks with edges to earlier ones, each with a position and with unknown members. */
const anyTasks = fc.uniqueArray(anyName, { minLength: 1, maxLength: 8 }).chain((names) =>
  fc.tuple(
    ...names.map((name, index) =>
      fc.record({
        extra: anyMembers,
        core: fc.record({
          name: fc.constant(name),
          type: fc.constantFrom("template", "decision", "start"),
          taskRef: fc.string({ minLength: 1 }),
          taskVersion: fc.integer({ min: 1 }),
          timeout: fc.integer({ min: 1 }),
          labels: fc.dictionary(anyName, fc.string()),
          annotations: fc.tuple(anyMembers, anyPosition).map(([other, position]) => ({ ...other, "millrace.dev/position": position })),
          params: fc.array(fc.record({ name: anyName, value: fc.jsonValue() })),
          results: fc.array(fc.record({ name: anyName })),
          workspaces: fc.array(fc.record({ name: anyName, mountPath: fc.string() })),
          forEach: fc.record({ items: fc.array(fc.jsonValue()), parallel: fc.integer({ min: 1 }) }),
          retry: fc.record({ count: fc.nat() }),
          dependencies:
            index === 0
              ? fc.constant([])
              : fc.array(
                  fc.record(
                    {
                      taskRef: fc.constantFrom(...names.slice(0, index)),
                      executionCondition: fc.constantFrom("always", "failure"),
                      decisionCondition: fc.string(),
                    },
                    { requiredKeys: ["taskRef", "executionCondition"] },
                  ),
                  { maxLength: 4 },
                ),
        }),
      }),
    ),
  ),
);

const anyWorkflow = fc
  .tuple(anyTasks, anyMembers, fc.array(fc.record({ name: anyName, default: fc.jsonValue() })))
  .map(([tasks, extra, params]) =>
    plain({ ...extra, name: "w", tasks: tasks.map((task) => ({ ...task.extra, ...task.core })), params, workspaces: [] }),
  );

function plain(value: unknown): Workflow {
  return JSON.parse(JSON.stringify(value)) as Workflow;
}

describe("a workflow and its canvas", () => {
  test("say the same: there and back nothing is lost, unknown members included", () => {
    fc.assert(
      fc.property(anyWorkflow, (workflow) => {
        expect(workflowOfCanvas({ ...canvasOf(workflow), name: workflow.name })).toEqual(workflow);
      }),
    );
  });

  test("are stored the same way: the document made from the canvas is the one made from the workflow", () => {
    fc.assert(
      fc.property(anyWorkflow, (workflow) => {
        expect(documentOf(workflowOfCanvas({ ...canvasOf(workflow), name: workflow.name }))).toEqual(documentOf(workflow));
      }),
    );
  });

  test("ids of nodes and edges are unique and the same at each read", () => {
    fc.assert(
      fc.property(anyWorkflow, (workflow) => {
        const { nodes = [], edges = [] } = canvasOf(workflow);
        expect(canvasOf(workflow)).toEqual({ ...canvasOf(workflow), nodes, edges });
        const ids = [...(nodes ?? []), ...(edges ?? [])].map((part) => part.id);
        expect(new Set(ids).size).toBe(ids.length);
      }),
    );
  });
});

describe("positions", () => {
  const tasks = [
    { name: "start", type: "start", dependencies: [] },
    { name: "a", type: "template", dependencies: [{ taskRef: "start" }] },
    { name: "b", type: "template", dependencies: [{ taskRef: "start" }] },
    { name: "end", type: "end", dependencies: [{ taskRef: "a" }, { taskRef: "b" }] },
  ];
  const positions = (changed: Record<string, unknown>) =>
    canvasOf(plain({ name: "w", params: [], tasks: tasks.map((task) => ({ ...task, annotations: changed[task.name] ?? {} })) })).nodes?.map(
      (node) => node.position,
    );

  test("a workflow nobody has drawn is laid out in layers", () => {
    expect(positions({})).toEqual([
      { x: 0, y: 0 },
      { x: 320, y: 0 },
      { x: 320, y: 140 },
      { x: 640, y: 0 },
    ]);
  });

  test("nodes nobody has placed lie below the placed ones, which stay", () => {
    const placed = { start: { "boomerang.io/position": { x: 7, y: 8 } }, a: { "millrace.dev/position": { x: 9, y: 100 } } };
    expect(positions(placed)).toEqual([
      { x: 7, y: 8 },
      { x: 9, y: 100 },
      { x: 320, y: 240 },
      { x: 640, y: 240 },
    ]);
  });

  test("an annotation that is not a position is left alone", () => {
    const [node] =
      canvasOf(plain({ name: "w", params: [], tasks: [{ name: "a", annotations: { "millrace.dev/position": "top" } }] })).nodes ?? [];
    expect(node?.position).toEqual({ x: 0, y: 0 });
    expect(node?.data.annotations).toEqual({ "millrace.dev/position": "top" });
  });

  test("the position of the canvas replaces both annotations", () => {
    const data = { name: "a", annotations: { "boomerang.io/position": { x: 1, y: 1 }, other: 1 } };
    const made = workflowOfCanvas({ name: "w", nodes: [{ id: "1", position: { x: 2, y: 3 }, data }] });
    expect(made.tasks?.[0]?.annotations).toEqual({ "millrace.dev/position": { x: 2, y: 3 }, other: 1 });
  });

  test("a cycle, which no saved workflow has, does not hang the layout", () => {
    const cycle = [
      { name: "a", dependencies: [{ taskRef: "b" }] },
      { name: "b", dependencies: [{ taskRef: "a" }] },
    ];
    expect(canvasOf(plain({ name: "w", params: [], tasks: cycle })).nodes).toHaveLength(2);
  });

  test("10,000 nodes are laid out quickly", () => {
    const chain = Array.from({ length: 10_000 }, (_, index) => ({
      name: `n${index}`,
      dependencies: index ? [{ taskRef: `n${index - 1}` }] : [],
    }));
    const expectWithin = startWork();
    canvasOf(plain({ name: "w", params: [], tasks: chain }));
    expectWithin(5000);
  });
});

describe("a canvas that makes no sense", () => {
  test("an edge to a node that is not there is refused, by name", () => {
    const canvas = { name: "w", nodes: [{ id: "1", data: { name: "a" } }], edges: [{ source: "1", target: "2" }] };
    expect(() => workflowOfCanvas(canvas)).toThrow(/\/edges\/0\/target: no node has the id 2/);
  });

  test("two nodes of one id are refused", () => {
    const canvas = { name: "w", nodes: ["a", "b"].map((name) => ({ id: "1", data: { name } })) };
    expect(() => workflowOfCanvas(canvas)).toThrow(/another node has the id 1/);
  });
});
