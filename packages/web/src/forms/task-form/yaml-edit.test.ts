import { describe, expect, test } from "vitest";
import { readDraft } from "./task-draft.ts";
import { addParam, removeParam, setParam } from "./task-params.ts";
import { addItem, hasComments, moveItem, readYaml, removeItem, setYaml } from "./yaml-edit.ts";

const text = `# Says hello
apiVersion: tekton.dev/v1
kind: Task
metadata:
  name: greet # stays
  annotations:
    # how people call it
    millrace.dev/displayName: Greet
    millrace.dev/params:
      - name: who
        label: Whom
        required: true
spec:
  # what it takes
  params:
    - name: who # the one
      type: string
      default: 1.10
  x-unknown: {kept: [1, 2]}

  steps:
    - name: main
      # the program
      script: |
        #!/bin/sh
        echo "hello $PARAM_WHO"   # in the script
      args: [a, "b"] # both
`;

function draftOf(yaml: string) {
  const read = readYaml(yaml);
  if ("fault" in read) throw new Error(read.fault.message);
  return readDraft(read.document);
}

describe("an existing value is replaced in place, and nothing else changes", () => {
  test.each([
    [
      "a plain text",
      ["metadata", "annotations", "millrace.dev/displayName"],
      "Greet all",
      "displayName: Greet\n",
      "displayName: Greet all\n",
    ],
    ["before a comment", ["metadata", "name"], "salute", "name: greet #", "name: salute #"],
    ["a number that is a text", ["spec", "params", 0, "default"], "1.20", "default: 1.10", 'default: "1.20"'],
    ["a whole number", ["spec", "x-unknown", "kept", 0], "7", "kept: [1,", "kept: [7,"],
    ["in a flow list", ["spec", "steps", 0, "args", 1], "c", '"b"]', '"c"]'],
    ["a word of YAML", ["spec", "steps", 0, "name"], "on", "- name: main", '- name: "on"'],
  ])("%s", (_what, path, value, before, after) => {
    expect(setYaml(text, path, value)).toBe(text.replace(before, after));
  });

  test("a script of several lines", () => {
    const script = "#!/bin/sh\nset -e\necho done\n";
    const changed = setYaml(text, ["spec", "steps", 0, "script"], script);
    expect(changed).toContain('      script: |\n        #!/bin/sh\n        set -e\n        echo done\n      args: [a, "b"] # both');
    expect(draftOf(changed).steps[0]?.script).toBe(script);
  });
});

describe("adding and removing keep comments and order", () => {
  const comments = [...text.matchAll(/(?<!\S)# [a-z ]+$/gim)].map(([comment]) => comment);

  test.each<[string, (yaml: string) => string]>([
    ["a member is added", (yaml) => setYaml(yaml, ["spec", "steps", 0, "image"], "alpine:3")],
    ["an annotation is added", (yaml) => setYaml(yaml, ["metadata", "annotations", "millrace.dev/category"], "Talk")],
    ["a step is added", (yaml) => addItem(yaml, ["spec", "steps"], { name: "second", script: "true" })],
    ["a result is added where there was none", (yaml) => addItem(yaml, ["spec", "results"], { name: "said" })],
    ["a parameter is added", (yaml) => addParam(yaml, "greeting")],
    ["a parameter is required no longer", (yaml) => setParam(yaml, 0, "required", undefined)],
    ["a parameter gets options", (yaml) => setParam(yaml, 0, "options", [{ key: "a", value: "A" }])],
    ["a list grows", (yaml) => setYaml(yaml, ["spec", "steps", 0, "args"], ["a", "b", "c"])],
  ])("%s", (_what, change) => {
    const changed = change(text);
    expect(changed).not.toBe(text);
    for (const comment of comments) expect(changed).toContain(comment);
    expect(Object.keys(parsed(changed))).toEqual(["apiVersion", "kind", "metadata", "spec"]);
    expect(Object.keys(parsed(changed)["spec"] as object).slice(0, 3)).toEqual(["params", "x-unknown", "steps"]);
  });

  test.each(["on", "0755", "1e3"])("the text %s is quoted, so that every reader takes it for one", (value) => {
    expect(setYaml(text, ["spec", "steps", 0, "workingDir"], value)).toContain(`workingDir: "${value}"`);
  });

  test("adding something and removing it again leaves the text unchanged", () => {
    const more = addItem(text, ["spec", "results"], { name: "said" });
    expect(removeItem(more, ["spec", "results"], 0)).toBe(text);
  });

  test("steps change places with their comments", () => {
    const two = addItem(text, ["spec", "steps"], { name: "second", script: "true" });
    const moved = moveItem(two, ["spec", "steps"], 0, 1);
    expect(draftOf(moved).steps.map(({ name }) => name)).toEqual(["second", "main"]);
    expect(moved).toContain("# the program\n");
  });

  test("lists with the indentation of their key keep it", () => {
    const flat = "kind: Task\nmetadata:\n  name: a\nspec:\n  steps:\n  - name: one # first\n    script: echo\n";
    expect(addItem(flat, ["spec", "steps"], { name: "two" })).toBe(`${flat}  - name: two\n`);
  });
});

describe("parameters", () => {
  test("are read from both places", () => {
    expect(draftOf(text).params).toEqual([{ type: "text", label: "Whom", required: true, name: "who", default: "1.10" }]);
  });

  test.each<[string, unknown, unknown]>([
    ["name", "person", { name: "person", label: "Whom" }],
    ["type", "multiselect", { type: "multiselect" }],
    ["type", "password", { type: "password", default: "1.10" }],
    ["label", "To whom", { label: "To whom" }],
    ["description", "A name", { description: "A name" }],
    ["default", "you", { default: "you" }],
    ["placeholder", "Somebody", { placeholder: "Somebody" }],
  ])("%s becomes %j", (member, value, wanted) => {
    expect(draftOf(setParam(text, 0, member, value)).params[0]).toEqual(expect.objectContaining(wanted as object));
  });

  test("a default is removed when the kind of value changes or the field is cleared", () => {
    expect(draftOf(setParam(text, 0, "type", "multiselect")).params[0]).not.toHaveProperty("default");
    expect(draftOf(setParam(text, 0, "default", undefined)).params[0]).not.toHaveProperty("default");
  });

  test("an object with a number in it is written to the annotation", () => {
    const changed = setParam(setParam(text, 0, "type", "json"), 0, "default", { size: 2 });
    expect(draftOf(changed).params[0]?.default).toEqual({ size: 2 });
    expect(parsed(changed)).toMatchObject({ spec: { params: [{ name: "who", type: "object" }] } });
  });

  test("that are removed leave neither place", () => {
    const changed = removeParam(text, 0);
    expect(changed).not.toContain("who");
    expect(changed).toContain("# Says hello");
  });

  test("whose annotation is a text are read, and changed into a list", () => {
    const older = text.replace(/millrace\.dev\/params:[\s\S]*?(?=spec:)/, `millrace.dev/params: '[{"name":"who","label":"Old"}]'\n`);
    expect(draftOf(older).params[0]?.label).toBe("Old");
    expect(draftOf(setParam(older, 0, "label", "New")).params[0]?.label).toBe("New");
  });
});

test.each([
  ["kind: [Task\nspec: 1\n", 2],
  ["kind: Task\nspec:\n  a: 1\n a: 2\n", 4],
  ["", 1],
])("a text that is not a document is reported with its line: %j", (broken, line) => {
  const read = readYaml(broken);
  expect("fault" in read && read.fault.line).toBe(line);
  expect(setYaml(broken, ["metadata", "name"], "x")).toBe(broken);
});

test.each([
  ["a: 1 # why", true],
  ["# why\na: 1\n", true],
  ["a: |\n  #!/bin/sh\n  # in the script\n", false],
  ["a: 'x # y'\n", false],
])("a comment is distinguished from a script: %j", (yaml, has) => {
  expect(hasComments(yaml)).toBe(has);
});

function parsed(yaml: string): Record<string, unknown> {
  const read = readYaml(yaml);
  return "document" in read ? read.document.toJS() : {};
}
