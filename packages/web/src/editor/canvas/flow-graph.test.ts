import { describe, expect, test } from "vitest";
import { type Dependency, draftOf } from "../draft/draft.ts";
import { changeTask } from "../draft/graph-edits.ts";
import { availableReferences, offersOf, setParam } from "../form/node-params.ts";
import { conditionWord, edgeId, endsOf, type FlowInput } from "./flow-elements.ts";
import { createFlowBuilder } from "./flow-graph.ts";

const draft = draftOf({
  name: "w",
  params: [{ name: "day" }],
  tasks: [
    { name: "a", taskRef: "shell", results: [{ name: "x.y" }] },
    { name: "which", type: "decision", taskRef: "switch", dependencies: [{ taskRef: "a", executionCondition: "failure" }] },
    { name: "b", taskRef: "shell", dependencies: [{ taskRef: "which", decisionCondition: "gold\nsilver" }], results: [{ name: "own" }] },
  ],
});
const input: FlowInput = { draft, catalog: undefined, problems: [], selected: new Set(), dragged: new Map(), isFixed: false };

describe("what is drawn", () => {
  test("has each edge's condition", () => {
    const { edges } = createFlowBuilder()(input);
    expect(edges.map(({ ariaLabel }) => ariaLabel)).toEqual(["From a to which, on failure", "From which to b, gold | silver"]);
  });
  test("stays the same object where nothing changed", () => {
    const build = createFlowBuilder();
    const before = build(input);
    const after = build({ ...input, draft: changeTask(draft, "b", (task) => ({ ...task, timeout: 3 })) });
    expect(after.nodes.map((node, index) => node === before.nodes[index])).toEqual([true, true, false]);
    expect(after.edges.every((edge, index) => edge === before.edges[index])).toBe(true);
  });
  test("marks the task that a problem is about with its first one", () => {
    const problems = ["first", "second"].map((message) => ({ severity: "error" as const, reason: "R", node: "a", message }));
    expect(createFlowBuilder()({ ...input, problems }).nodes[0]?.ariaLabel).toBe("a, shell, problem: first");
  });
  test("gives two tasks with the same name different ids", () => {
    const twice = { ...draft, tasks: [...draft.tasks, ...draft.tasks.slice(0, 1)] };
    expect(createFlowBuilder()({ ...input, draft: twice }).nodes.map(({ id }) => id)).toEqual(["a", "which", "b", "a#2"]);
  });
});

test("an edge's id leads back to its ends, whatever the names are", () => {
  expect(endsOf(edgeId('say "hi"', "b"))).toEqual({ from: 'say "hi"', to: "b" });
  expect(endsOf("a")).toBeUndefined();
});

test.each<[Partial<Dependency>, boolean, string]>([
  [{}, false, "always"],
  [{ executionCondition: "success" }, false, "on success"],
  [{}, true, "otherwise"],
  [{ decisionCondition: "x" }, true, "x"],
])("the condition %j is said as a word", (dependency, isFromDecision, word) => {
  expect(conditionWord({ taskRef: "a", ...dependency }, isFromDecision)).toBe(word);
});

test("only results of earlier tasks and parameters of the draft are offered as references", () => {
  const [, , last] = draft.tasks;
  expect(availableReferences(draft, last!, ["tasks.gone.results.z", "global.params.g"], undefined)).toEqual([
    "params.day",
    "global.params.g",
    "tasks.a.results['x.y']",
  ]);
});

test("suggestions show the last values, and those known only to the service come last", () => {
  const told = [
    { reference: "$(params.team-name)", lastValue: "owls" },
    { reference: "$(params.day)", lastValue: "Monday" },
  ];
  expect(offersOf(["params.day", "tasks.a.results.x"], told)).toEqual([
    { name: "params.day", last: "Monday" },
    { name: "tasks.a.results.x" },
    { name: "params.team-name", last: "owls" },
  ]);
});

describe("a parameter", () => {
  const task = {
    name: "a",
    params: [
      { name: "p", value: "v" },
      { name: "secret", value: "", hiddenValue: true },
    ],
  };
  test.each<[string, unknown, unknown]>([
    ["p", "w", [{ name: "p", value: "w" }, task.params[1]]],
    ["p", "", [task.params[1]]],
    ["q", 3, [...task.params, { name: "q", value: 3 }]],
    ["secret", "new", [task.params[0], { name: "secret", value: "new", hiddenValue: true }]],
    ["secret", "", task.params],
  ])("%s that is set to %j", (name, value, params) => {
    expect(setParam(task, name, value).params).toEqual(params);
  });
});
