import type { Step, TaskInput } from "@millrace/contract/task/task.ts";
import { describe, expect, test } from "vitest";
import { findTaskFaults } from "./check-task.ts";
import { contentOfTask } from "./task-content.ts";

function faults(spec: TaskInput["spec"]): string {
  const found = findTaskFaults(contentOfTask({ name: "t", spec }), "template");
  return found.map(({ path, message }) => `${path} ${message}`).join("\n");
}

const source: Step = {
  name: "a",
  script: "x",
  results: [{ name: "tag" }, { name: "list", type: "array" }, { name: "obj", type: "object", properties: { k: { type: "string" } } }],
};
const use = (more: Partial<Step>): Step[] => [
  source,
  { name: "b", script: "x", ...more },
  { name: "c", script: "x", results: [{ name: "r" }] },
];
const when = (...conditions: unknown[]): Step[] => use({ when: conditions });
const tag = "$(steps.a.results.tag)";

describe("results of steps as values are refused", () => {
  test.each<[string, TaskInput["spec"], string]>([
    [
      "of a step that there is not",
      { steps: use({ args: ["$(steps.x.results.tag)"] }) },
      "/spec/steps/1/args/0 refers to $(steps.x.results.tag), but the task has no step x",
    ],
    [
      "of a later step",
      { steps: use({ args: ["$(steps.c.results.r)"] }) },
      "/spec/steps/1/args/0 refers to $(steps.c.results.r), but the step c comes later",
    ],
    [
      "of the step itself",
      { steps: use({ command: ["$(steps.b.results.r)"] }) },
      "/spec/steps/1/command/0 refers to $(steps.b.results.r), but this is the step itself",
    ],
    [
      "of the step itself by its short form",
      { steps: use({ args: ["$(step.results.r)"] }) },
      "/spec/steps/1/args/0 refers to $(step.results.r), but a step can't take its own results",
    ],
    [
      "that are not declared",
      { steps: use({ env: [{ name: "E", value: "x$(steps.a.results.no)" }] }) },
      "/spec/steps/1/env/0/value refers to $(steps.a.results.no), but the step a declares no result no",
    ],
    [
      "of another type",
      { steps: use({ args: ["$(steps.a.results.list)"] }) },
      "this result is of type array; take all elements with [*], one with [0], or its path",
    ],
    [
      "item by item inside a text",
      { steps: use({ args: ["x$(steps.a.results.list[*])"] }) },
      "/spec/steps/1/args/0 refers to $(steps.a.results.list[*]), but [*] can only be a whole item of command",
    ],
    [
      "item by item in a variable",
      { steps: use({ env: [{ name: "E", value: "$(steps.a.results.list[*])" }] }) },
      "[*] can only be a whole item",
    ],
    ["item by item as input", { steps: when({ input: "$(steps.a.results.list[*])", operator: "in", values: ["x"] }) }, "[*] can only be"],
    [
      "item by item of a text",
      { steps: use({ args: ["$(steps.a.results.tag[*])"] }) },
      "this result is of type string; [*] needs one of type array",
    ],
    ["as a member of a list", { steps: use({ args: ["$(steps.a.results.list.x)"] }) }, "this result is of type array, which has no x"],
    ["as a member that is not declared", { steps: use({ args: ["$(steps.a.results.obj.x)"] }) }, "this result declares no member x"],
    ["as a part of a part", { steps: use({ args: ["$(steps.a.results.obj.k.x)"] }) }, "the step a declares no result obj.k.x"],
    ["as a part of a text", { steps: use({ args: ["$(steps.a.results.tag[0])"] }) }, "the step a declares no result tag.0"],
    [
      "in a script",
      { steps: use({ script: `echo ${tag}` }) },
      "/spec/steps/1/script refers to $(steps.a.results.tag), but a script can't have results of steps in its text; give it to the script by env or args",
    ],
    [
      "as a folder",
      { steps: use({ workingDir: `/${tag}` }) },
      "/spec/steps/1/workingDir refers to $(steps.a.results.tag), but results of steps can only be values in command, args, env and when",
    ],
    [
      "in the template of all steps",
      { steps: use({}), stepTemplate: { env: [{ name: "E", value: tag }] } },
      "/spec/steps/0/env/0/value refers to $(steps.a.results.tag), but this is the step itself",
    ],
    [
      "in a condition",
      { steps: when({ input: "x", operator: "in", values: ["$(steps.c.results.r)"] }) },
      "/spec/steps/1/when refers to $(steps.c.results.r), but the step c comes later",
    ],
    [
      "more than a step can take",
      {
        steps: [
          { ...source, results: Array.from({ length: 101 }, (_, at) => ({ name: `r${at}` })) },
          { name: "b", script: "x", args: Array.from({ length: 101 }, (_, at) => `$(steps.a.results.r${at})`) },
        ],
      },
      "/spec/steps/1 takes 101 results of other steps as values; it can take 100",
    ],
    [
      "that would be kept in one file",
      {
        steps: [
          { name: "a", script: "x", results: [{ name: "b.c" }] },
          { name: "a.b", script: "x", results: [{ name: "c" }] },
        ],
      },
      "/spec/steps/1/results/0/name is kept in the same file as a result of the step a; rename it",
    ],
    [
      "as a part of a result",
      { steps: use({}), results: [{ name: "r", value: `v${tag}` }] },
      '/spec/results/0/value is "v$(steps.a.results.tag)"; it must be a whole result of a step',
    ],
    [
      "as a result of another type",
      { steps: use({}), results: [{ name: "r", type: "array", value: tag }] },
      "/spec/results/0/value refers to a result of type string, but the result r is of type array",
    ],
    [
      "as a result that no step declares",
      { steps: use({}), results: [{ name: "r", value: "$(steps.a.results.no)" }] },
      "the step a declares no result no",
    ],
    ["as a result of no step", { steps: use({}), results: [{ name: "r", value: "$(steps.x.results.no)" }] }, "the task has no step x"],
  ])("%s", (_what, spec, expected) => {
    expect(faults(spec)).toContain(expected);
  });

  test("but not where they are earlier ones, nor their paths", () => {
    const fine = use({
      script: "cat $(steps.a.results.list.path) $(steps.a.exitCode.path) $(step.results.own.path)",
      args: [tag, `v${tag}`, "$(steps.a.results.list[*])", "v$(steps.a.results.list[0])", "$(steps.a.results.obj.k)"],
      env: [{ name: "E", value: tag }],
      when: [{ input: tag, operator: "in", values: ["x", tag, "$(steps.a.results.list[*])"] }],
      results: [{ name: "own" }],
    });
    const results = [
      { name: "r", value: tag },
      { name: "l", type: "array", value: "$(steps.a.results.list)" },
    ];
    expect(faults({ steps: fine, results })).toBe("");
    expect(
      faults({
        steps: [
          { script: "x", results: [{ name: "r" }] },
          { script: "x", args: ["$(steps.unnamed-0.results.r)"] },
        ],
      }),
    ).toBe("");
  });
});

describe("conditions of steps are refused", () => {
  test.each<[unknown, string]>([
    [{ cel: "'a' == 'b'" }, "/spec/steps/1/when/0 has a CEL expression (cel), which is not supported; write it with input, operator"],
    [{}, "/spec/steps/1/when/0 needs input, as a text"],
    ["x", "/spec/steps/1/when/0 must have input, operator and values"],
    [{ input: "a", operator: "eq", values: ["a"] }, 'has the operator "eq"; it must be in or notin'],
    [{ input: "a", operator: "in", values: "a" }, "needs values, as a list of texts"],
    [{ input: "a", operator: "in", values: [] }, "needs values, as a list of texts"],
    [{ input: "a", operator: "in", values: ["a"], value: "b" }, "has the member value; a condition has input, operator and values"],
  ])("%j", (condition, expected) => {
    expect(faults({ steps: when(condition) })).toContain(expected);
  });

  test("that are no list", () => {
    expect(faults({ steps: use({ when: { input: "a" } }) })).toContain("/spec/steps/1/when must be a list of conditions");
  });
});
