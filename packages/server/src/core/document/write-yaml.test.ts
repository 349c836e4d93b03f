import fc from "fast-check";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { startWork } from "../../../test/kit/processor-ms.ts";
import { answerYaml, writeBoundedYaml, writeYaml } from "./write-yaml.ts";
import { readYamlBody } from "./yaml-body.ts";
import { readYamlDocuments } from "./yaml-tree.ts";
import { readYamlValue } from "./yaml-values.ts";

function read(yaml: string): unknown {
  return readYamlValue(readYamlDocuments(yaml)[0]!, undefined).value;
}

const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 20 }).filter((value) => !/[\p{Surrogate}\0]/u.test(value)),
  fc.stringMatching(/^[\t\n\r :#\-?|>'"&*!%@`{}[\],~<=0-9a-fx_.\u0085\u2028\ufeffé]{0,15}$/),
  fc.constantFrom(
    "on",
    "y",
    "0755",
    "1e3",
    "0o17",
    "1:30",
    "2001-01-01",
    "~",
    "",
    "<<",
    "=",
    "-",
    "---",
    "#!/bin/sh\n\tx \n",
    "a\n\n\n",
    "\n",
  ),
);
const anyValue = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    anyText,
    fc.constantFrom(null, true, false),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Object.is(value, -0)),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(anyText, tie("value"), { maxKeys: 4 }),
  ),
})).value;

test("every value is read back as itself, by this reader and by ones of YAML 1.2 and 1.1", () => {
  fc.assert(
    fc.property(anyValue, (value) => {
      const root = { root: value };
      const yaml = writeYaml(root);
      const expected = JSON.parse(JSON.stringify(root));
      expect(read(yaml)).toEqual(expected);
      expect(readYamlBody(yaml, undefined).value).toEqual(expected);
      expect(parse(yaml, { version: "1.2" })).toEqual(expected);
      expect(parse(yaml, { version: "1.1" })).toEqual(expected);
    }),
    { numRuns: 1000 },
  );
});

test.each([
  ["=", '"="'],
  ['a\t"b"', '"a\\t\\"b\\""'],
  ["<<", '"<<"'],
])("readers of YAML 1.1 that take %j for something else, or end a plain text at a tab, get it in quotes", (text, written) => {
  expect(writeYaml({ a: text, [text]: 1 })).toBe(`a: ${written}\n${written}: 1\n`);
});

test("an answer of many values is refused before the library makes a node of each", () => {
  for (const many of [
    Array(50_000).fill(1),
    Array(4_000).fill([[[[[[[[[[]]]]]]]]]]),
    Object.fromEntries(Array.from({ length: 30_000 }, (_, at) => [at, 1])),
  ]) {
    const expectWithin = startWork();
    expect(writeBoundedYaml(many)).toBeUndefined();
    expect(() => answerYaml(many)).toThrow("40000 values and names");
    expectWithin(100);
  }
  expect(writeBoundedYaml(Array(30_000).fill(1))).toHaveLength(120_000);
  expect(writeBoundedYaml("x".repeat(600_000))).toBeUndefined();
});

test("scripts are blocks, to be read by people", () => {
  expect(writeYaml({ script: "#!/bin/sh\n\tset -e\n\n  echo 'a: b' # c\n" })).toBe(
    "script: |\n  #!/bin/sh\n  \tset -e\n\n    echo 'a: b' # c\n",
  );
});
