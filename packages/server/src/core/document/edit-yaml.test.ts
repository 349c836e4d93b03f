import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { editYaml } from "./edit-yaml.ts";
import { writeYaml } from "./write-yaml.ts";
import { readYamlDocuments } from "./yaml-tree.ts";
import { readYamlValue } from "./yaml-values.ts";

function read(text: string): Record<string, unknown> {
  return readYamlValue(readYamlDocuments(text)[0]!, {}).value as Record<string, unknown>;
}

function edit(text: string, changes: Record<string, unknown>): string | undefined {
  const before = read(text);
  return editYaml(text, before, { ...before, ...changes });
}

const text = `# What it is for
---
kind: Task   # of Tekton
metadata:
    name: build # as the pipeline calls it
    # Who looks after it
    labels: {team:   blue}
# The program
spec:
    steps:
    - name: 'compile'   # slow
      script: |-
        make   # everything
    - {name: test, timeout:   1h}
`;

test("unchanged parts stay byte for byte", () => {
  expect(edit(text, {})).toBe(text);
  expect(edit("a: 1", {})).toBe("a: 1\n");
});

test("what changes is written again, and keeps its comments", () => {
  const metadata = { name: "yes", labels: { team: "blue" }, annotations: { "example.com/number": "1.0" } };
  const edited = edit(text, { metadata });
  expect(edited).toBe(`# What it is for
---
kind: Task   # of Tekton
metadata:
  name: "yes" # as the pipeline calls it
  # Who looks after it
  labels: { team: blue }
  annotations:
    example.com/number: "1.0"
# The program
${text.slice(text.indexOf("spec:"))}`);
});

test("members come and go, at the top and below", () => {
  const steps = [
    { name: "link", script: "make   # everything" },
    { name: "test", timeout: "1h" },
  ];
  const edited = edit(text, { apiVersion: "tekton.dev/v1", metadata: { name: "build" }, spec: { steps } });
  expect(edited).toContain("\napiVersion: tekton.dev/v1\n");
  expect(edited).toContain("name: link # slow");
  expect(edited).toContain("make   # everything");
  expect(edited).not.toContain("labels");
  expect(read(edited!)["spec"]).toMatchObject({ steps: [{ name: "link", script: "make   # everything" }, { timeout: "1h" }] });
});

test.each(['{"a": 1}', "[1]", "a", "", "  a: 1\n  b: 2\n"])("a text that is not a block mapping is not edited: %j", (odd) => {
  expect(editYaml(odd, { a: 1 }, { a: 2 })).toBeUndefined();
});

test.each([
  ["what another member has", "a: &x k\nb: {c: *x}\n", { b: { c: "k", d: "z" } }],
  ["what is replaced", "a: [&x k, *x]\n", { a: ["z", "k"] }],
])("a text with an alias of %s is not edited", (_what, aliased, changes) => {
  expect(edit(aliased, changes)).toBeUndefined();
});

test("an added member never becomes a merge key", () => {
  expect(edit("a: {}\n", { a: { "<<": "x" } })).toBe('a: { "<<": x }\n');
});

test("an alias stays where its anchor does", () => {
  expect(edit("a: {b: &x k, c: *x}\n", { a: { b: "k", c: "k", d: "z" } })).toBe("a: { b: &x k, c: *x, d: z }\n");
});

describe("any value", () => {
  const leaf = fc.oneof(
    fc.string({ maxLength: 8 }),
    fc.constantFrom("yes", "0755", "1.10", "# no comment", "a: b", "two\nlines", "~", "<<"),
  );
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      leaf,
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(fc.string({ maxLength: 5 }), tie("value"), { maxKeys: 3 }),
    ),
  }));
  const map = fc
    .dictionary(fc.string({ maxLength: 5 }), value, { maxKeys: 4, noNullPrototype: true })
    .filter((one) => !Object.hasOwn(one, "__proto__"));

  test("can be replaced by any other, or the text is not edited", () => {
    fc.assert(
      fc.property(map, map, (before, after) => {
        const from = writeYaml(before);
        const edited = editYaml(from, read(from), after);
        if (edited !== undefined && Object.keys(after).length > 0) expect(read(edited)).toEqual(after);
      }),
      { numRuns: 300 },
    );
  });
});
