import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { startWork } from "../../../test/kit/processor-ms.ts";
import { findReferences, followPath, type PathStep, parseJson, type Reference, scanReferences, writeStep } from "./references.ts";

function only(text: string): Partial<Reference> {
  const found = scanReferences(text);
  expect(found).toHaveLength(1);
  return found[0]?.reference ?? {};
}

describe("scanReferences", () => {
  it.each<[string, Record<string, unknown>]>([
    ["$(params.name)", { kind: "param", layer: undefined, name: "name", path: [] }],
    ["$(params.a.b.c)", { name: "a", path: ["b", "c"] }],
    ["$(params.items[0].id)", { name: "items", path: [0, "id"] }],
    ["$(params['a.b'])", { name: "a.b", path: [] }],
    ['$(params["a.b"]["c d"][2])', { name: "a.b", path: ["c d", 2] }],
    ["$(params.list[*])", { name: "list", path: [], spread: true }],
    ["$(inputs.params.x)", { kind: "param", layer: undefined, name: "x" }],
    ["$(global.params.x)", { layer: "global", name: "x" }],
    ["$(team.params.x.y)", { layer: "team", name: "x", path: ["y"] }],
    ["$(workflow.params['x'])", { layer: "workflow", name: "x" }],
    ["$(context.params.workflowrun-ref)", { layer: "context", name: "workflowrun-ref" }],
    ["$(tasks.build.results.image)", { kind: "result", task: "build", name: "image", path: [] }],
    ["$(task.build.results.image)", { kind: "result", task: "build", name: "image" }],
    ["$(tasks.Execute Shell 2.results.data.user.name)", { task: "Execute Shell 2", name: "data", path: ["user", "name"] }],
    ["$(tasks['v1.2 (x86)'].results['a.b'][0])", { task: "v1.2 (x86)", name: "a.b", path: [0] }],
    ["$(tasks.Bob's $5 task.results.r)", { task: "Bob's $5 task", name: "r" }],
    ["$(params.größe)", { name: "größe" }],
    ["$(params.__proto__)", { name: "__proto__" }],
    ["$(results.image.path)", { kind: "place", words: ["results", "image", "path"] }],
    ["$(workspaces.source.path)", { kind: "place", words: ["workspaces", "source", "path"] }],
    ["$(context.taskRun.name)", { kind: "place", words: ["context", "taskRun", "name"] }],
  ])("reads %s", (text, expected) => {
    expect(only(text)).toMatchObject({ text, ...expected });
  });

  it.each([
    "$(date)",
    "$(cat /etc/passwd | wc -l)",
    "$((1 + 2))",
    "$( params.x )",
    "$(params)",
    "$(paramsx.y)",
    "$(global.sh)",
    "$(xtasks.a.results.b)",
    "$params.x",
    "$$",
    "$(",
    "$()",
    "$(results.x[*])",
    "${params.x}",
  ])("takes %s for no reference", (text) => {
    expect(scanReferences(text)).toEqual([]);
  });

  it.each([
    ["$(params.x", /malformed/],
    ["$(params.)", /malformed/],
    ["$(params..x)", /malformed/],
    ["$(params['x')", /malformed/],
    ["$(params[0])", /name of a parameter/],
    ["$(params.x[*].y)", /malformed/],
    ["$(params.a\nb)", /malformed/],
    ["$(tasks.a.result.b)", /\$\(tasks\.TASK\.results\.RESULT\)/],
    ["$(tasks.v1.2.results.b)", /brackets/],
    ["$(allParams)", /every secret/],
  ])("says what is wrong with %s", (text, problem) => {
    const found = scanReferences(text);
    expect(found).toHaveLength(1);
    expect(found[0]?.problem).toMatch(problem);
  });

  it("finds references inside a shell's own substitution, with their places", () => {
    const text = 'x=$(cat "$(params.file)" | grep $(tasks.a b.results.c)) && echo $(date)';
    expect(scanReferences(text).map(({ start, end }) => text.slice(start, end))).toEqual(["$(params.file)", "$(tasks.a b.results.c)"]);
  });

  it("continues after text that only looks like a reference", () => {
    expect(scanReferences("$(params.a$(params.b)").map((found) => found.problem === undefined)).toEqual([false, true]);
  });

  it("takes linear time for hostile text", () => {
    const expectWithin = startWork();
    for (const piece of [
      "$(",
      "$(params",
      "$(params.",
      "$(params['",
      "$(params[\"$(params['",
      "$(tasks.a",
      "$(params.a.a.a.a.a",
      "$(params.a[0][0]",
    ]) {
      scanReferences(piece.repeat(1_000_000 / piece.length));
    }
    scanReferences(`$(params.${"a.".repeat(500_000)}`);
    scanReferences(`$(params.${"a".repeat(1_000_000)})`);
    expectWithin(10_000);
  });

  it("never throws, and its positions are correct", () => {
    const piece = fc.constantFrom(
      "$(",
      ")",
      "params",
      "tasks",
      ".results",
      ".",
      "[",
      "]",
      "'",
      '"',
      "0",
      "*",
      "a",
      " ",
      "\n",
      "global.params",
      "$",
      "\u{1F600}",
      "\ud800",
    );
    const text = fc.oneof(
      fc.string(),
      fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join("")),
    );
    fc.assert(
      fc.property(text, (candidate) => {
        let last = 0;
        for (const found of scanReferences(candidate)) {
          expect(candidate.startsWith("$(", found.start)).toBe(true);
          expect(found.start).toBeGreaterThanOrEqual(last);
          last = found.problem === undefined ? found.end : found.start + 2;
          if (found.problem === undefined) expect(candidate.slice(found.start, found.end)).toBe(found.reference.text);
        }
      }),
      { numRuns: 2000 },
    );
  });
});

describe("findReferences", () => {
  it("collects references of all texts of a value, each once", () => {
    const value = { a: ["$(params.x) $(params.x)", { b: "$(tasks.t.results.r)" }], c: 5, d: null, e: "$(date)" };
    expect(new Set(findReferences(value).map((reference) => reference.text))).toEqual(new Set(["$(params.x)", "$(tasks.t.results.r)"]));
  });

  it("takes any value", () => {
    fc.assert(fc.property(fc.anything(), (value) => void expect(findReferences(value)).toBeInstanceOf(Array)));
    const circle: unknown[] = [];
    circle.push(circle);
    expect(findReferences(circle)).toEqual([]);
  });
});

describe("writeStep", () => {
  it("writes any name that can be addressed so that it is read back", () => {
    const name = fc
      .string({ minLength: 1, maxLength: 40 })
      .filter((text) => !/\p{Cc}/u.test(text) && !(text.includes("'") && text.includes('"')));
    fc.assert(fc.property(name, (text) => void expect(only(`$(params${writeStep(text)})`)).toMatchObject({ name: text, path: [] })));
  });
});

describe("followPath", () => {
  const value = { a: { b: [10, { c: null }] }, "x.y": 1, text: '{"in": [true]}', "0": "zero" };
  it.each<[PathStep[], unknown]>([
    [[], value],
    [["a", "b", 0], 10],
    [["a", "b", "0"], 10],
    [["a", "b", 1, "c"], null],
    [["x.y"], 1],
    [["text", "in", 0], true],
    [[0], "zero"],
  ])("%j leads to %j", (path, expected) => {
    expect(followPath(value, path)).toEqual({ found: true, value: expected });
  });

  it.each<[PathStep[], string]>([
    [["missing"], "it has no .missing"],
    [["a", "b", 2], "it has no .a.b[2]"],
    [["a", "b", "length"], "it has no .a.b.length"],
    [["a", "b", 1, "c", "d"], "it has no .a.b[1].c.d"],
    [["__proto__"], "it has no .__proto__"],
    [["constructor", "name"], "it has no .constructor"],
    [["text", "in", 0, "x"], "it has no .text.in[0].x"],
    [["x.y", "toFixed"], "it has no .x.y.toFixed"],
  ])("%j leads nowhere: %s", (path, why) => {
    expect(followPath(value, path)).toEqual({ found: false, why });
  });

  it("reads an own member named like an inherited one", () => {
    expect(followPath(JSON.parse('{"__proto__": {"a": 1}, "constructor": 2}'), ["__proto__", "a"])).toEqual({ found: true, value: 1 });
  });

  it("never throws", () => {
    const step = fc.oneof(fc.string(), fc.nat(), fc.constantFrom("__proto__", "constructor", "length", "toString"));
    fc.assert(fc.property(fc.anything(), fc.array(step), (any, path) => void expect(typeof followPath(any, path).found).toBe("boolean")));
  });
});

describe("parseJson", () => {
  it.each([
    ["{}", {}],
    [" [1]", [1]],
    ["5", undefined],
    ['"a"', undefined],
    ["{", undefined],
    ["", undefined],
  ])("%j is %j", (text, value) => {
    expect(parseJson(text)).toEqual(value);
  });
});
