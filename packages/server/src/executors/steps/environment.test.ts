import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parameterText, writeEnvironment } from "./environment.ts";

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
  it("gives every value to a shell unchanged", () => {
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

  it("keeps variables apart that a shell can't set, and drops those that no environment can contain", () => {
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
