import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Draft, draftOf, isVersionedChange, placed, sameJson, type Workflow } from "./draft.ts";
import { draftFromText, textOf } from "./draft-text.ts";

const kinds = ["manual", "schedule", "webhook", "event", "codehost", "workflow"];
const off = Object.fromEntries(kinds.map((kind) => [kind, { enabled: kind === "manual", conditions: [] as object[] }]));

/** As the service returns it: with every member. */
function saved(more: object = {}, ...tasks: object[]): Workflow {
  const empty = { dependencies: [], labels: {}, annotations: {}, params: [], results: [] };
  const all = [{ name: "start", type: "start" }, ...tasks].map((task) => ({ ...empty, ...task, upgradesAvailable: false }));
  const head = { displayName: "w", status: "active", version: 1, labels: {}, annotations: {}, triggers: off };
  return { name: "w", ...head, upgradesAvailable: false, params: [], workspaces: [], ...more, tasks: all } as object as Workflow;
}

const build = {
  ...{ name: "build", type: "script", taskRef: "execute-shell", taskVersion: 1 },
  dependencies: [{ taskRef: "start", executionCondition: "always" }],
  params: [{ name: "script", value: "echo hi" }],
};

test("the text of a small workflow is as short as one that a person writes", () => {
  expect(textOf(draftOf(saved({}, build)), "yaml")).toBe(`name: w
tasks:
  - name: start
    type: start
  - name: build
    type: script
    taskRef: execute-shell
    taskVersion: 1
    dependencies:
      - taskRef: start
    params:
      - name: script
        value: echo hi
`);
});

test("values that differ from their default are written, and a position on the canvas takes one line", () => {
  const triggers = { ...off, manual: { enabled: false, conditions: [] }, schedule: { enabled: true, conditions: [] } };
  const draft = draftOf(saved({ displayName: "W", triggers }, build));
  const moved = { ...draft, tasks: draft.tasks.map((task) => placed(task, { x: 5, y: 7 })) };
  const text = textOf(moved, "yaml");
  expect(text).toContain("displayName: W\n");
  expect(text).toContain("triggers:\n  manual:\n    enabled: false\n  schedule:\n    enabled: true\n");
  expect(text).toContain("annotations:\n      millrace.dev/position: { x: 5, y: 7 }\n");
});

/** Reads the text after a change of it. */
function edited(draft: Draft, change: (text: string) => string): Draft {
  return draftFromText(change(textOf(draft, "yaml")), draft).draft as Draft;
}

describe("what an author deletes from the text", () => {
  const webhook = { enabled: true, conditions: [], requireSignature: true };
  const event = { enabled: true, conditions: [], filters: [{ exact: { type: "a" } }] };
  const full = draftOf(saved({ displayName: "W", description: "About", requireTests: true, triggers: { ...off, webhook, event } }, build));

  test("has its default, and is sent", () => {
    const read = edited(full, () => "name: w\ntasks: []\n");
    expect(read).toMatchObject({ displayName: "w", description: "", requireTests: false, status: "active", labels: {} });
    expect(read["triggers"]).toEqual({
      ...off,
      webhook: { enabled: false, conditions: [], requireSignature: false },
      event: { enabled: false, conditions: [], filters: [] },
    });
  });

  test("and writes again is no change, even while it is typed", () => {
    const text = textOf(full, "yaml");
    const shorter = text.replace("name: build", "name: buil");
    const between = draftFromText(shorter, full).draft as Draft;
    expect(sameJson(draftFromText(text, full, between).draft, full)).toBe(true);
  });
});

const anyTrigger = fc.record(
  {
    enabled: fc.boolean(),
    conditions: fc.constantFrom([], [{ field: "$.a", operation: "equals", value: "b" }]),
    filters: fc.constantFrom([], [{ exact: { type: "a" } }]),
    requireSignature: fc.boolean(),
  },
  { requiredKeys: ["enabled", "conditions"] },
);
const name = fc.constantFrom("a", "b", "c", "start", "w", "true", "1");
const anyMap = fc.dictionary(name, fc.constantFrom<unknown>("x", "", 1, false, {}, []), { maxKeys: 2 });
const anyTask = fc.record(
  {
    name,
    type: fc.constantFrom("script", "decision", "start"),
    taskVersion: fc.integer({ min: 1, max: 3 }),
    dependencies: fc.array(
      fc.record(
        { taskRef: name, executionCondition: fc.constantFrom("always", "failure"), decisionCondition: fc.string() },
        { requiredKeys: ["taskRef"] },
      ),
      { maxLength: 3 },
    ),
    labels: anyMap,
    annotations: fc.oneof(
      anyMap,
      fc.constant({ "millrace.dev/position": { x: 3, y: 4 } }),
      fc.constant({ "boomerang.io/position": { x: 1, y: 2 } }),
    ),
    params: fc.array(fc.record({ name, value: fc.constantFrom<unknown>("x", "", 0, false, [], {}) }), { maxLength: 2 }),
    results: fc.array(fc.record({ name }), { maxLength: 2 }),
    workflow: fc.constant({ tasks: [{ name: "in", dependencies: [], labels: {} }], params: [] }),
  },
  { requiredKeys: ["name"] },
);
const anyWorkflow = fc.record(
  {
    displayName: fc.constantFrom("w", "W", ""),
    status: fc.constantFrom("active", "inactive"),
    ...{ labels: anyMap, annotations: anyMap, description: fc.string(), icon: fc.constantFrom("", "bolt") },
    triggers: fc.oneof(fc.dictionary(fc.constantFrom(...kinds), anyTrigger), fc.constant({})),
    params: fc.array(fc.record({ name, default: fc.constantFrom<unknown>("", false, []) }), { maxLength: 2 }),
    workspaces: fc.array(fc.record({ name }), { maxLength: 1 }),
    results: fc.constantFrom([], [{ name: "r" }]),
    requireTests: fc.boolean(),
    canvasNotes: fc.constantFrom([], [{ id: "n", text: "hi", position: { x: 1, y: 2 } }]),
    concurrency: fc.constant({ limit: 1 }),
    tasks: fc.uniqueArray(anyTask, { maxLength: 4, selector: (task) => task.name }),
  },
  { requiredKeys: ["tasks"] },
);

test.each(["yaml", "json"] as const)("reading the %s of any workflow gives that workflow", (format) => {
  fc.assert(
    fc.property(anyWorkflow, (workflow) => {
      const draft = draftOf({ name: "w", ...workflow } as object as Workflow);
      const { draft: read, faults } = draftFromText(textOf(draft, format), draft);
      expect(faults).toEqual([]);
      expect(read).toEqual(draft);
      expect(isVersionedChange(read as Draft, draft)).toBe(false);
    }),
    { numRuns: 150 },
  );
});
