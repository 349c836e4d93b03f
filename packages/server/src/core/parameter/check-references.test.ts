import { describe, expect, test } from "vitest";
import { startWork } from "../../../test/kit/processor-ms.ts";
import { documentOf } from "../workflow/workflow-document.ts";
import { type CheckedDefinition, checkReferences } from "./check-references.ts";

const definition = (more: Partial<CheckedDefinition> = {}): CheckedDefinition => ({
  name: "build",
  params: [],
  results: [{ name: "digest" }],
  workspaces: [],
  undeclared: [],
  ...more,
});

/** Two tasks, of which the second depends on the first and has this value, in a workflow with the parameter `day`. */
function check(value: unknown, more: { task?: object; workflow?: object; first?: object; definition?: Partial<CheckedDefinition> } = {}) {
  const document = documentOf({
    name: "w",
    params: [{ name: "day" }],
    workspaces: [{ name: "workflow", type: "workflow" }],
    tasks: [
      { name: "first", type: "template", ...more.first },
      { name: "second", type: "template", dependencies: [{ taskRef: "first" }], params: [{ name: "text", value }], ...more.task },
      { name: "third", type: "template", dependencies: [{ taskRef: "second" }] },
      { name: "beside", type: "template" },
    ],
    ...more.workflow,
  });
  const definitions = new Map([
    ["first", definition(more.definition)],
    ["second", definition({ results: [] })],
    ["third", definition()],
    ["beside", definition()],
  ]);
  return checkReferences({ document, definitions, around: { global: new Set(["region"]), team: new Set(["channel"]) } });
}

test.each([
  "$(params.day) and $(workflow.params.day)",
  "$(params.region) $(params.channel) $(global.params.region) $(team.params.channel)",
  "$(context.params.workflowrun-id) $(params.team-name) $(context.params['callback-url'].paid)",
  "$(params.event) $(params.data.ref)",
  "$(tasks.first.results.digest) $(task.first.results.digest.of.it[0])",
  "$(results.out.path) $(workspaces.workflow.path)",
  "$(date +%F) $(params) $(steps.a.results.b.path)",
])("%s leads somewhere", (value) => {
  expect(check(value)).toEqual({ problems: [], warnings: [] });
});

describe("a problem:", () => {
  test.each([
    ["$(params.nope)", 'there is no parameter "nope"'],
    ["$(workflow.params.region)", "it is not declared"],
    ["$(context.params.nope)", "runs have no parameter"],
    ["$(params.item)", 'there is no parameter "item"'],
    ["$(tasks.zzz.results.q)", 'the workflow has no task "zzz"'],
    ["$(tasks.first.results.q)", 'task "first" has no result "q"; it has digest'],
    ["$(tasks.second.results.q)", "its own results"],
    ["$(tasks.third.results.digest)", 'task "third" comes after this one'],
    ["$(workspaces.cache.path)", 'no workspace "cache"'],
  ])("%s", (value, why) => {
    const { problems, warnings } = check({ deep: [`x ${value} y`] });
    expect(problems).toEqual([{ path: "/tasks/1/params/0/value", message: expect.stringContaining(why) }]);
    expect(problems[0]?.message).toContain(value);
    expect(warnings).toEqual([]);
  });

  test("a list for each of whose items a task runs", () => {
    const { problems } = check("x", { task: { forEach: { items: "$(params.nope)" } } });
    expect(problems).toMatchObject([{ path: "/tasks/1/forEach/items" }]);
    expect(check("$(params.item) $(params.item-index)", { task: { forEach: { items: [1] } } }).problems).toEqual([]);
  });

  test("what the definition requires and nobody gives", () => {
    const required = [
      { name: "url", required: true },
      { name: "kept", required: true, type: "password" },
      { name: "set", required: true, default: "x" },
    ];
    const more = { params: required, workspaces: [{ name: "source" }, { name: "cache", optional: true }], undeclared: ["flag"] };
    expect(check("x", { definition: more }).problems).toEqual([
      { path: "/tasks/0/params", message: 'parameter "url" of task build is required and has no value' },
      { path: "/tasks/0/params", message: expect.stringContaining('refers to the parameter "flag"') },
      { path: "/tasks/0/workspaces", message: expect.stringContaining('needs the workspace "source"') },
    ]);
    const first = {
      params: [
        { name: "url", value: "https://example.com" },
        { name: "flag", value: "" },
      ],
      workspaces: [{ name: "source", type: "workflow" }],
    };
    expect(check("x", { definition: more, first }).problems).toEqual([]);
  });
});

test("a task that sets a result of the run has a result of that name", () => {
  const named = (output: string) => ({
    first: { type: "setwfproperty", params: [{ name: "output", value: output }] },
    definition: { results: [] },
  });
  expect(check("$(tasks.first.results.city)", named("city"))).toEqual({ problems: [], warnings: [] });
  expect(check("$(tasks.first.results.city)", named("$(params.day)"))).toEqual({ problems: [], warnings: [] });
  expect(check("$(tasks.first.results.city)", named("town")).problems[0]?.message).toContain("it has town");
});

test("a field of an approval or a manual task is a result of it", () => {
  const fields = [{ name: "version" }, { name: "region" }];
  for (const value of [fields, JSON.stringify(fields)]) {
    const first = { type: "approval", params: [{ name: "fields", value }] };
    expect(check("$(tasks.first.results.region) $(tasks.first.results.digest)", { first })).toEqual({ problems: [], warnings: [] });
    const { warnings } = check("$(tasks.first.results.regoin)", { first });
    expect(warnings[0]?.message).toContain('does not declare the result "regoin" (it has digest, version, region)');
  }
  const computed = { type: "manual", params: [{ name: "fields", value: "$(params.day)" }] };
  expect(check("$(tasks.first.results.any)", { first: computed }), "only a run can know them").toEqual({ problems: [], warnings: [] });
});

describe("a warning:", () => {
  test.each([
    ["$(team.params.nope)", "the team has no team parameter"],
    ["$(global.params.nope)", 'there is no global parameter "nope" now'],
    ["$(tasks.beside.results.digest)", "add a dependency"],
  ])("%s", (value, why) => {
    expect(check(value)).toEqual({ problems: [], warnings: [{ path: "/tasks/1/params/0/value", message: expect.stringContaining(why) }] });
  });

  test.each(["runworkflow", "eventwait", "generic", "custom", "script"])("a result that a task of type %s does not declare", (type) => {
    const { problems, warnings } = check("$(tasks.first.results.q)", { first: { type }, definition: { results: [] } });
    expect([problems.length, warnings.length]).toEqual([0, 1]);
  });

  test.each([{ workflow: { unresolvedReferences: "keep" } }, { task: { unresolvedReferences: "keep" } }])(
    "everything, where such references are kept as they are written (%j)",
    (more) => {
      const { problems, warnings } = check("$(params.nope) $(tasks.zzz.results.q)", more);
      expect([problems.length, warnings.length]).toEqual([0, 2]);
      expect(
        check("$(params.nope)", { workflow: { unresolvedReferences: "keep" }, task: { unresolvedReferences: "fail" } }).problems,
      ).toHaveLength(1);
    },
  );
});

test("ten thousand tasks that refer to the first take less than a second", () => {
  const tasks = Array.from({ length: 10_000 }, (_, index) => ({
    name: `t${index}`,
    type: "template" as const,
    dependencies: index === 0 ? [] : [{ taskRef: `t${index - 1}` }],
    params: [{ name: "text", value: index === 0 ? "x" : "$(tasks.t0.results.digest)" }],
  }));
  const document = documentOf({ name: "w", tasks });
  const definitions = new Map(tasks.map(({ name }) => [name, definition()]));
  const expectWithin = startWork();
  expect(checkReferences({ document, definitions, around: { global: new Set(), team: new Set() } })).toEqual({
    problems: [],
    warnings: [],
  });
  expectWithin(1000);
});

describe("a default of a parameter of the workflow", () => {
  const ofDefault = (value: unknown, more: { param?: object; workflow?: object } = {}) =>
    check("x", { workflow: { params: [{ name: "day" }, { name: "p", default: value, ...more.param }], ...more.workflow } });

  test.each([
    "$(params.day) $(workflow.params.day)",
    "$(params.region) $(team.params.channel)",
    "$(params.data.ref)",
    "$(date) $(context.params.workflow-name)",
  ])("may refer to %s", (value) => {
    expect(ofDefault(value)).toEqual({ problems: [], warnings: [] });
  });

  test.each([
    ["$(params.nope)", 'there is no parameter "nope"'],
    ["$(params.p)", "itself"],
    ["$(tasks.first.results.digest)", "no task has run"],
    ["$(workspaces.workflow.path)", "only a task"],
    ["$(context.codehost-token)", "only a task"],
    ["$(params.item)", 'there is no parameter "item"'],
  ])("that refers to %s is a problem", (value, why) => {
    const { problems, warnings } = ofDefault({ deep: [value] });
    expect(problems).toEqual([{ path: "/params/1/default", message: expect.stringContaining(why) }]);
    expect(problems[0]?.message).toContain(value);
    expect(warnings).toEqual([]);
  });

  test("that refers to its own name means the layer below, if there is one", () => {
    expect(check("x", { workflow: { params: [{ name: "day" }, { name: "region", default: "$(params.region)" }] } }).problems).toEqual([]);
  });

  test("is checked as a value, unless it is a secret", () => {
    expect(ofDefault(undefined, { param: { value: "$(params.nope)" } }).problems).toMatchObject([{ path: "/params/1/value" }]);
    expect(ofDefault("$(params.nope)", { param: { type: "password" } }).problems).toEqual([]);
  });

  test("is a warning where references are kept as they are written", () => {
    const { problems, warnings } = ofDefault("$(params.nope)", { workflow: { unresolvedReferences: "keep" } });
    expect(problems).toEqual([]);
    expect(warnings).toHaveLength(1);
  });
});

test.each([
  ["$(param.day)", "did you mean $(params.day)?"],
  ["$(tasks.first.result.digest)", "did you mean $(tasks.first.results.digest)?"],
  ["$(params.day", "is malformed"],
  ["$(allParams)", "every secret"],
])("what looks like a reference and is none, as %s, is reported wherever references may stand", (written, why) => {
  const expected = expect.stringContaining(why);
  expect(check([written])).toEqual({ problems: [], warnings: [{ path: "/tasks/1/params/0/value", message: expected }] });
  expect(check("x", { workflow: { params: [{ name: "day", default: written }] } }).warnings).toEqual([
    { path: "/params/0/default", message: expected },
  ]);
  expect(check("x", { task: { forEach: { items: written } } }).warnings).toEqual([{ path: "/tasks/1/forEach/items", message: expected }]);
});

test("a reference in a condition, which is a pattern, is reported", () => {
  const { problems, warnings } = check("x", {
    task: { dependencies: [{ taskRef: "first", decisionCondition: "a$(b)\n$(params.day)" }] },
  });
  expect(problems).toEqual([]);
  expect(warnings).toEqual([
    {
      path: "/tasks/1/dependencies/0/decisionCondition",
      message: expect.stringMatching(/^\$\(params\.day\) is not replaced in a condition/),
    },
  ]);
});
