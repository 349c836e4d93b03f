import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { expectWork } from "../../../test/kit/processor-ms.ts";
import { readYamlDocuments, YamlError, yamlLimits } from "./yaml-tree.ts";
import { readYamlValue } from "./yaml-values.ts";

const text = { type: "string" };
const schema = {
  type: "object",
  properties: {
    text,
    list: { type: "array", items: text },
    map: { type: "object", additionalProperties: text },
    any: { anyOf: [text, { type: "array", items: text }, { type: "object", additionalProperties: text }] },
    flag: { type: "boolean" },
    word: { enum: ["on", "off"] },
  },
};

function read(yaml: string, by: unknown = schema): unknown {
  const documents = readYamlDocuments(yaml);
  expect(documents).toHaveLength(1);
  return readYamlValue(documents[0]!, by).value;
}

function problems(yaml: string): string[] {
  try {
    for (const document of readYamlDocuments(yaml)) readYamlValue(document, schema);
  } catch (error) {
    if (error instanceof YamlError) return error.problems.map(({ line, column, message }) => `${line}:${column} ${message}`);
    throw error;
  }
  return [];
}

describe("texts", () => {
  test.each([
    ["1.0", "1.0"],
    ["on", "on"],
    ["0755", "0755"],
    ["1_000", "1_000"],
    ["2001-01-01", "2001-01-01"],
    ["12345678901234567890", "12345678901234567890"],
    ["true", "true"],
    ["'null'", "null"],
    ['"a\\tb"', "a\tb"],
    ["!!str 5", "5"],
    ["!!int 5", "5"],
    [".inf", ".inf"],
    ["a  b\n  c", "a  b c"],
  ])("where a text is wanted, %s is the text that stands there", (written, expected) => {
    expect(read(`text: ${written}`)).toEqual({ text: expected });
    expect(read(`list: [${written.replace("\n", " ")}]`)).toMatchObject({ list: [expect.any(String)] });
    expect(read(`map: {a: ${written.replace("\n", " ")}}`)).toMatchObject({ map: { a: expect.any(String) } });
    expect(read(`any: ${written}`)).toEqual({ any: expected });
  });

  test("a union is resolved by the type that is written", () => {
    expect(read("any: [1.0, yes]")).toEqual({ any: ["1.0", "yes"] });
    expect(read("any: {a: 010}")).toEqual({ any: { a: "010" } });
    expect(read("word: on")).toEqual({ word: "on" });
  });

  test("a member without a value is not a member where its kind is known, and null elsewhere", () => {
    expect(read("text:\nlist: ~\nother:\nmap: null")).toEqual({ other: null });
  });

  test("blocks keep every character", () => {
    expect(read("text: |\n  #!/bin/sh\n  \techo  \n\n    x\n")).toEqual({ text: "#!/bin/sh\n\techo  \n\n  x\n" });
    expect(read("text: |2-\n    lead\n   \n  x")).toEqual({ text: "  lead\n \nx" });
  });
});

describe("other values", () => {
  test.each([
    ["0755", 493],
    ["0o17", 15],
    ["0x1F", 31],
    ["-0b11", -3],
    ["1_000", 1000],
    ["08", 8],
    ["1.50", 1.5],
    [".5", 0.5],
    ["1e3", 1000],
    ["0.30000000000000004", 0.30000000000000004],
    ["yes", true],
    ["Off", false],
    ["~", null],
    ["", null],
    ["'5'", "5"],
    ["!!str 5", "5"],
    ["!!int '5'", 5],
    ["1:30", "1:30"],
    ["2001-01-01", "2001-01-01"],
    ["_1", "_1"],
    [".inf", ".inf"],
  ])("%s means what Kubernetes takes it for", (written, expected) => {
    expect(read(`free: ${written}`)).toEqual({ free: expected });
  });

  test("keys are texts as written, and __proto__ is one like any other", () => {
    expect(JSON.stringify(read("1.0: a\nyes: b\n__proto__: c\n'<<': d"))).toBe('{"1.0":"a","yes":"b","__proto__":"c","<<":"d"}');
  });

  test("aliases and merge keys are resolved, own members first", () => {
    expect(read("a: &a {x: 1, y: 2}\nb: {<<: *a, y: 3}\nc: {<<: [*a, {z: 5, x: 9}]}\nd: *a")).toEqual({
      a: { x: 1, y: 2 },
      b: { y: 3, x: 1 },
      c: { x: 1, y: 2, z: 5 },
      d: { x: 1, y: 2 },
    });
    expect(read("free: &v 1.0\ntext: *v")).toEqual({ free: 1, text: "1.0" });
    expect(read("a: &v 1\nb: &v 2\nc: *v")).toEqual({ a: 1, b: 2, c: 2 });
  });
});

describe("refusals", () => {
  test.each([
    ["a: 1\nb: {c: 1, c: 2}", "2:11 the key c appears twice in one map"],
    ["a: *nobody", "1:4 there is no anchor &nobody before the alias *nobody"],
    ["a: &a [*a]", "1:7 the document is nested deeper than 64 levels"],
    ["a:\n\t- b", "2:1 Tabs are not allowed as indentation"],
    ["a: 0xFFFFFFFFFFFFFFFF", "1:4 the number 0xFFFFFFFFFFFFFFFF can't be stored exactly; put it in quotes"],
    ["a: 12345678901234567", "1:4 the number 12345678901234567 can't be stored exactly; put it in quotes"],
    ["a: 0.12345678901234567890", "1:4 the number 0.12345678901234567890 can't be stored exactly; put it in quotes"],
    ["a: 1e999", "1:4 the number 1e999 can't be stored exactly; put it in quotes"],
    ["a: !env HOME", "1:9 the tag !env is not supported"],
    ["a: !!binary aGk=", "1:13 the tag tag:yaml.org,2002:binary is not supported"],
    ["? [a]\n: b", "1:3 a key must be a text"],
    ["a: b\n\u0007", "2:1 the character U+0007 is not allowed; write it as an escape in double quotes"],
    ["a: \ud800", "1:4 the character U+D800 is not allowed; write it as an escape in double quotes"],
    ["a: {<<: 5}", "1:9 the merge key << takes a map or a list of maps"],
    [`${"[".repeat(30_000)}`, "the text is nested too deeply"],
    [`a: ${"x".repeat(yamlLimits.characters)}`, `0:0 the text has more than ${yamlLimits.characters} characters`],
    ["- a\n".repeat(20_000), `0:0 the text has more than ${yamlLimits.tokens} tokens`],
  ])("refused with its place: %#", (yaml, expected) => {
    expect(problems(yaml)[0]).toContain(expected);
  });

  test("aliases of aliases do not blow up", () => {
    const levels = Array.from(
      { length: 12 },
      (_, level) => `l${level}: &l${level} [${Array(10).fill(level === 0 ? "x" : `*l${level - 1}`)}]`,
    );
    expect(problems(levels.join("\n"))[0]).toContain("more than 50000 values, including aliases");
  });

  test("aliases of a long text, or of long names, do not blow up", () => {
    const many = Array(3_000).fill("*a").join(", ");
    const message = `more than ${2 * yamlLimits.characters} characters, including aliases`;
    expect(problems(`a: &a ${"x".repeat(yamlLimits.characters / 2)}\nb: [${many}]`)[0]).toContain(message);
    expect(problems(`a: &a {${"x".repeat(1_000)}: y}\nb: [${many}]`)[0]).toContain(message);
  });

  const size = yamlLimits.characters - 100;
  const fill = (text: string) => text.repeat(Math.floor(size / text.length));
  test.each<[string, string]>([
    ["a script", `script: |\n${fill("  echo hello\n")}`.slice(0, size)],
    ["wrong escapes", `a: "${fill("\\q").slice(8)}"`],
    ["escapes that end early", `a: "${fill("\\x1 ").slice(8)}"`],
    ["escapes beyond the last character", `a: "${fill("\\UFFFFFFFF").slice(20)}"`],
    ["wrong escapes in many texts", fill('- "\\q"\n')],
    ["lines in double quotes", `a: "${fill("x\n ").slice(8)}"`],
    ["lines in single quotes", `a: '${fill("x\n ").slice(8)}'`],
    ["lines of a plain text", `a:\n${fill("  b c\n").slice(8)}`],
    ["folded lines", `a: >\n${fill(" x y\n\n").slice(8)}`],
    ["lines with carriage returns", `a: |\n${fill(" x\r\n").slice(8)}`],
    ["open brackets", fill("[")],
    ["dashes", fill("- ")],
    ["blank lines", `a: b${fill("\n").slice(8)}`],
    ["comments", fill("# x\n")],
    ["values below a long name", `? ${"x".repeat(size / 2)}\n: [${"1,".repeat(20_000)}]`],
    ["values below many names", `a:${` {${"x".repeat(1_000)}:`.repeat(60)} [${"1,".repeat(20_000)}]${"}".repeat(60)}`],
    ["aliases", `- &a x\n${"- *a\n".repeat(12_000)}`],
    ["unknown aliases", "- *a\n".repeat(12_000)],
    ["reserved characters", "- @\n".repeat(12_000)],
    ["unknown tags", "- !!x y\n".repeat(8_000)],
    ["documents", fill("---\na\n")],
    ["directives", fill("%A b\n")],
  ])("a mebibyte of %s is read or refused within half a second of work", (_, text) => {
    expectWork(500, () => {
      try {
        for (const document of readYamlDocuments(text)) readYamlValue(document, {});
      } catch (error) {
        expect(error).toBeInstanceOf(YamlError);
      }
    });
  });

  test("an invalid escape is reported with its place, and too many faults as a number", () => {
    expect(() => readYamlDocuments('a: "x\\q"')).toThrow(/line 1, column 6: Invalid escape/);
    expect(() => readYamlDocuments(`a: "${"\\q".repeat(21)}"`)).toThrow("more than 20 invalid escapes");
    expect(readYamlDocuments('a: "\\\\q \\x41 \\u0041 \\U00000041 \\U0010FFFF \\\n  b \\0\\_\\N"')).toHaveLength(1);
  });

  test.each([
    ['a: "x\\0"', "line 1, column 4: the text contains a NUL character"],
    ['a: ["\\ud800"]', "line 1, column 5: the text contains half of a surrogate pair"],
    ['a: "\\udc00\\ud800"', "half of a surrogate pair"],
    ['"\\ud800": x', "line 1, column 1: a key contains half of a surrogate pair"],
    ['a: {"\\0": x}', "a key contains a NUL character"],
  ])("what can't be stored is refused however it is spelt: %s", (text, message) => {
    expect(() => read(text, {})).toThrow(message);
  });

  test.each([
    ["!!float .inf", "doesn't fit .inf"],
    ["!!float .nan", "doesn't fit .nan"],
    ["!!float 1e999", "can't be stored exactly"],
    ["!!float '.inf'", "doesn't fit .inf"],
    ["!!int 12345678901234567890", "can't be stored exactly"],
    ["!!int 0x1g", "doesn't fit 0x1g"],
    ["!!bool maybe", "doesn't fit maybe"],
    ["!!null x", "doesn't fit x"],
  ])("a tag can't make a number that JSON has not, or a text of what says another kind: %s", (written, message) => {
    expect(() => read(`a: ${written}`, {})).toThrow(message);
  });

  test("a tag changes nothing of what a text means", () => {
    const written = "{a: !!int 0755, b: !!bool yes, c: !!null ~, d: !!int '12', e: !!float 1_0.5}";
    expect(read(written, {})).toEqual({ a: 493, b: true, c: null, d: 12, e: 10.5 });
  });

  test("a message shows no more than the beginning of a long word", () => {
    for (const one of ["*a", "!a", "1", "? a\n: 1\n? a"].map((word) => `${word.replaceAll(/a|1$/g, (end) => end.repeat(50_000))}\n`)) {
      const found = problems(one.startsWith("?") ? `${one}: 2` : `- ${one}`);
      expect(found.length).toBeGreaterThan(0);
      expect(found.join("").length).toBeLessThan(400);
    }
  });

  test("a text of line ends is refused before each is folded", () => {
    expect(problems(`a: >+\n b${"\n".repeat(1_000_000)}`)).toEqual(["0:0 the text has more than 100000 lines"]);
    expect(problems(`a: >+\n b${"\n".repeat(90_000)}`)).toEqual([]);
  });

  test("two halves in a row are a character", () => {
    expect(read('a: "\\ud83d\\ude00"', {})).toEqual({ a: "\u{1f600}" });
  });

  test("any text at all is either read or refused with places, in bounded time", () => {
    const piece = fc.constantFrom(
      "a",
      ": ",
      "- ",
      "\n",
      "  ",
      "{",
      "}",
      "[",
      "]",
      ",",
      "&a ",
      "*a",
      "|",
      ">",
      "'",
      '"',
      "#",
      "!",
      "---\n",
      "? ",
      "<<: ",
      "\t",
      "%",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        for (const problem of problems(pieces.join(""))) expect(problem).toMatch(/^\d+:\d+ ./);
      }),
      { numRuns: 2000 },
    );
  });
});
