import { describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { splitYamlStream } from "./yaml-stream.ts";

const split = (text: string) => splitYamlStream(text, 500);

describe("a stream is split where documents begin", () => {
  test("with the line at which each stands, and without parts that hold nothing", () => {
    expect(split("a: 1\n---\nb: 2\n--- # third\n\n# note\n---\n--- {c: 3}\n---\n")).toEqual([
      { text: "a: 1\n", firstLine: 1 },
      { text: "b: 2\n", firstLine: 3 },
      { text: "--- {c: 3}\n", firstLine: 8 },
    ]);
    expect(split("")).toEqual([]);
    expect(split("# nothing\n---\n")).toEqual([]);
  });

  test("what only looks like a boundary is none", () => {
    const text = "a: |\n  ---\n  b\nc: ----\n---d: 1\n";
    expect(split(text)).toEqual([{ text, firstLine: 1 }]);
  });

  test("directives stay with their document", () => {
    expect(split("%YAML 1.2\n---\na: 1\n---\nb: 2\n")).toEqual([
      { text: "%YAML 1.2\n---\na: 1\n", firstLine: 1 },
      { text: "b: 2\n", firstLine: 5 },
    ]);
  });

  test("line ends of Windows are line ends", () => {
    expect(split("a: 1\r\n---\r\nb: 2\r\n")).toEqual([
      { text: "a: 1\r\n", firstLine: 1 },
      { text: "b: 2\r\n", firstLine: 3 },
    ]);
  });

  test("each part is what a reader of the whole takes for the document", () => {
    const text = '---\nscript: |\n  one\n\n  ---\n  two\nfolded: "x\n  y"\n---\n- 1\n- 2\n...\n---\nlast: true';
    const whole = parseAllDocuments(text).map((document) => document.toJS());
    expect(split(text).map((part) => parseAllDocuments(part.text)[0]?.toJS())).toEqual(whole);
  });

  test("a stream of boundaries alone costs next to nothing, and counting ends with the most", () => {
    expect(split("---\n".repeat(5_000))).toEqual([]);
    expect(() => split("---\n".repeat(2_000_000))).toThrow("more than 5000 lines that begin with ---");
    expect(splitYamlStream("a\n---\n".repeat(100_000), 10).length).toBe(11);
  });
});
