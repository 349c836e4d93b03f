import type { AbstractParam } from "@millrace/contract/common.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expectWork, startWork } from "../../../test/kit/processor-ms.ts";
import { maxNodeParamsLength } from "../run/result-sizes.ts";
import { type ParameterScope, resolveParams, resolveRunParams, resolveText, resolveValue, type TargetKind } from "./parameters.ts";
import { secretMask } from "./secret-params.ts";

const scope: ParameterScope = {
  global: { host: "g.example", only: "global", shared: "global", nothing: "not hidden" },
  team: { shared: "team", nothing: null, "a.b": "dotted" },
  workflow: { shared: "workflow", list: ["a", "b"], user: { name: "Ada", tags: ["x", { deep: true }], none: null }, count: 5, flag: false },
  task: { shared: "task", own: "mine", item: { id: 7 }, "item-index": 3 },
  context: { "workflowrun-ref": "run-1" },
  result: (task, name) =>
    task === "Build it" && name === "out"
      ? { found: true, value: '{"image": {"tag": "v1"}, "n": [1, 2]}' }
      : task === "Skipped"
        ? { found: false, why: 'task "Skipped" was skipped' }
        : task === "Failed"
          ? { found: true, why: "it failed" }
          : { found: false },
  extra: (words) => (words.join(".") === "results.out.path" ? { found: true, value: "/results/out" } : { found: false }),
};

describe("resolveText", () => {
  it.each([
    ["no reference", "no reference"],
    ["$(params.own)!", "mine!"],
    ["$(params.shared) $(workflow.params.shared) $(team.params.shared) $(global.params.shared)", "task workflow team global"],
    ["$(params.only)", "global"],
    ["$(params.nothing)", "not hidden"],
    ["$(params['a.b'])", "dotted"],
    ["$(context.params.workflowrun-ref)/$(params.workflowrun-ref)", "run-1/run-1"],
    ["$(params.user.name) $(params.user.tags[0]) $(params.user.tags.1.deep)", "Ada x true"],
    ["$(params.user.none)", "null"],
    ["$(params.count)", "5"],
    ["$(params.flag)", "false"],
    ["$(params.list)", '["a","b"]'],
    ["$(params.item.id) of $(params.item-index)", "7 of 3"],
    ["$(tasks.Build it.results.out.image.tag)$(task.Build it.results.out.n[1])", "v12"],
    ["$(tasks['Build it'].results['out']['image'])", '{"tag":"v1"}'],
    ["echo x > $(results.out.path)", "echo x > /results/out"],
    ['y=$(cat "$(params.own)") && echo $(date) $((1+1)) ${HOME} $$', 'y=$(cat "mine") && echo $(date) $((1+1)) ${HOME} $$'],
  ])("%s becomes %s", (text, expected) => {
    expect(resolveText(text, scope)).toEqual({ value: expected, warnings: [] });
  });

  it.each([
    ["$(params.missing)", 'there is no parameter "missing"'],
    ["$(team.params.host)", 'there is no parameter "host" in layer team'],
    ["$(params.user.missing)", "it has no .missing"],
    ["$(params.own.x)", "it has no .x"],
    ["$(params.constructor)", 'there is no parameter "constructor"'],
    ["$(params.__proto__)", 'there is no parameter "__proto__"'],
    ["$(params.user.__proto__)", "it has no .__proto__"],
    ["$(params.list.length)", "it has no .length"],
    ["$(tasks.Skipped.results.x)", 'task "Skipped" was skipped'],
    ["$(tasks.Build it.results.nope)", 'task "Build it" has no result "nope"'],
  ])("%s leads nowhere, and stays unchanged: %s", (reference, why) => {
    expect(resolveText(`<${reference}>`, scope)).toEqual({ value: `<${reference}>`, warnings: [{ reference, why, isUnresolved: true }] });
  });

  it.each([
    ["$(team.params.nothing)", 'parameter "nothing" in layer team has no value, so an empty text is used'],
    ["$(tasks.Failed.results.x.y)", "it failed"],
    ["$(tasks.Failed.results.x[0])", "it failed"],
  ])("%s exists without a value and becomes an empty text: %s", (reference, why) => {
    expect(resolveText(`<${reference}>`, scope)).toEqual({ value: "<>", warnings: [{ reference, why }] });
  });

  it("a path into a secret stays a secret", () => {
    expect(resolveText("$(params.login.password)", { task: { login: secretMask } })).toEqual({ value: secretMask, warnings: [] });
  });

  it.each([
    ["$(params.list[*])", "[*] must be a whole value, or one whole element of a list"],
    ["$(allParams)", expect.stringContaining("not supported")],
    ["$(tasks.v1.2.results.x)", expect.stringContaining("brackets")],
  ])("%s stays unchanged, with the reason: %s", (reference, why) => {
    expect(resolveText(`<${reference}>`, scope)).toEqual({ value: `<${reference}>`, warnings: [{ reference, why }] });
  });

  it("leaves places that are unknown here without a warning", () => {
    expect(resolveText("$(workspaces.src.path) $(steps.a.results.b.path)", scope)).toEqual({
      value: "$(workspaces.src.path) $(steps.a.results.b.path)",
      warnings: [],
    });
  });

  it("warns once about a reference that stands there often", () => {
    expect(resolveText("$(params.x) $(params.x)", {}).warnings).toHaveLength(1);
  });

  it("never expands text inside a value", () => {
    const evil = {
      workflow: { payload: "$(global.params.secret) $(params.payload)", secret: "$(params.payload)" },
      global: { secret: "s3cret" },
    };
    expect(resolveText("$(params.payload)|$(workflow.params.secret)", evil)).toEqual({
      value: "$(global.params.secret) $(params.payload)|$(params.payload)",
      warnings: [],
    });
  });

  it("does not join a value and the text around it to a reference", () => {
    expect(resolveText("$(params.a)(params.b)", { workflow: { a: "$", b: "secret" } }).value).toBe("$(params.b)");
    expect(resolveText("$(params.$(params.a))", { workflow: { a: "b", b: "secret" } }).value).toBe("$(params.b)");
  });

  it("keeps within the size limit", () => {
    const big = { workflow: { big: "x".repeat(1024 * 1024) } };
    const { value, warnings } = resolveText("$(params.big)".repeat(1000), big);
    expect(value.length).toBeLessThan(maxNodeParamsLength + 20_000);
    expect(value.endsWith("$(params.big)")).toBe(true);
    expect(warnings).toEqual([{ reference: "$(params.big)", why: expect.stringContaining("more than there is room for") }]);
  });
});

describe("resolveValue", () => {
  it.each<[unknown, TargetKind, unknown]>([
    ["$(params.count)", "any", 5],
    ["$(params.count)", "string", "5"],
    ["$(params.flag)", "any", false],
    ["$(params.user)", "object", { name: "Ada", tags: ["x", { deep: true }], none: null }],
    ["$(params.user)", "string", '{"name":"Ada","tags":["x",{"deep":true}],"none":null}'],
    [" $(params.user.tags)\n", "array", ["x", { deep: true }]],
    ["$(params.list[*])", "array", ["a", "b"]],
    ["$(params.user.none)", "any", null],
    ["n=$(params.count)", "any", "n=5"],
    [["-v", "$(params.list[*])", "$(params.list)", "$(params.own)"], "array", ["-v", "a", "b", ["a", "b"], "mine"]],
    [{ a: ["$(params.count)"], b: { c: "<$(params.count)>" }, d: 1.5 }, "object", { a: [5], b: { c: "<5>" }, d: 1.5 }],
    [{ a: "$(params.count)" }, "string", { a: 5 }],
    [5, "string", 5],
    [null, "object", null],
    ["$(tasks.Build it.results.out)", "object", { image: { tag: "v1" }, n: [1, 2] }],
    ["$(tasks.Build it.results.out)", "any", '{"image": {"tag": "v1"}, "n": [1, 2]}'],
    ["$(tasks.Build it.results.out.n[*])", "array", [1, 2]],
    ["not json", "object", "not json"],
  ])("%j as %s becomes %j", (value, kind, expected) => {
    expect(resolveValue(value, kind, scope)).toEqual({ value: expected, warnings: [] });
  });

  it.each([
    ['{"a": "$(params.quote)", "n": 1.0}', '{"a": "say \\"hi\\"\\n", "n": 1.0}'],
    ['{"a": "he did $(params.quote)"}', '{"a": "he did say \\"hi\\"\\n"}'],
    ['{"a": "$(params.n)", "b": $(params.n), "c": "<$(params.n)>"}', '{"a": 5, "b": 5, "c": "<5>"}'],
    ['{"$(params.key)" : "$(params.key)"}', '{"k\\"" : "k\\""}'],
    ['["$(params.o)", $(params.o)]', '[{"x":["$(params.n)"]}, {"x":["$(params.n)"]}]'],
    ['{"a": "\\"$(params.n)"}', '{"a": "\\"5"}'],
    ['{"a": "$(params.n)$(params.n)"}', '{"a": "55"}'],
    ['{"a": "$(params.missing)", "b": "$(params.n)"}', '{"a": "$(params.missing)", "b": 5}'],
    ['{"a": "$(params[\\"n\\"])"}', '{"a": "$(params[\\"n\\"])"}'],
  ])("puts values into JSON text so that it stays JSON: %s", (text, expected) => {
    const values = { workflow: { quote: 'say "hi"\n', n: 5, key: 'k"', o: { x: ["$(params.n)"] } } };
    expect(resolveValue(text, "object", values).value).toBe(expected);
    expect(() => JSON.parse(expected)).not.toThrow();
  });

  it("counts structures against the size limit too", () => {
    const big = { workflow: { big: { text: "x".repeat(1024 * 1024) } } };
    const { value, warnings } = resolveValue(Array(100).fill("$(params.big)"), "array", big);
    expect((value as unknown[]).filter((element) => typeof element === "object")).toHaveLength(3);
    expect(warnings).toHaveLength(1);
  });

  it("copies a long list in which there is nothing to replace without taking its elements apart", () => {
    const list = Array.from({ length: 100_000 }, (_, index) => (index % 3 === 0 ? `item ${index}` : index % 3 === 1 ? index : null));
    expectWork(10, () => expect((resolveValue(list, "array", scope).value as unknown[]).length).toBe(list.length));
    const copy = resolveValue(list, "array", scope).value;
    expect(copy).not.toBe(list);
    expect(copy).toEqual(list);
    expect(resolveValue([...list, "$(params.count)"], "array", scope).value).toEqual([...list, 5]);
  });

  it("keeps odd member names as members", () => {
    const value = JSON.parse('{"__proto__": "$(params.count)", "constructor": "x"}');
    const resolved = resolveValue(value, "object", scope).value as object;
    expect(Object.keys(resolved)).toEqual(["__proto__", "constructor"]);
    expect(Object.getPrototypeOf(resolved)).toBe(Object.prototype);
    expect(JSON.stringify(resolved)).toBe('{"__proto__":5,"constructor":"x"}');
  });
});

const text = (name: string, more: Partial<AbstractParam> = {}): AbstractParam => ({ name, type: "text", ...more });

describe("resolveParams", () => {
  it("overlays declared defaults by what the node gives, and keeps what is not declared", () => {
    const declared = [text("a", { default: "da" }), text("b", { default: "db" }), text("c"), text("d", { default: "dd" })];
    const given = [
      { name: "b", value: "$(params.count)" },
      { name: "d", value: null },
      { name: "extra", value: "$(params.count)" },
    ];
    expect(resolveParams(given, declared, scope)).toEqual({
      isOverfull: false,
      params: [
        { name: "a", value: "da" },
        { name: "b", value: "5" },
        { name: "d", value: "dd" },
        { name: "extra", value: 5 },
      ],
      warnings: [],
    });
  });

  it("lets form types decide what a value becomes", () => {
    const declared = ["text", "number", "boolean", "json", "multiselect", "texteditor::shell", undefined].map((type, index) => ({
      name: `p${index}`,
      type,
    }));
    const given = declared.map(({ name }) => ({ name, value: "$(params.count)" }));
    expect(resolveParams(given, declared, scope).params.map(({ value }) => value)).toEqual(["5", 5, 5, 5, 5, "5", "5"]);
  });

  it("resolves parameters that refer to each other, in any order", () => {
    const given = [
      { name: "script", value: "echo $(params.greeting)" },
      { name: "greeting", value: "hello $(params.who)" },
      { name: "who", value: "$(workflow.params.user.name)" },
    ];
    expect(resolveParams(given, [], scope).params.map(({ value }) => value)).toEqual(["echo hello Ada", "hello Ada", "Ada"]);
  });

  it("takes the layer below for a parameter that refers to its own name", () => {
    expect(resolveParams([{ name: "count", value: "$(params.count)" }], [], scope)).toEqual({
      isOverfull: false,
      params: [{ name: "count", value: 5 }],
      warnings: [],
    });
    expect(resolveParams([{ name: "item", value: "$(params.item.id)" }], [], scope).params).toEqual([{ name: "item", value: 7 }]);
  });

  it("ends for parameters that refer to each other in a circle, and says so", () => {
    const given = [
      { name: "a", value: "$(params.b)" },
      { name: "b", value: "$(params.a)" },
    ];
    expect(resolveParams(given, [], {})).toEqual({
      isOverfull: false,
      params: [
        { name: "a", value: "$(params.a)" },
        { name: "b", value: "$(params.a)" },
      ],
      warnings: [{ param: "b", reference: "$(params.a)", why: 'there is no parameter "a"', isUnresolved: true }],
    });
  });

  it("does not expand what one parameter brought into another", () => {
    const given = [
      { name: "a", value: "$(params.payload)" },
      { name: "b", value: "$(params.a)" },
    ];
    const evil = { workflow: { payload: "$(params.secret)", secret: "s3cret" } };
    expect(resolveParams(given, [], evil).params.map(({ value }) => value)).toEqual(["$(params.secret)", "$(params.secret)"]);
  });

  it("survives long chains of deep values", () => {
    const deep = (leaf: string) => Array.from({ length: 60 }).reduce<unknown>((inner) => [inner], leaf);
    const given = Array.from({ length: 3000 }, (_, index) => ({ name: `p${index}`, value: deep(`$(params.p${index + 1})`) }));
    expect(resolveParams(given, [], {}).params).toHaveLength(3000);
  });

  it("takes linear time", () => {
    const expectWithin = startWork();
    const workflow = { json: JSON.stringify({ deep: { list: Array.from({ length: 50_000 }, (_, index) => index) } }) };
    const given = [{ name: "p", value: Array.from({ length: 20_000 }, (_, index) => `$(params.json.deep.list[${index}]) $(params.nope`) }];
    expect(resolveParams(given, [], { workflow }).params).toHaveLength(1);
    expectWithin(3000);
  });
});

describe("resolveRunParams", () => {
  it("expands declared defaults, never what the request brought", () => {
    const declared = [
      text("url", { default: "https://$(params.host)/$(workflow.params.path)" }),
      text("path", { default: "index" }),
      text("host", { default: "$(params.host)" }),
    ];
    const given = [
      { name: "path", value: "$(global.params.host)" },
      { name: "data", value: { a: "$(params.host)" } },
    ];
    expect(resolveRunParams(given, declared, { global: scope.global })).toEqual({
      isOverfull: false,
      params: [
        { name: "url", value: "https://g.example/$(global.params.host)" },
        { name: "path", value: "$(global.params.host)" },
        { name: "host", value: "g.example" },
        { name: "data", value: { a: "$(params.host)" } },
      ],
      warnings: [],
    });
  });
});

describe("substitution, for any input", () => {
  const name = fc.constantFrom("a", "b", "c", "__proto__", "constructor", "x y");
  const reference = fc
    .tuple(
      fc.constantFrom("params", "global.params", "team.params", "tasks.t.results", "inputs.params"),
      name,
      fc.constantFrom("", ".k", "[0]", "['k']", "[*]", ".k.k"),
    )
    .map(([root, last, path]) => `$(${root}.${last}${path})`);
  const piece = fc.oneof(fc.string({ maxLength: 5 }), reference, fc.constantFrom("$(", ")", '"', "{", "[", "$(date)", "\\"));
  const template = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(""));
  const json = fc.oneof(fc.jsonValue(), template, fc.dictionary(name, template), fc.array(template));
  const layer = fc.dictionary(name, fc.oneof(json, fc.anything()));
  const anyScope = fc
    .record({ global: layer, team: layer, workflow: layer, task: layer, context: layer, results: layer })
    .map(({ results, ...layers }) => ({
      ...layers,
      result: (_: string, result: string) => ({ found: Object.hasOwn(results, result), value: results[result] }),
    }));
  const kind = fc.constantFrom<TargetKind>("string", "array", "object", "any");

  it("never throws", () => {
    fc.assert(
      fc.property(fc.oneof(json, fc.anything()), kind, anyScope, (value, target, given) => {
        resolveValue(value, target, given);
        resolveParams([{ name: "a", value }], [text("b", { default: value })], given);
      }),
      { numRuns: 500 },
    );
  });

  it("leaves a value without references exactly as it is", () => {
    const plain = fc.jsonValue().filter((value) => !JSON.stringify(value).includes("$("));
    fc.assert(
      fc.property(plain, kind, anyScope, (value, target, given) => {
        expect(resolveValue(value, target, given)).toEqual({ value, warnings: [] });
      }),
    );
  });

  it("leaves shell substitutions byte for byte", () => {
    const shell = fc
      .array(fc.constantFrom("$(date)", "$(cat ", ")", "$((", "))", "`", "$", "(", "params.a", "$( params.a)", "\n", '"'), {
        maxLength: 12,
      })
      .map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(
        shell.filter((script) => !script.includes("$(params.")),
        (script) => {
          const { value, warnings } = resolveText(script, { workflow: { a: "x" } });
          expect(value).toBe(script);
          // Only a single word between the parentheses may have been meant as a reference.
          expect(warnings.map(({ reference }) => reference)).toEqual(script.includes("$( params.a)") ? ["$( params.a)"] : []);
        },
      ),
    );
  });

  it("never expands what came out of a value", () => {
    const poison = fc.tuple(template, template).map(([before, after]) => `${before}$(params.secret)$(tasks.t.results.secret)${after}`);
    const poisoned = fc.dictionary(name, fc.oneof(poison, fc.record({ k: poison }), fc.array(poison)));
    fc.assert(
      fc.property(json, kind, poisoned, poisoned, (value, target, workflow, results) => {
        const given: ParameterScope = {
          workflow: { ...workflow, secret: "S3CRET" },
          result: (_, result) => ({
            found: result === "secret" || Object.hasOwn(results, result),
            value: result === "secret" ? "S3CRET" : results[result],
          }),
        };
        expect(JSON.stringify(resolveValue(value, target, given).value)).not.toContain("S3CRET");
      }),
      { numRuns: 500 },
    );
  });

  it("keeps the type of every value that is not itself one reference", () => {
    const typeOf = (value: unknown) => (Array.isArray(value) ? "array" : value === null ? "null" : typeof value);
    fc.assert(
      fc.property(json, kind, anyScope, (value, target, given) => {
        const isReference = typeof value === "string" && /^\s*\$\(.*\)\s*$/s.test(value) && target !== "string";
        if (!isReference) expect(typeOf(resolveValue(value, target, given).value)).toBe(typeOf(value));
      }),
    );
  });

  it("keeps JSON text JSON", () => {
    const inside = fc.dictionary(
      fc.constantFrom("a", "b"),
      fc.oneof(
        fc.string(),
        reference,
        fc.tuple(fc.string(), reference).map((two) => two.join("")),
      ),
    );
    fc.assert(
      fc.property(inside, fc.dictionary(name, fc.jsonValue()), (value, workflow) => {
        const resolved = resolveValue(JSON.stringify(value), "object", { workflow }).value;
        expect(Object.keys(JSON.parse(resolved as string)).sort()).toEqual(Object.keys(value).sort());
      }),
    );
  });
});
