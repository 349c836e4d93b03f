import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { parameterText, stepCommand, writeEnvironment } from "./step-command.ts";

const view = { steps: "/steps" };

test("a step without script and command runs the program of its image with the arguments of the step", () => {
  expect(stepCommand({ name: "s", image: "a" }, "s", view)).toEqual({ argv: [], imageArgs: [], files: [] });
  expect(stepCommand({ name: "s", image: "a", args: ["x", "\0y"] }, "s", view)).toEqual({ argv: [], imageArgs: ["x", "y"], files: [] });
  expect(stepCommand({ name: "s", image: "a", command: ["x"], args: ["y"] }, "s", view)).toEqual({ argv: ["x", "y"], files: [] });
});

test("without an image, a step without script and command is refused, and an empty command counts as none", () => {
  expect(() => stepCommand({ name: "s", args: ["x"] }, "s", view)).toThrow("neither a script nor a command");
  expect(() => stepCommand({ name: "s", image: "a", command: ["", "x"] }, "s", view)).toThrow("neither a script nor a command");
});

describe("parameters in the environment", () => {
  it.each([
    ["text", "text"],
    ["", ""],
    [null, ""],
    [undefined, ""],
    [0, "0"],
    [false, "false"],
    [["a", 1], '["a",1]'],
    [{ a: null }, '{"a":null}'],
    ["a\0b", "ab"],
  ])("are written as text or JSON: %j", (value, text) => {
    expect(parameterText(value)).toBe(text);
  });
});

describe("the file of an environment", () => {
  it("gives a shell back every value as it was", () => {
    const values = fc.array(
      fc.string({ unit: "binary" }).map((text) => Buffer.from(text).toString().replaceAll("\0", "")),
      { minLength: 1, maxLength: 8 },
    );
    fc.assert(
      fc.property(values, (texts) => {
        const variables = new Map(texts.map((text, index) => [`V${index}`, text]));
        const { file } = writeEnvironment(variables);
        const script = `${file}\nfor v in ${[...variables.keys()].map((name) => `"$${name}"`).join(" ")}; do printf '%s\\0' "$v"; done`;
        const printed = execFileSync("/bin/sh", ["-c", script], { env: {} }).toString().split("\0").slice(0, -1);
        expect(printed).toEqual(texts);
      }),
      { numRuns: 40 },
    );
  });

  it("sets aside what a shell can't set, and drops what no environment can hold", () => {
    const variables = new Map([
      ["GOOD", "1"],
      ["with.dot", "2"],
      ["UID", "3"],
      ["bad=name", "4"],
      ["", "5"],
      ["nul\0", "6"],
    ]);
    expect(writeEnvironment(variables)).toEqual({
      file: "export GOOD='1'\n",
      oddOnes: new Map([
        ["with.dot", "2"],
        ["UID", "3"],
      ]),
    });
  });
});
